// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.LinkEvents;
import io.verbena.transport.replica.BadSegmentException;
import io.verbena.transport.replica.Inlet;
import io.verbena.transport.replica.LinkLanes;
import io.verbena.transport.replica.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Everything that arrives on one link: finds segments, judges them, fills replicas. By the loop's
 * role.
 *
 * <p>Bytes are read into a buffer that all links share; what is left of a header in there is
 * carried over. The rest of a large payload is read straight into the replica.
 */
final class LinkReader {

  /** A rest of this size is worth a read of its own into the replica. */
  private static final int LARGE_BYTES = 4096;

  private final TcpLink link;
  private final TcpLoop loop;
  private final Wire wire;
  private final LinkEvents events;
  private final LinkLanes lanes;
  private final ByteBuffer[] scatter = new ByteBuffer[2];

  private final ByteBuffer header =
      ByteBuffer.allocate(Segment.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private @Nullable Inlet filling; // the lane of a DATA segment whose payload goes on
  private int payloadRest;
  private byte @Nullable [] bye; // the text of a BYE that goes on
  private boolean seeksBye; // the link ends: whatever else is said is void

  LinkReader(TcpLink link, TcpLoop loop, Wire wire, LinkEvents events, LinkLanes lanes) {
    this.link = link;
    this.loop = loop;
    this.wire = wire;
    this.events = events;
    this.lanes = lanes;
  }

  /**
   * Hands on what had to wait, then reads what is there, as often as allowed.
   *
   * @return the bytes read or handed on
   */
  int receive(int reads) throws IOException, BadSegmentException {
    int total = lanes.isPaused() ? deliverPaused() : 0;
    for (int i = 0; i < reads && !isVoid(); i++) {
      ByteBuffer staging = loop.staging().clear();
      int room = largeRest();
      long bytes = read(staging, room);
      if (bytes < 0) {
        throw new IOException("the far side closed the connection");
      }
      if (wire.owesAnswer()) {
        link.writer().writeAtRoundEnd();
      }
      if (bytes == 0) {
        break;
      }
      link.heard();
      total += (int) bytes;
      int direct = (int) Math.min(bytes, room);
      if (direct > 0) {
        filledDirectly(direct);
      }
      parse(staging.flip());
      deliver();
      if (bytes < room + loop.staging().capacity()) {
        break; // there was no more
      }
    }
    return total;
  }

  /**
   * The link ends: the session may go on over another one by now, from where this one had come to.
   * Only why the far side took the link down is still of interest.
   */
  private boolean isVoid() {
    return seeksBye || link.isClosing();
  }

  /**
   * Reads why the far side took the link down: a failed write may be heard of first.
   *
   * @return its reason, or {@code otherwise} if it gave none
   */
  String lastWords(String otherwise) {
    seeksBye = true;
    try {
      while (!saidBye() && readOnce()) {
        // there may be more
      }
    } catch (IOException | BadSegmentException | IllegalStateException e) {
      // The BYE itself, or something that does not matter any more.
    }
    byte[] said = bye;
    return said != null && saidBye() ? reason(said) : otherwise;
  }

  private boolean readOnce() throws IOException, BadSegmentException {
    ByteBuffer staging = loop.staging().clear();
    boolean isMore = wire.read(staging) > 0;
    parse(staging.flip());
    return isMore;
  }

  private int largeRest() {
    return filling != null && payloadRest >= LARGE_BYTES ? payloadRest : 0;
  }

  private long read(ByteBuffer staging, int room) throws IOException {
    Inlet inlet = filling;
    if (room == 0 || inlet == null) {
      return wire.read(staging);
    }
    scatter[0] = inlet.room(room);
    scatter[1] = staging;
    return wire.read(scatter);
  }

  private void filledDirectly(int bytes) {
    Inlet inlet = filling;
    if (inlet != null) {
      inlet.took(bytes);
      payloadRest -= bytes;
    }
  }

  private void deliver() {
    lanes.deliver(link.writer());
    if (lanes.isPaused()) {
      loop.lanePaused();
    }
  }

  private int deliverPaused() {
    deliver();
    return lanes.isPaused() ? 0 : 1;
  }

  // ---------------------------------------------------------------- segments

  private void parse(ByteBuffer in) throws IOException, BadSegmentException {
    while (in.hasRemaining()) {
      if (isVoid()) {
        filling = null;
      }
      if (payloadRest > 0) {
        takePayload(in);
      } else {
        takeHeader(in);
      }
    }
  }

  private void takePayload(ByteBuffer in) throws IOException {
    int length = Math.min(payloadRest, in.remaining());
    payloadRest -= length;
    Inlet inlet = filling;
    if (inlet != null) {
      inlet.take(loop.stagingMemory(), in.position(), length);
      in.position(in.position() + length);
    } else if (bye != null) {
      in.get(bye, bye.length - payloadRest - length, length);
      throwIfBye();
    } else {
      in.position(in.position() + length); // of a DATA segment that is void
    }
  }

  private void takeHeader(ByteBuffer in) throws IOException, BadSegmentException {
    if (header.position() == 0 && in.remaining() >= Segment.HEADER_BYTES) {
      int at = in.position();
      in.position(at + Segment.HEADER_BYTES);
      segment(
          in.getInt(at), in.get(at + 4), in.get(at + 5), in.getShort(at + 6), in.getLong(at + 8));
      return;
    }
    while (in.hasRemaining() && header.hasRemaining()) {
      header.put(in.get());
    }
    if (!header.hasRemaining()) {
      header.clear();
      segment(
          header.getInt(0), header.get(4), header.get(5), header.getShort(6), header.getLong(8));
    }
  }

  private void segment(int length, int kind, int zero, short rawLane, long value)
      throws IOException, BadSegmentException {
    int lane = rawLane & 0xFFFF;
    if (zero != 0) {
      throw new BadSegmentException("a segment with " + zero + " in its reserved byte");
    }
    if (length != 0 && kind != Segment.DATA && kind != Segment.BYE) {
      throw new BadSegmentException(
          Segment.nameOf(kind) + " with a payload of " + Integer.toUnsignedLong(length) + " bytes");
    }
    if (isVoid() && kind != Segment.BYE) {
      payloadRest = Math.max(0, length);
      return;
    }
    switch (kind) {
      case Segment.DATA -> data(lane, value, length);
      case Segment.PING -> link.writer().pong();
      case Segment.PONG -> link.answered();
      case Segment.BYE -> bye(length);
      default -> {
        if (!lanes.segment(kind, lane, value, link.writer(), events)) {
          throw new BadSegmentException("a segment of unknown kind " + kind);
        }
      }
    }
  }

  private void data(int lane, long position, int length) throws BadSegmentException {
    Inlet inlet = lanes.inlet(lane, "DATA");
    inlet.check(position, length);
    filling = inlet;
    payloadRest = length;
  }

  private void bye(int length) throws IOException, BadSegmentException {
    if (length < 0 || length > Segment.MAX_BYE_BYTES) {
      throw new BadSegmentException(
          "BYE with a text of "
              + Integer.toUnsignedLong(length)
              + " bytes; the limit is "
              + Segment.MAX_BYE_BYTES);
    }
    filling = null;
    bye = new byte[length];
    payloadRest = length;
    throwIfBye();
  }

  private boolean saidBye() {
    return bye != null && payloadRest == 0;
  }

  private void throwIfBye() throws IOException {
    byte[] said = bye;
    if (said != null && saidBye()) {
      throw new IOException(reason(said));
    }
  }

  private static String reason(byte[] bye) {
    String text = new String(bye, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    return "the far side took the link down: " + text;
  }
}
