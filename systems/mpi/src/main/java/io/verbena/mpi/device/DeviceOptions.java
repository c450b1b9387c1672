// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a device may be told.
 *
 * @param unexpectedBytes what messages may take in this rank's memory that have come before their
 *     receive, {@code mpi.unexpected.bytes}; each counts with 128 bytes more than it has. Divided
 *     among the ranks; where the share is used up, messages wait with their senders.
 * @param eagerBytes how long a message is at most that is sent before anybody asks for it, {@code
 *     mpi.eager.bytes}; a lane may set a lower limit. {@link #BY_TRANSPORT}: 32 KiB, over TCP 128
 * @param pieceBytes how long the pieces are in which others are sent, {@code mpi.piece.bytes}; a
 *     lane may set a lower limit. {@link #BY_TRANSPORT}: 32 KiB, over TCP 64
 * @param directBytes from which length on messages between memory outside the heap go over verbs
 *     without a lane, {@code mpi.direct.bytes}
 */
public record DeviceOptions(
    long unexpectedBytes, int eagerBytes, int pieceBytes, long directBytes) {

  /** As is best over the transport by which a peer is reached. */
  public static final int BY_TRANSPORT = -1;

  private static final int MOST_PIECE_BYTES = 1 << 16;
  private static final String TCP = "tcp"; // the transport's name
  private static final int EAGER_BYTES = 32 << 10;
  private static final int PIECE_BYTES = 32 << 10;
  private static final int EAGER_BYTES_OVER_TCP = 128 << 10;
  private static final int PIECE_BYTES_OVER_TCP = 64 << 10;

  /** 64 MiB, by transport, by transport, 4 MiB. */
  public static final DeviceOptions DEFAULTS =
      new DeviceOptions(64 << 20, BY_TRANSPORT, BY_TRANSPORT, 4 << 20);

  /** Checks them. */
  public DeviceOptions {
    if (unexpectedBytes < 0) {
      throw new IllegalArgumentException("mpi.unexpected.bytes is " + unexpectedBytes);
    }
    if (eagerBytes < 0 && eagerBytes != BY_TRANSPORT) {
      throw new IllegalArgumentException("mpi.eager.bytes is " + eagerBytes);
    }
    boolean isPiece = pieceBytes >= 1 && pieceBytes <= MOST_PIECE_BYTES;
    if (!isPiece && pieceBytes != BY_TRANSPORT) {
      throw new IllegalArgumentException(
          "mpi.piece.bytes is " + pieceBytes + "; choose 1 to " + MOST_PIECE_BYTES);
    }
    if (directBytes < 1) {
      throw new IllegalArgumentException(
          "mpi.direct.bytes is " + directBytes + "; choose 1 or more");
    }
  }

  /**
   * The defaults, with what is set: {@code mpi.unexpected.bytes}, {@code mpi.eager.bytes}, {@code
   * mpi.piece.bytes}, {@code mpi.direct.bytes}, each by the system property {@code verbena.mpi.…},
   * else by the variable {@code VERBENA_MPI_…}; numbers, which may end in K, M or G.
   *
   * @throws IllegalArgumentException if one is no such number, or not one that a device can have
   */
  public static DeviceOptions ofSystem() {
    return of(
        key -> {
          String name = "verbena." + key;
          String property = System.getProperty(name);
          return property != null
              ? property
              : System.getenv(name.replace('.', '_').toUpperCase(Locale.ROOT));
        });
  }

  /**
   * @param settings the text of a key; null or empty if it is not set
   */
  static DeviceOptions of(Function<String, @Nullable String> settings) {
    return new DeviceOptions(
        number(settings, "mpi.unexpected.bytes", DEFAULTS.unexpectedBytes(), Long.MAX_VALUE),
        (int) number(settings, "mpi.eager.bytes", DEFAULTS.eagerBytes(), Integer.MAX_VALUE),
        (int) number(settings, "mpi.piece.bytes", DEFAULTS.pieceBytes(), Integer.MAX_VALUE),
        number(settings, "mpi.direct.bytes", DEFAULTS.directBytes(), Long.MAX_VALUE));
  }

  /**
   * {@link #eagerBytes} over a transport.
   *
   * @param transport its name, as {@code shm}; null if none is known
   */
  public int eagerBytesOver(@Nullable String transport) {
    int best = TCP.equals(transport) ? EAGER_BYTES_OVER_TCP : EAGER_BYTES;
    return eagerBytes == BY_TRANSPORT ? best : eagerBytes;
  }

  /** {@link #pieceBytes} over a transport. */
  int pieceBytesOver(@Nullable String transport) {
    int best = TCP.equals(transport) ? PIECE_BYTES_OVER_TCP : PIECE_BYTES;
    return pieceBytes == BY_TRANSPORT ? best : pieceBytes;
  }

  private static long number(
      Function<String, @Nullable String> settings, String key, long unset, long most) {
    String given = settings.apply(key);
    if (given == null || given.isEmpty()) {
      return unset;
    }
    try {
      long number = Quantity.of(given);
      if (number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          key + " is '" + given + "'; choose a number of bytes, as 64K", e);
    }
    throw new IllegalArgumentException(key + " is '" + given + "'; the most is " + most);
  }

  /** The same with another bound of unexpected messages. */
  public DeviceOptions withUnexpectedBytes(long bytes) {
    return new DeviceOptions(bytes, eagerBytes, pieceBytes, directBytes);
  }

  /** The same with another limit of eager messages. */
  public DeviceOptions withEagerBytes(int bytes) {
    return new DeviceOptions(unexpectedBytes, bytes, pieceBytes, directBytes);
  }
}
