// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.FrameSink;
import io.verbena.internal.lane.LaneReader;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.testkit.Await;
import io.verbena.testkit.StillContext;
import io.verbena.transport.Agreement;
import io.verbena.transport.Held;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.Outlet;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a transport needs of a node: one session with one peer, lanes of numbered frames. */
class TestNode extends StillContext implements AutoCloseable {

  final List<SendLane> sending = new CopyOnWriteArrayList<>();
  final Map<Integer, ReceiveLane> receiving = new ConcurrentHashMap<>();
  final BlockingQueue<String> broken = new LinkedBlockingQueue<>();
  final BlockingQueue<String> downs = new LinkedBlockingQueue<>();
  final BlockingQueue<Link> links = new LinkedBlockingQueue<>();
  final BlockingQueue<String> rejected = new LinkedBlockingQueue<>();
  volatile boolean refuse;

  /** Why lanes that the far side announces are not taken, if they are not. */
  volatile String takesNoLane = "";

  /** Done by the loop when the far side announces a lane. */
  volatile Runnable onLane = () -> {};

  /** Done by the loop when a frame has come. */
  volatile Runnable onFrame = () -> {};

  /** Done by whoever refuses a peer. */
  volatile Runnable onRejected = () -> {};

  /** Done as soon as the lanes are attached, before the transport starts the link. */
  volatile Runnable onceAttached = () -> {};

  private volatile long session;
  private TcpTransport transport;

  TestNode(int id) {
    super(id);
    set("listen", "127.0.0.1:0");
    set("tcp.handshake.timeout", "1m"); // as long as a busy machine needs for the first of a JVM
  }

  @Override
  public TestNode set(String key, String value) {
    super.set(key, value);
    return this;
  }

  TestNode open() throws IOException {
    transport = new TcpTransport(this);
    return this;
  }

  TcpTransport transport() {
    return transport;
  }

  int port() {
    String address = transport.address();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  void dial(int peer, int port) throws IOException {
    transport.connect(peer, "127.0.0.1:" + port, Await.LONG);
  }

  SendLane openLane(int laneId, long capacity) throws IOException {
    SendLane lane = new SendLane(laneId, transport.allocate(0, laneId, capacity));
    sending.add(lane);
    return lane;
  }

  static String poll(BlockingQueue<String> queue) throws InterruptedException {
    return queue.poll(Await.LONG.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    if (transport != null) {
      transport.close();
    }
    sending.forEach(lane -> lane.memory.close());
    receiving.values().forEach(lane -> lane.reader.memory().close());
  }

  /** An outgoing lane; frames carry their number and bytes that follow from it. */
  static final class SendLane {
    final int id;
    final LaneMemory memory;
    final LaneWriter writer;
    volatile Outlet outlet;
    private long next;

    SendLane(int id, LaneMemory memory) {
      this.id = id;
      this.memory = memory;
      this.writer = new LaneWriter(memory);
    }

    /** Writes the next frame; waits while the lane is full. */
    void send(int bodyBytes) {
      send(next++, bodyBytes);
    }

    void send(long number, int bodyBytes) {
      int length = Frame.HEADER_BYTES + 8 + bodyBytes;
      int frameBytes = Frame.align(length);
      long at = writer.claim(frameBytes);
      while (at == LaneWriter.FULL) {
        Outlet to = outlet;
        if (to == null) {
          Thread.onSpinWait();
        } else {
          to.awaitConsumed(memory.consumed(), 2_000_000);
        }
        at = writer.claim(frameBytes);
      }
      Frame.putLong(memory.segment(), at + 8, number);
      for (int i = 0; i < bodyBytes; i++) {
        memory.segment().set(JAVA_BYTE, at + 16 + i, (byte) (number + i));
      }
      writer.publish(at, Frame.header(length, 1, Frame.MESSAGE, 0), frameBytes);
      Outlet to = outlet;
      if (to != null) {
        to.published();
      }
    }
  }

  /** An incoming lane that checks what it gets. */
  final class ReceiveLane implements FrameSink {
    final LaneReader reader;
    volatile long frames;
    volatile boolean paused;
    volatile String wrong;

    ReceiveLane(int id, LaneMemory memory) {
      this.reader = new LaneReader(id, memory, false, this);
    }

    @Override
    public void frame(MemorySegment segment, long offset, long header) {
      long number = Frame.getLong(segment, offset + 8);
      if (number != frames) {
        wrong = "frame " + number + " came where " + frames + " was due";
      }
      int body = Frame.length(header) - 16;
      for (int i = 0; i < body; i++) {
        byte value = segment.get(JAVA_BYTE, offset + 16 + i);
        if (value != (byte) (number + i)) {
          wrong = "frame " + number + " has another byte " + i;
        }
      }
      frames = frames + 1;
      onFrame.run();
    }

    @Override
    public boolean mustWait(int kind) {
      return paused;
    }

    @Override
    public void broken(String reason) {
      wrong = reason;
    }
  }

  // ---------------------------------------------------------------- what the transport asks

  @Override
  public synchronized LinkEvents established(Agreement agreement, Link link, String reason)
      throws RefusedException {
    if (refuse) {
      throw new RefusedException(Reason.CLOSING, "not wanted");
    }
    session = agreement.session();
    for (SendLane lane : sending) {
      lane.outlet = link.attach(lane.id, lane.memory);
    }
    onceAttached.run();
    links.add(link);
    return new Events();
  }

  private final class Events implements LinkEvents {
    @Override
    public InboundLane inbound(int laneId, long capacity, MemorySource memory) throws IOException {
      onLane.run();
      if (!takesNoLane.isEmpty()) {
        throw new IOException(takesNoLane);
      }
      ReceiveLane lane = receiving.get(laneId);
      if (lane == null) {
        lane = new ReceiveLane(laneId, memory.get());
        receiving.put(laneId, lane);
      }
      return lane.reader;
    }

    @Override
    public void finished(int laneId, long finalPosition) {
      ReceiveLane lane = receiving.remove(laneId);
      if (lane != null) {
        lane.reader.memory().close();
      }
    }

    @Override
    public void broken(String reason) {
      broken.add(reason);
    }

    @Override
    public void down(String reason) {
      downs.add(reason);
    }
  }

  @Override
  public Held held(int peer, long peerIncarnation) {
    return new Held(session, 0); // tests have their links replaced at will
  }

  @Override
  public void rejected(Reason reason, String text) {
    rejected.add(reason + ": " + text);
    onRejected.run();
  }

  /** All of {@code count} frames of a lane have come, each once and in order. */
  void awaitFrames(int laneId, long count) throws InterruptedException {
    long giveUp = System.nanoTime() + Await.LONG.toNanos();
    while (true) {
      ReceiveLane lane = receiving.get(laneId);
      if (lane != null && lane.wrong != null) {
        throw new AssertionError(lane.wrong);
      }
      if (lane != null && lane.frames >= count) {
        return;
      }
      if (System.nanoTime() - giveUp > 0) {
        throw new AssertionError(
            "lane "
                + laneId
                + ": "
                + (lane == null ? "absent" : lane.frames + " of " + count)
                + ", downs "
                + new ArrayList<>(downs)
                + ", broken "
                + new ArrayList<>(broken));
      }
      Thread.sleep(1);
    }
  }
}
