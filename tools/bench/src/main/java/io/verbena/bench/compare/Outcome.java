// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.RunningContestant.Description;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.compare.contest.Wire;
import io.verbena.bench.plan.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a comparison has given so far; written by the thread that runs it. */
public final class Outcome {

  /**
   * A contestant that failed in a contest.
   *
   * @param contestant its name, or that of a peer with all its systems
   * @param contest what it was to do; null if it failed before any
   * @param reason what went wrong
   */
  public record Failure(String contestant, @Nullable Contest contest, String reason) {

    /** One line for people. */
    public String text() {
      String where = contest == null ? "" : ", " + contest.text();
      return contestant + where + ": " + reason;
    }
  }

  private final List<Pairing> pairings = new ArrayList<>();
  private final Map<String, Map<Workload, Description>> descriptions = new LinkedHashMap<>();
  private final Map<String, Wire> wires = new LinkedHashMap<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private boolean isComplete;

  void add(Pairing pairing) {
    pairings.add(pairing);
  }

  /** Inserts or replaces the line of a baseline, which stands before those compared with it. */
  void putBaseline(int index, Pairing pairing) {
    if (index < pairings.size() && pairings.get(index).isBaseline()) {
      pairings.set(index, pairing);
    } else {
      pairings.add(index, pairing);
    }
  }

  void describe(Contestant contestant, Workload workload, Description description) {
    descriptions
        .computeIfAbsent(contestant.name(), _ -> new LinkedHashMap<>())
        .putIfAbsent(workload, description);
    wires.putIfAbsent(contestant.name(), contestant.wire());
  }

  void add(Failure failure) {
    failures.add(failure);
  }

  /** Notes a contestant that does not take part. */
  public void add(Skipped one) {
    if (!skipped.contains(one)) {
      skipped.add(one);
    }
  }

  void complete() {
    isComplete = true;
  }

  /** The lines of all tables, in order. */
  public List<Pairing> pairings() {
    return Collections.unmodifiableList(pairings);
  }

  /** What the contestants are, by name and workload. */
  public Map<String, Map<Workload, Description>> descriptions() {
    return Collections.unmodifiableMap(descriptions);
  }

  /** What carries a contestant's messages. */
  public Wire wireOf(String contestant) {
    return wires.getOrDefault(contestant, Wire.TCP);
  }

  /** Whether the content of a contestant's messages is compared. */
  public boolean isChecked(String contestant) {
    return descriptions.getOrDefault(contestant, Map.of()).values().stream()
        .allMatch(Description::isChecked);
  }

  /** Who does not take part. */
  public List<Skipped> skipped() {
    return Collections.unmodifiableList(skipped);
  }

  /** Who failed. */
  public List<Failure> failures() {
    return Collections.unmodifiableList(failures);
  }

  /** Whether the run came to its end. */
  public boolean isComplete() {
    return isComplete;
  }

  /**
   * Whether something was measured, nobody failed, and every message that was checked arrived as it
   * should.
   */
  public boolean isClean() {
    return !pairings.isEmpty()
        && failures.isEmpty()
        && pairings.stream().allMatch(line -> line.tally().isClean());
  }
}
