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
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

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
      case FileSystemException file when file.getReason() == null ->
          new StoreException(Reason.IO, message + ": " + words(file), e);
      default -> new StoreException(Reason.IO, message, e);
    };
  }

  /** Of those of which Java says no more than the name of the file. */
  private static String words(FileSystemException e) {
    return switch (e) {
      case NoSuchFileException none -> "there is no such file or folder, or it cannot be made";
      case FileAlreadyExistsException other -> "something else has this name";
      case AccessDeniedException denied -> "access is denied";
      default -> e.getClass().getSimpleName();
    };
  }
}
