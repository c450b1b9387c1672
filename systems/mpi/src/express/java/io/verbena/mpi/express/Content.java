// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.express;

import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Note;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import mpjbuf.Buffer;
import mpjbuf.BufferException;
import mpjbuf.NIOBuffer;
import mpjbuf.Type;
import mpjdev.Status;
import xdev.XDevException;

/**
 * A buffer of MPJ Express as a message: the sizes of its two sections, its static section, which
 * lies in memory from the buffer's offset on, and its dynamic section, an array.
 */
final class Content implements Layout {

  private static final long SIZES = 2 * Integer.BYTES;

  private final Buffer buffer;
  private final MemorySegment sizes = MemorySegment.ofArray(new int[2]);
  private final MemorySegment fixed;
  private final long bytes;
  private final Note note;

  private byte[] dynamic;
  private int fixedBytes; // that the message has

  private Content(Buffer buffer, int fixedBytes, byte[] dynamic, long bytes, Note note) {
    this.buffer = buffer;
    ByteBuffer memory = ((NIOBuffer) buffer.getStaticBuffer()).getBuffer().duplicate().clear();
    long room = memory.capacity() - buffer.offset();
    this.fixed =
        MemorySegment.ofBuffer(memory).asSlice(buffer.offset(), Math.min(fixedBytes, room));
    this.fixedBytes = fixedBytes;
    this.dynamic = dynamic;
    this.bytes = bytes;
    this.note = note;
    sizes.set(ValueLayout.JAVA_INT, 0, fixedBytes);
    sizes.set(ValueLayout.JAVA_INT, Integer.BYTES, dynamic.length);
  }

  /** What is to be sent. */
  static Content of(Buffer buffer) {
    try {
      buffer.commit();
      Note note = new Note(buffer.getSectionHeader().getCode(), buffer.getSectionSize());
      byte[] given = buffer.getDynamicBuffer();
      byte[] dynamic = given == null ? new byte[0] : given;
      long bytes = SIZES + buffer.getSize() + dynamic.length;
      return new Content(buffer, buffer.getSize(), dynamic, bytes, note);
    } catch (BufferException e) {
      throw new XDevException(e);
    }
  }

  /** Where something is to be received: the dynamic section has the length that comes. */
  static Content roomOf(Buffer buffer) {
    return new Content(buffer, Integer.MAX_VALUE, new byte[0], Long.MAX_VALUE, new Note(0, 0));
  }

  Note note() {
    return note;
  }

  /** Writes what was beside a message into its status. */
  static void tell(Note note, Status status) {
    status.type = Type.getType((int) note.first());
    status.numEls = (int) note.second();
  }

  /** Has the buffer know what was received. */
  void store() {
    if (fixedBytes > fixed.byteSize()) {
      throw new XDevException(
          "a message of %d bytes for a buffer of %d".formatted(fixedBytes, fixed.byteSize()));
    }
    buffer.setSize(fixedBytes);
    if (dynamic.length > 0) {
      buffer.setDynamicBuffer(dynamic);
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void gather(long from, long count, MemorySegment to, long at) {
    Copy copy = (part, within, on, n) -> MemorySegment.copy(part, within, to, at + on, n);
    overlap(from, count, sizes, 0, copy);
    sections(from, count, copy);
  }

  @Override
  public void scatter(long to, long count, MemorySegment source, long at) {
    Copy copy = (part, within, on, n) -> MemorySegment.copy(source, at + on, part, within, n);
    overlap(to, count, sizes, 0, copy);
    if (to < SIZES && to + count >= SIZES) {
      fixedBytes = sizes.get(ValueLayout.JAVA_INT, 0);
      dynamic = new byte[sizes.get(ValueLayout.JAVA_INT, Integer.BYTES)];
    }
    sections(to, count, copy);
  }

  /** Copies {@code bytes} of a part, from {@code within} it, {@code on} from where the piece is. */
  private interface Copy {
    void copy(MemorySegment part, long within, long on, long bytes);
  }

  private void sections(long from, long count, Copy copy) {
    MemorySegment used = fixed.asSlice(0, Math.min(fixedBytes, fixed.byteSize()));
    overlap(from, count, used, SIZES, copy);
    overlap(from, count, MemorySegment.ofArray(dynamic), SIZES + fixedBytes, copy);
  }

  /** Copies what a part, which begins at {@code begin}, and a piece of the message share. */
  private static void overlap(long from, long count, MemorySegment part, long begin, Copy copy) {
    long first = Math.max(from, begin);
    long end = Math.min(from + count, begin + part.byteSize());
    if (first < end) {
      copy.copy(part, first - begin, first - from, end - first);
    }
  }
}
