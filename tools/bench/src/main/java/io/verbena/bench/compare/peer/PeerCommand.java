// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import io.verbena.bench.JsonFields;
import io.verbena.bench.compare.contest.Contest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command that starts a process of a peer.
 *
 * @param contestant which
 * @param contest what it is to do
 * @param scratch a folder of this run
 * @param ports two free ones
 */
record PeerCommand(PeerContestant contestant, Contest contest, Path scratch, List<Integer> ports) {

  /** Where it is started. */
  Path folder() {
    return contestant.folder().path();
  }

  /** The command line. */
  List<String> words(String role) {
    List<String> words = new ArrayList<>();
    Stream.concat(contestant.folder().run().stream(), contestant.system().options().stream())
        .map(this::filled)
        .forEach(words::add);
    words.add("--role=" + role);
    words.add("--workload=" + JsonFields.word(contest.workload()));
    words.add("--size=" + contest.sizeBytes());
    return words;
  }

  private String filled(String word) {
    return word.replace("{java}", Path.of(System.getProperty("java.home"), "bin/java").toString())
        .replace("{scratch}", scratch.toString())
        .replace("{port}", ports.get(0).toString())
        .replace("{port2}", ports.get(1).toString());
  }
}
