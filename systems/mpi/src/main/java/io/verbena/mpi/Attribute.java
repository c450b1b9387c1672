// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * A key by which a library keeps something of its own with communicators (MPI 4.1, section 7.7).
 *
 * @param <T> what is kept
 */
public final class Attribute<T> {

  private final BiFunction<Communicator, T, Optional<T>> copy;
  private final BiConsumer<Communicator, T> delete;

  private Attribute(
      BiFunction<Communicator, T, Optional<T>> copy, BiConsumer<Communicator, T> delete) {
    this.copy = copy;
    this.delete = delete;
  }

  /** A key whose values stay with the communicator that they were given to. */
  public static <T> Attribute<T> uncopied() {
    return of((from, value) -> Optional.empty(), (from, value) -> {});
  }

  /** A key whose values a duplicate of the communicator has, too. */
  public static <T> Attribute<T> copied() {
    return of((from, value) -> Optional.of(value), (from, value) -> {});
  }

  /**
   * A key.
   *
   * @param copy says what a duplicate of a communicator has; empty: nothing
   * @param delete is told of a value that is replaced, removed, or whose communicator is freed
   */
  public static <T> Attribute<T> of(
      BiFunction<Communicator, T, Optional<T>> copy, BiConsumer<Communicator, T> delete) {
    return new Attribute<>(copy, delete);
  }

  Optional<T> copy(Communicator from, T value) {
    return copy.apply(from, value);
  }

  void delete(Communicator from, T value) {
    delete.accept(from, value);
  }
}
