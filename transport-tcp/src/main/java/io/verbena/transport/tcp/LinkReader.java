// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.InboundLane;
import io.verbena.transport.LinkEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CopyOnWriteArrayList;
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
  private final SocketChannel channel;
  private final LinkEvents events;
  private final long maxLaneBytes;
  private final CopyOnWriteArrayList<TcpInlet> inlets = new CopyOnWriteArrayList<>();
  private final ByteBuffer[] scatter = new ByteBuffer[2];

  private final ByteBuffer header =
      ByteBuffer.allocate(Segment.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private @Nullable TcpInlet filling; // the lane of a DATA segment whose payload goes on
  private int payloadRest;
  private byte @Nullable [] bye; // the text of a BYE that goes on
  private boolean anyPaused;
  private boolean readsOn; // although the link ends

  LinkReader(TcpLink link, TcpLoop loop, SocketChannel channel, LinkEvents events, long maxLane) {
    this.link = link;
    this.loop = loop;
    this.channel = channel;
    this.events = events;
    this.maxLaneBytes = maxLane;
  }

  /**
   * Hands on what had to wait, then reads what is there, as often as allowed.
   *
   * @return the bytes read or handed on
   */
  int receive(int reads) throws IOException, BadSegmentException {
    int total = anyPaused ? deliverPaused() : 0;
    for (int i = 0; i < reads && mayGoOn(); i++) {
      ByteBuffer staging = loop.staging().clear();
      int room = largeRest();
      long bytes = read(staging, room);
      if (bytes < 0) {
        throw new IOException("the far side closed the connection");
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

  private boolean mayGoOn() {
    return readsOn || !link.isClosing();
  }

  /**
   * Reads what the far side said before the connection broke: a failed write may be heard of first.
   *
   * @return its reason, or {@code otherwise} if it gave none
   */
  String lastWords(String otherwise) {
    if (saidBye()) {
      return otherwise; // that is it
    }
    readsOn = true;
    try {
      while (receive(1) > 0) {
        // there may be more
      }
    } catch (IOException e) {
      return saidBye() ? String.valueOf(e.getMessage()) : otherwise;
    } catch (BadSegmentException | IllegalStateException e) {
      // It does not matter any more.
    }
    return otherwise;
  }

  private int largeRest() {
    return filling != null && payloadRest >= LARGE_BYTES ? payloadRest : 0;
  }

  private long read(ByteBuffer staging, int room) throws IOException {
    TcpInlet inlet = filling;
    if (room == 0 || inlet == null) {
      return channel.read(staging);
    }
    scatter[0] = inlet.room(room);
    scatter[1] = staging;
    return channel.read(scatter);
  }

  private void filledDirectly(int bytes) {
    TcpInlet inlet = filling;
    if (inlet != null) {
      inlet.took(bytes);
      payloadRest -= bytes;
    }
  }

  private void deliver() {
    boolean reportNow = false;
    boolean paused = false;
    for (TcpInlet inlet : inlets) {
      reportNow |= inlet.deliver();
      paused |= inlet.isPaused();
    }
    anyPaused = paused;
    if (paused) {
      loop.lanePaused();
    }
    link.writer().controlIsDue();
    if (reportNow) {
      link.writer().writeAtRoundEnd();
    } else {
      loop.reportsWait();
    }
  }

  private int deliverPaused() {
    deliver();
    return anyPaused ? 0 : 1;
  }

  // ---------------------------------------------------------------- segments

  private void parse(ByteBuffer in) throws IOException, BadSegmentException {
    while (in.hasRemaining() && mayGoOn()) {
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
    TcpInlet inlet = filling;
    if (inlet != null) {
      inlet.take(loop.stagingMemory(), in.position(), length);
      in.position(in.position() + length);
    } else if (bye != null) {
      in.get(bye, bye.length - payloadRest - length, length);
      throwIfBye();
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
    switch (kind) {
      case Segment.DATA -> data(lane, value, length);
      case Segment.CONSUMED -> consumed(lane, value);
      case Segment.OPEN_LANE -> open(lane, value);
      case Segment.RESUME -> resume(lane, value);
      case Segment.FINISH -> finish(lane, value);
      case Segment.PING -> link.writer().pong();
      case Segment.PONG -> {}
      case Segment.BYE -> bye(length);
      default -> throw new BadSegmentException("a segment of unknown kind " + kind);
    }
  }

  private void data(int lane, long position, int length) throws BadSegmentException {
    TcpInlet inlet = inlet(lane, "DATA");
    inlet.check(position, length);
    filling = inlet;
    payloadRest = length;
  }

  private void resume(int lane, long position) throws BadSegmentException {
    TcpOutlet outlet = link.writer().outletIfOpen(lane);
    if (outlet != null) {
      link.writer().resume(outlet, position);
    }
  }

  private void consumed(int lane, long position) throws BadSegmentException {
    TcpOutlet outlet = link.writer().outletIfOpen(lane);
    if (outlet != null) {
      outlet.consumed(position);
    }
  }

  private void open(int lane, long capacity) throws IOException, BadSegmentException {
    for (TcpInlet inlet : inlets) {
      if (inlet.id() == lane) {
        throw new BadSegmentException("OPEN_LANE of lane " + lane + ", which is open");
      }
    }
    if (capacity > maxLaneBytes) {
      throw new BadSegmentException(
          "a lane too large: lane "
              + lane
              + " has "
              + capacity
              + " bytes; tcp.lane.max.bytes of the reading node is "
              + maxLaneBytes);
    }
    if (capacity < 4096 || Long.bitCount(capacity) != 1) {
      throw new BadSegmentException(
          "OPEN_LANE of lane "
              + lane
              + " with "
              + Long.toUnsignedString(capacity)
              + " bytes; a power of two from 4096 is possible");
    }
    InboundLane inbound = events.inbound(lane, capacity, () -> RingMemory.allocate(capacity));
    inlets.add(new TcpInlet(inbound));
    link.writer().controlIsDue();
    link.writer().writeAtRoundEnd();
  }

  private void finish(int lane, long finalPosition) throws BadSegmentException {
    TcpInlet inlet = inlet(lane, "FINISH");
    deliver(); // what came in the same read
    inlet.finish(finalPosition);
    inlets.remove(inlet);
    if (filling == inlet) {
      filling = null;
    }
    events.finished(lane, finalPosition);
  }

  private TcpInlet inlet(int lane, String what) throws BadSegmentException {
    TcpInlet last = filling;
    if (last != null && last.id() == lane) {
      return last;
    }
    for (TcpInlet inlet : inlets) {
      if (inlet.id() == lane) {
        return inlet;
      }
    }
    throw new BadSegmentException(what + " of lane " + lane + ", which is not open");
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
      String text = new String(said, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
      throw new IOException("the far side took the link down: " + text);
    }
  }

  // ---------------------------------------------------------------- by whoever writes

  /** Puts what the far side has to know of its lanes; false if there is no room. */
  boolean putControl(ByteBuffer out) {
    for (TcpInlet inlet : inlets) {
      if (!inlet.putControl(out)) {
        return false;
      }
    }
    return true;
  }
}
