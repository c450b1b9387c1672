// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Attribute;
import io.verbena.mpi.Communicator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What communicators keep under numbers: MPI's own, and from 0 on a program's. */
final class Keyvals {

  private static final Map<Integer, Attribute<Object>> KEYS = new ConcurrentHashMap<>();

  private Keyvals() {}

  static Optional<Object> get(Communicator of, int keyval) {
    return switch (keyval) {
      case MPI.TAG_UB -> Optional.of(Integer.MAX_VALUE);
      case MPI.HOST -> Optional.of(MPI.PROC_NULL);
      case MPI.IO -> Optional.of(MPI.ANY_SOURCE);
      case MPI.WTIME_IS_GLOBAL -> Optional.of(false);
      default -> Optional.ofNullable(KEYS.get(keyval)).flatMap(of::attribute);
    };
  }

  static void put(Communicator of, int keyval, Object value) {
    check(keyval);
    MPIException.check(value != null, "the value of an attribute is null; use Attr_delete");
    of.setAttribute(KEYS.computeIfAbsent(keyval, key -> Attribute.uncopied()), value);
  }

  static void delete(Communicator of, int keyval) {
    check(keyval);
    Attribute<Object> key = KEYS.get(keyval);
    if (key != null) {
      of.removeAttribute(key);
    }
  }

  private static void check(int keyval) {
    MPIException.check(
        keyval >= 0, "key %d of an attribute; those of programs are 0 or more", keyval);
  }
}
