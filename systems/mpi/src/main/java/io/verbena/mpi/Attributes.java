// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What libraries keep with one communicator. A key's values have its type. Any thread. */
final class Attributes {

  private final Communicator owner;
  private final Map<Attribute<?>, Object> values = new ConcurrentHashMap<>();

  Attributes(Communicator owner) {
    this.owner = owner;
  }

  <T> Optional<T> get(Attribute<T> key) {
    return Optional.ofNullable(cast(values.get(key)));
  }

  <T> void set(Attribute<T> key, T value) {
    delete(key, values.put(key, value));
  }

  <T> void remove(Attribute<T> key) {
    delete(key, values.remove(key));
  }

  void removeAll() {
    values.keySet().forEach(this::remove);
  }

  void copyTo(Communicator duplicate) {
    values.keySet().forEach(key -> copy(key, duplicate));
  }

  private <T> void copy(Attribute<T> key, Communicator duplicate) {
    get(key)
        .flatMap(value -> key.copy(owner, value))
        .ifPresent(value -> duplicate.setAttribute(key, value));
  }

  private <T> void delete(Attribute<T> key, @Nullable Object value) {
    T old = cast(value);
    if (old != null) {
      key.delete(owner, old);
    }
  }

  @SuppressWarnings("unchecked") // set puts there nothing else
  private static <T> @Nullable T cast(@Nullable Object value) {
    return (T) value;
  }
}
