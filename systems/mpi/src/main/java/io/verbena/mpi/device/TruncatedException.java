// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import org.jspecify.annotations.Nullable;

/** A message was longer than its receive: what there was room for was received. */
public final class TruncatedException extends DeviceException {

  private static final long serialVersionUID = 1;

  private final long bytes;

  private TruncatedException(String message, long bytes, @Nullable Throwable cause) {
    super(message, cause);
    this.bytes = bytes;
  }

  static TruncatedException of(Context context, int rank, int tag, long bytes, long room) {
    int member = context.memberOf(rank);
    String of = member == rank ? "" : " (rank " + rank + " of the job)";
    return new TruncatedException(
        "the message of rank %d%s with tag %d has %d bytes, its receive has room for %d"
            .formatted(member, of, tag, bytes, room),
        bytes,
        null);
  }

  /** How many the message has. */
  public long bytes() {
    return bytes;
  }

  @Override
  TruncatedException again() {
    return new TruncatedException(String.valueOf(getMessage()), bytes, this);
  }
}
