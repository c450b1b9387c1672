// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.bench.plan.SizeText;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What is measured of MPI.
 *
 * @param transport that carries our messages: shm, tcp or rdma
 * @param device the verbs device of rdma
 * @param pairs how often each side has a round, in turn
 * @param measured in this order
 * @param isQuick whether rounds are short
 */
public record MpiPlan(
    String transport, String device, int pairs, List<Measured> measured, boolean isQuick) {

  /** The ranks of calls of all. */
  static final int ALL = 4;

  private static final List<Integer> QUICK_SIZES =
      List.of(1, 64, 1 << 10, 32 << 10, 64 << 10, 1 << 20, 4 << 20);
  private static final int LARGEST_POWER = 22; // 4 MiB

  private static final List<Measured> CALLS =
      List.of(
          new Measured(Operation.BARRIER, 0),
          new Measured(Operation.ALLREDUCE, 8),
          new Measured(Operation.ALLREDUCE, 1 << 10),
          new Measured(Operation.ALLREDUCE, 1 << 20),
          new Measured(Operation.ALLTOALL, 1 << 10),
          new Measured(Operation.BCAST, 64 << 10));

  private static final Set<String> TRANSPORTS = Set.of("shm", "tcp", "rdma");

  public MpiPlan {
    measured = List.copyOf(measured);
  }

  /**
   * One of them.
   *
   * @param operation what is done
   * @param sizeBytes of a message, or of one rank's block; 0 of a barrier
   */
  public record Measured(Operation operation, int sizeBytes) {

    /** How many ranks do it. */
    int ranks() {
      return operation == Operation.PING_PONG ? 2 : ALL;
    }

    /** For people: {@code allreduce of 1K}. */
    String text() {
      return operation == Operation.BARRIER
          ? operation.text()
          : operation.text() + " of " + SizeText.format(sizeBytes);
    }
  }

  /**
   * A plan as it is asked for.
   *
   * @param operations names; empty for those that are to reach something, and bcast
   * @param sizes of each operation; empty for those that it has
   * @throws IllegalArgumentException if something cannot be measured
   */
  public static MpiPlan of(
      String transport,
      String device,
      int pairs,
      List<String> operations,
      List<String> sizes,
      boolean isQuick) {
    if (!TRANSPORTS.contains(transport)) {
      throw new IllegalArgumentException(
          "transport '" + transport + "': expected shm, tcp or rdma");
    }
    Set<Operation> chosen = EnumSet.noneOf(Operation.class);
    operations.forEach(name -> chosen.add(Operation.parse(name)));
    List<Integer> bytes = sizes.stream().map(MpiPlan::size).toList();
    List<Measured> measured = new ArrayList<>();
    for (Operation operation : chosen.isEmpty() ? usual() : chosen) {
      measured.addAll(measured(operation, bytes, isQuick));
    }
    return new MpiPlan(transport, device, pairs, measured, isQuick);
  }

  private static Set<Operation> usual() {
    Set<Operation> usual = EnumSet.of(Operation.PING_PONG);
    CALLS.forEach(call -> usual.add(call.operation()));
    return usual;
  }

  /** A message may be empty. */
  private static int size(String text) {
    return text.strip().equals("0") ? 0 : SizeText.parse(text);
  }

  private static List<Measured> measured(
      Operation operation, List<Integer> sizes, boolean isQuick) {
    if (operation == Operation.BARRIER) {
      return List.of(new Measured(operation, 0));
    }
    List<Measured> usual = CALLS.stream().filter(one -> one.operation() == operation).toList();
    if (sizes.isEmpty() && !usual.isEmpty()) {
      return usual;
    }
    List<Integer> chosen = sizes.isEmpty() ? sizesOf(operation, isQuick) : sizes;
    return chosen.stream().map(size -> checked(new Measured(operation, size))).toList();
  }

  private static List<Integer> sizesOf(Operation operation, boolean isQuick) {
    if (operation != Operation.PING_PONG) {
      return List.of(Double.BYTES, 1 << 10, 1 << 20);
    }
    if (isQuick) {
      return QUICK_SIZES;
    }
    List<Integer> sizes = new ArrayList<>(List.of(0));
    IntStream.rangeClosed(0, LARGEST_POWER).forEach(power -> sizes.add(1 << power));
    return sizes;
  }

  private static Measured checked(Measured one) {
    boolean isOfDoubles = one.sizeBytes() > 0 && one.sizeBytes() % Double.BYTES == 0;
    if (one.operation() != Operation.PING_PONG && !isOfDoubles) {
      throw new IllegalArgumentException(
          "size %d: %s has doubles, so choose a multiple of 8 bytes"
              .formatted(one.sizeBytes(), one.operation().text()));
    }
    return one;
  }
}
