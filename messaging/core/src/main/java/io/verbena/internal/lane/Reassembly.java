// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Puts the fragments of one message together. The buffer grows with the bytes that really arrive,
 * so a length that a peer only announces costs nothing. A buffer that has been outgrown is freed at
 * once. The collector would free it too late, because it sees only the small objects on the heap.
 */
public final class Reassembly implements AutoCloseable {

  /** A buffer up to this size is kept for the next message. */
  private static final long KEEP_BYTES = 4 << 20;

  private static final long LEAST_BYTES = 4096;

  private final long maxMessageBytes;
  private @Nullable Arena arena; // of the buffer alone; shared, as threads take turns at receiving
  private MemorySegment buffer = MemorySegment.NULL;
  private long innerHeader;
  private long correlation;
  private long total = -1; // -1: no message is being put together
  private long filled;

  /** Makes one that refuses messages larger than the limit. */
  public Reassembly(long maxMessageBytes) {
    this.maxMessageBytes = maxMessageBytes;
  }

  /**
   * Takes one fragment frame.
   *
   * @return the whole message's frame, header first, if this was its last fragment, else null
   */
  public @Nullable MemorySegment add(MemorySegment segment, long offset, long header)
      throws ProtocolException {
    long at = offset + Frame.HEADER_BYTES;
    long bytes = Frame.length(header) - Frame.HEADER_BYTES;
    if ((Frame.flags(header) & Frame.FIRST) != 0) {
      begin(segment, at, bytes);
      at += Frame.FRAGMENT_PREFIX_BYTES;
      bytes -= Frame.FRAGMENT_PREFIX_BYTES;
    } else if (total < 0) {
      throw new ProtocolException("a fragment without a first one");
    }
    append(segment, at, bytes);
    return (Frame.flags(header) & Frame.LAST) != 0 ? end() : null;
  }

  /** The header of the message that was put together last, with its whole length. */
  public long innerHeader() {
    return innerHeader;
  }

  /** The buffer's size now. Any thread; it may be seen late. */
  public long memoryBytes() {
    return buffer.byteSize();
  }

  /** Frees a large buffer once its message has been handled. */
  public void release() {
    if (buffer.byteSize() > KEEP_BYTES) {
      close();
    }
  }

  /** Frees the buffer, and with it the fragments of an unfinished message. */
  @Override
  public void close() {
    total = -1;
    replace(null, MemorySegment.NULL);
  }

  private void replace(@Nullable Arena newArena, MemorySegment newBuffer) {
    Arena outgrown = arena;
    arena = newArena;
    buffer = newBuffer;
    if (outgrown != null) {
      outgrown.close();
    }
  }

  private void begin(MemorySegment segment, long at, long bytes) throws ProtocolException {
    if (total >= 0) {
      throw new ProtocolException("a first fragment inside of another message");
    }
    if (bytes < Frame.FRAGMENT_PREFIX_BYTES) {
      throw new ProtocolException("a first fragment of " + bytes + " bytes; it needs 16");
    }
    long inner = Frame.getLong(segment, at);
    int kind = Frame.kind(inner);
    if (kind != Frame.MESSAGE && !Frame.hasCorrelation(kind)) {
      throw new ProtocolException("fragments of a frame of kind " + kind);
    }
    long length = Frame.length(inner);
    long max = maxMessageBytes + Frame.HEADER_BYTES + Frame.CORRELATION_BYTES;
    if (length < Frame.HEADER_BYTES + Frame.prefixBytes(kind) || length > max) {
      throw new ProtocolException(
          "a fragmented message of " + length + " bytes; message.max.bytes is " + maxMessageBytes);
    }
    innerHeader = inner;
    correlation = Frame.getLong(segment, at + 8);
    total = length;
    int prefix = Frame.HEADER_BYTES + Frame.prefixBytes(kind);
    filled = 0;
    reserve(prefix);
    Frame.putLong(buffer, 0, inner);
    if (prefix > Frame.HEADER_BYTES) {
      Frame.putLong(buffer, Frame.HEADER_BYTES, correlation);
    }
    filled = prefix;
  }

  private void append(MemorySegment segment, long at, long bytes) throws ProtocolException {
    if (filled + bytes > total) {
      throw new ProtocolException(
          "fragments of " + (filled + bytes) + " bytes for a message of " + total);
    }
    reserve(filled + bytes);
    MemorySegment.copy(segment, at, buffer, filled, bytes);
    filled += bytes;
  }

  private MemorySegment end() throws ProtocolException {
    if (filled != total) {
      throw new ProtocolException("the last fragment of a message of " + total + " at " + filled);
    }
    total = -1;
    return buffer;
  }

  private void reserve(long bytes) throws ProtocolException {
    if (bytes <= buffer.byteSize()) {
      return;
    }
    long size = Math.min(Math.max(bytes, buffer.byteSize() * 2), Math.max(total, bytes));
    Arena larger = Arena.ofShared();
    try {
      MemorySegment room = larger.allocate(Math.max(size, LEAST_BYTES), 8);
      MemorySegment.copy(buffer, 0, room, 0, filled);
      replace(larger, room);
    } catch (OutOfMemoryError e) {
      larger.close();
      throw new ProtocolException(
          "no memory to put a message of "
              + total
              + " bytes together, "
              + size
              + " of them now: "
              + e.getMessage()
              + "; raise -XX:MaxDirectMemorySize or lower message.max.bytes");
    }
  }
}
