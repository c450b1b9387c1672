// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A peer made of a shell script that speaks the conversation and tells what a test wants told. */
public final class FakePeer {

  static final String SCRIPT =
      """
      role=
      total=0
      sent='SENT'
      for argument in "$@"; do
        case $argument in --role=*) role=${argument#--role=} ;; esac
      done
      say() { printf '{"role":"%s","event":"%s",%s}\\n' "$role" "$1" "$2"; }
      say ready '"version":"Fake 1","settings":"none"'
      while read -r command number; do
        case $command in
          send)
            total=$((total + 1000))
            say sent "\\"messages\\":$total,$sent" ;;
          expect)
            say received '"expected":1000,RECEIVED,"first_ns":1,"last_ns":1000001,"timed":1000' ;;
        esac
      done
      """;

  public static final String CLEAN = "\"lost\":0,\"duplicated\":0,\"corrupted\":0,\"reordered\":0";

  private static final String BUILD = "echo built >> target/builds";

  private FakePeer() {}

  /** Makes a peer whose receiver reports this. */
  public static PeerFolder reporting(Path folder, String received) {
    return write(folder, SCRIPT, "true", BUILD, "\"corrupted\":0", received);
  }

  /** Makes a peer that answers requests, with these words of the sender. */
  public static PeerFolder answering(Path folder, String sent) {
    return write(folder, SCRIPT, "true", BUILD, sent, CLEAN);
  }

  /** Makes a peer with a script of its own. */
  public static PeerFolder scripted(Path folder, String script) {
    return write(folder, script, "true", BUILD, "", "");
  }

  /** Makes a peer that needs something that is not there. */
  public static PeerFolder absent(Path folder) {
    return write(folder, SCRIPT, "no-such-command-anywhere", BUILD, "", CLEAN);
  }

  /** Makes a peer that has what it needs and does not compile. */
  public static PeerFolder broken(Path folder) {
    return write(folder, SCRIPT, "true", "exit 1", "", CLEAN);
  }

  /** Makes a peer that has what it needs and is built by this script. */
  public static PeerFolder built(Path folder, String build) {
    return write(folder, SCRIPT, "true", build, "", CLEAN);
  }

  private static PeerFolder write(
      Path folder, String script, String needs, String build, String sent, String received) {
    try {
      Files.createDirectories(folder);
      String text = script.replace("SENT", sent).replace("RECEIVED", received);
      Files.writeString(folder.resolve("peer.sh"), text);
      Files.writeString(folder.resolve("peer.json"), description(needs, build));
      return PeerFolder.read(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String description(String needs, String build) {
    return """
    {
      "install": "apt-get install fake-peer",
      "needs": ["%s"],
      "build": ["sh", "-c", "%s"],
      "native": true,
      "run": ["sh", "peer.sh"],
      "systems": [{"name": "fake-ipc", "wire": "shm", "workloads": ["throughput", "latency"]}]
    }
    """
        .formatted(needs, build);
  }
}
