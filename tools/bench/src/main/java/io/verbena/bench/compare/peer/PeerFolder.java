// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import io.verbena.bench.compare.contest.Wire;
import io.verbena.bench.plan.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A folder under {@code tools/bench/peers} and what its {@code peer.json} says.
 *
 * @param path the folder
 * @param suite in which alone it takes part; empty for comparisons, from which others may choose,
 *     too
 * @param install the command that installs what it needs
 * @param needs a command that succeeds if that is there
 * @param build a command that builds it; empty if there is nothing to build
 * @param sources folders and files elsewhere that it is made of
 * @param isNative whether it is compiled ahead of time
 * @param isLauncher whether one command starts both its processes
 * @param run the command that starts a process
 * @param systems the contestants
 */
public record PeerFolder(
    Path path,
    String suite,
    String install,
    List<String> needs,
    List<String> build,
    List<Path> sources,
    boolean isNative,
    boolean isLauncher,
    List<String> run,
    List<System> systems) {

  private static final String DESCRIPTION = "peer.json";

  /**
   * One way to set a peer up.
   *
   * @param name of the contestant
   * @param wire what carries its messages
   * @param workloads it takes part in
   * @param options that follow the command that starts a process
   */
  public record System(String name, Wire wire, List<Workload> workloads, List<String> options) {}

  /** All peers in a folder, by name. */
  public static List<PeerFolder> readAll(Path peers) throws IOException {
    List<PeerFolder> folders = new ArrayList<>();
    try (Stream<Path> entries = Files.list(peers).sorted()) {
      for (Path entry : entries.toList()) {
        if (Files.exists(entry.resolve(DESCRIPTION))) {
          folders.add(read(entry));
        }
      }
    }
    return folders;
  }

  /** Reads one. */
  static PeerFolder read(Path folder) throws IOException {
    Path file = folder.resolve(DESCRIPTION);
    try {
      JsonNode root = JsonMapper.shared().readTree(Files.readString(file));
      List<System> systems = new ArrayList<>();
      root.required("systems").forEach(system -> systems.add(system(system)));
      return new PeerFolder(
          folder,
          root.path("suite").asString(""),
          root.required("install").asString(),
          texts(root.path("needs")),
          texts(root.path("build")),
          texts(root.path("sources")).stream().map(folder::resolve).toList(),
          root.required("native").asBoolean(),
          root.path("launcher").asBoolean(false),
          texts(root.required("run")),
          systems);
    } catch (JacksonException | IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static System system(JsonNode node) {
    List<Workload> workloads =
        texts(node.required("workloads")).stream()
            .map(name -> Workload.valueOf(name.toUpperCase(Locale.ROOT)))
            .toList();
    Wire wire = Wire.parse(node.required("wire").asString());
    return new System(
        node.required("name").asString(), wire, workloads, texts(node.path("options")));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.asString()));
    return texts;
  }

  /**
   * The same with values in place of names in braces, wherever a command has them.
   *
   * @param values by name, without the braces
   */
  public PeerFolder filled(Map<String, String> values) {
    return new PeerFolder(
        path,
        suite,
        install,
        filled(needs, values),
        filled(build, values),
        sources,
        isNative,
        isLauncher,
        filled(run, values),
        systems);
  }

  private static List<String> filled(List<String> words, Map<String, String> values) {
    return words.stream()
        .map(
            word -> {
              String whole = word;
              for (Map.Entry<String, String> value : values.entrySet()) {
                whole = whole.replace("{" + value.getKey() + "}", value.getValue());
              }
              return whole;
            })
        .toList();
  }

  /** The name of the peer. */
  public String name() {
    return String.valueOf(path.getFileName());
  }

  /** Where its build's output and log lie. */
  Path target() {
    return path.resolve("target");
  }
}
