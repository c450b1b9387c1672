// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.compare.peer.PeerBuild;
import io.verbena.bench.compare.peer.PeerContestant;
import io.verbena.bench.compare.peer.PeerFolder;
import io.verbena.bench.control.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Chooses who takes part, and builds the peers among them. */
public final class Contestants {

  private final List<PeerFolder> folders;

  private Contestants(List<PeerFolder> folders) {
    this.folders = folders;
  }

  /** Reads the descriptions of the peers in a folder that take part in comparisons. */
  public static Contestants in(Path peers) throws IOException {
    return new Contestants(
        PeerFolder.readAll(peers).stream().filter(folder -> folder.suite().isEmpty()).toList());
  }

  /**
   * Reads the descriptions of all peers in a folder.
   *
   * @param values in place of names in braces in their commands
   */
  public static Contestants ofAllSuites(Path peers, Map<String, String> values) throws IOException {
    return new Contestants(
        PeerFolder.readAll(peers).stream().map(folder -> folder.filled(values)).toList());
  }

  /** The names of the peers. */
  public List<String> peers() {
    return folders.stream().map(PeerFolder::name).toList();
  }

  /** The names of all contestants. */
  public List<String> systems() {
    List<String> names = new ArrayList<>();
    VerbenaContestant.all().forEach(one -> names.add(one.name()));
    folders.forEach(folder -> folder.systems().forEach(one -> names.add(one.name())));
    return names;
  }

  /**
   * Who is wanted.
   *
   * @param peers names of peers; empty for all, {@code none} for none
   * @param systems names of contestants; empty for all
   * @param isByName whether the user has named them: then one that has to be left out has failed,
   *     for the run does not give what was wanted
   */
  public record Choice(List<String> peers, List<String> systems, boolean isByName) {

    /** What a newcomer compares first: few enough that a run takes minutes instead of an hour. */
    private static final List<String> QUICK =
        List.of(
            "verbena-shm",
            "verbena-shm-typed",
            "verbena-shm-view",
            "verbena-softnic",
            "aeron-ipc",
            "zmq-ipc",
            "verbena-tcp",
            "netty-tcp",
            "netty-tcp-joined",
            "grpc-tcp");

    /** Of the names that a user has given; a few systems if there are none and time is short. */
    public static Choice of(List<String> peers, List<String> systems, boolean isQuick) {
      boolean isByName = !peers.isEmpty() || !systems.isEmpty();
      return new Choice(peers, isQuick && !isByName ? QUICK : systems, isByName);
    }

    private boolean wants(String system) {
      return systems.isEmpty() || systems.contains(system);
    }
  }

  /**
   * Checks names.
   *
   * @throws IllegalArgumentException if there is no such peer or contestant
   */
  public void check(Choice choice) {
    check(choice.peers(), choice.systems());
  }

  private void check(List<String> peers, List<String> systems) {
    Set<String> known = new LinkedHashSet<>(peers());
    known.add("none");
    check("peer", peers, known);
    check("system", systems, new LinkedHashSet<>(systems()));
  }

  private static void check(String what, List<String> names, Set<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "%s '%s': expected %s".formatted(what, name, String.join(", ", known)));
      }
    }
  }

  /**
   * Builds the peers asked for.
   *
   * @param onBuild is told the name of each peer before it is built
   * @param outcome is told of each that has to be left out, and whose build fails
   * @return the contestants, Verbena's first
   */
  public List<Contestant> choose(Choice choice, Consumer<String> onBuild, Outcome outcome)
      throws InterruptedException {
    List<Contestant> chosen = new ArrayList<>(verbenas(choice, outcome));
    for (PeerFolder folder : folders) {
      List<Contestant> wanted = wanted(folder, choice);
      if (!wanted.isEmpty()) {
        onBuild.accept(folder.name());
        if (isBuilt(folder, choice.isByName(), outcome)) {
          chosen.addAll(wanted);
        }
      }
    }
    return chosen;
  }

  private static boolean isBuilt(PeerFolder folder, boolean isNamed, Outcome outcome)
      throws InterruptedException {
    try {
      Skipped skipped = PeerBuild.build(folder);
      if (skipped != null) {
        skip(skipped, isNamed, outcome);
      }
      return skipped == null;
    } catch (BenchException e) {
      outcome.add(new Outcome.Failure(folder.name(), null, String.valueOf(e.getMessage())));
      return false;
    }
  }

  private static void skip(Skipped one, boolean isNamed, Outcome outcome) {
    outcome.add(one);
    if (isNamed) {
      outcome.add(new Outcome.Failure(one.name(), null, "asked for by name and skipped"));
    }
  }

  /** Those that can work here: one that then does not start has failed. */
  private static List<VerbenaContestant> verbenas(Choice choice, Outcome outcome) {
    List<VerbenaContestant> usable = new ArrayList<>();
    for (VerbenaContestant one : VerbenaContestant.all()) {
      if (choice.wants(one.name())) {
        String reason = one.system().unusableBecause();
        if (reason.isEmpty()) {
          usable.add(one);
        } else {
          boolean isByName = choice.isByName() && !choice.systems().isEmpty();
          skip(new Skipped(one.name(), reason, ""), isByName, outcome);
        }
      }
    }
    return usable;
  }

  private static List<Contestant> wanted(PeerFolder folder, Choice choice) {
    if (!choice.peers().isEmpty() && !choice.peers().contains(folder.name())) {
      return List.of();
    }
    return folder.systems().stream()
        .filter(one -> choice.wants(one.name()))
        .map(one -> (Contestant) new PeerContestant(folder, one))
        .toList();
  }
}
