// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import io.verbena.kv.store.StoreException.Reason;
import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.base.Health.BrokenException;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.region.BusyException;
import io.verbena.kv.store.region.ClosedException;
import io.verbena.kv.store.region.FormatException;
import io.verbena.kv.store.region.SnapshotGoneException;
import java.io.IOException;

/** What a failure inside is to a user. */
final class Failures {
  private Failures() {}

  static StoreException of(IOException e) {
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case Damage damage -> new StoreException(Reason.DAMAGED, message, e);
      case DiskFullException full ->
          new StoreException(
              Reason.FULL,
              "the disk is full (" + message + "): make space, or delete keys and compact()",
              e);
      case BrokenException broken ->
          new StoreException(Reason.READ_ONLY, message + "; open the store again", e);
      case ClosedException closed -> new StoreException(Reason.CLOSED, message, e);
      case BusyException busy -> new StoreException(Reason.BUSY, message, e);
      case SnapshotGoneException gone -> new StoreException(Reason.SNAPSHOT_GONE, message, e);
      case FormatException other -> new StoreException(Reason.OTHER_FORMAT, message, e);
      default -> new StoreException(Reason.IO, message, e);
    };
  }
}
