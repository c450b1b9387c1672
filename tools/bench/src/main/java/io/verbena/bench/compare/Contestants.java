// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Chooses who takes part, and builds the peers among them. */
public final class Contestants {

  private final List<PeerFolder> folders;

  private Contestants(List<PeerFolder> folders) {
    this.folders = folders;
  }

  /** Reads the descriptions of the peers in a folder. */
  public static Contestants in(Path peers) throws IOException {
    return new Contestants(PeerFolder.readAll(peers));
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
   * Checks names.
   *
   * @param peers names of peers; empty for all, {@code none} for none
   * @param systems names of contestants; empty for all
   * @throws IllegalArgumentException if there is no such peer or contestant
   */
  public void check(List<String> peers, List<String> systems) {
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
   * Builds the peers asked for. Who was asked for by name and has to be left out has failed: the
   * run does not give what was wanted.
   *
   * @param onBuild is told the name of each peer before it is built
   * @param outcome is told of each that has to be left out, and whose build fails
   * @return the contestants, Verbena's first
   */
  public List<Contestant> choose(
      List<String> peers, List<String> systems, Consumer<String> onBuild, Outcome outcome)
      throws InterruptedException {
    List<Contestant> chosen = new ArrayList<>(verbenas(systems, outcome));
    for (PeerFolder folder : folders) {
      List<Contestant> wanted = wanted(folder, peers, systems);
      if (!wanted.isEmpty()) {
        onBuild.accept(folder.name());
        boolean isNamed = !peers.isEmpty() || !systems.isEmpty();
        if (isBuilt(folder, isNamed, outcome)) {
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
  private static List<VerbenaContestant> verbenas(List<String> systems, Outcome outcome) {
    List<VerbenaContestant> usable = new ArrayList<>();
    for (VerbenaContestant one : VerbenaContestant.all()) {
      if (systems.isEmpty() || systems.contains(one.name())) {
        String reason = one.unusableBecause();
        if (reason.isEmpty()) {
          usable.add(one);
        } else {
          skip(new Skipped(one.name(), reason, ""), !systems.isEmpty(), outcome);
        }
      }
    }
    return usable;
  }

  private static List<Contestant> wanted(
      PeerFolder folder, List<String> peers, List<String> systems) {
    if (!peers.isEmpty() && !peers.contains(folder.name())) {
      return List.of();
    }
    return folder.systems().stream()
        .filter(one -> systems.isEmpty() || systems.contains(one.name()))
        .map(one -> (Contestant) new PeerContestant(folder, one))
        .toList();
  }
}
