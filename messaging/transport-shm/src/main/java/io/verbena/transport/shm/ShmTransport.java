// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.Agreement;
import io.verbena.transport.Errands;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.UnavailableException;
import io.verbena.transport.Waiters;
import io.verbena.transport.handshake.Handshake;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.ValueLayout;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Shared memory between processes of one host. */
final class ShmTransport implements Transport {

  static final String NAME = "shm";

  private static final Logger LOG = System.getLogger("io.verbena.transport.shm");
  private static final long RETRY_NS = 50_000_000;

  private static final long LANE_MAGIC = 0x31_45_4E_41_4C_4E_42_56L; // "VBNLANE1"
  private static final int MAX_PENDING_HANDSHAKES = 64;

  /** How many may wait to be accepted, as long as the kernel allows: all may dial at once. */
  private static final int BACKLOG = 4096;

  /** How long the node's close waits for peers that are told of it. */
  private static final long GOODBYE_NS = 1_000_000_000;

  private static final long GLANCE_NS = 100_000;

  /** The control messages that may wait besides two for each lane: its opening and its end. */
  private static final int UNHEARD_BESIDES = 64;

  /** As above, of those to be written. More: no thread of a peer that runs need be late for it. */
  private static final int UNSAID_BESIDES = 4096;

  private final TransportContext context;
  private final Rendezvous rendezvous;
  private final NodeNames names;
  private final Doorbell bell;
  private final ShmLoop loop;
  private final ControlSockets sockets;
  private final Handshake accepting;
  private final ServerSocketChannel server;
  private final Semaphore pending = new Semaphore(MAX_PENDING_HANDSHAKES);
  private final AtomicLong lanes = new AtomicLong();
  private final Map<LaneMemory, Path> files = new ConcurrentHashMap<>();
  private final byte[] ownBell; // told to peers also while this node closes
  private final int maxUnheard;
  private final int maxUnsaid;
  private final Object latecomers = new Object(); // held while their news are read
  private final Set<ShmLink> ending = ConcurrentHashMap.newKeySet(); // their sockets are open still
  private volatile boolean closed;
  private volatile boolean stopped; // the loop reads no news any more

  private ShmTransport(TransportContext context, Rendezvous rendezvous) throws IOException {
    this.context = context;
    this.rendezvous = rendezvous;
    this.names = new NodeNames(rendezvous);
    this.bell = Doorbell.create(rendezvous.own("bell"));
    this.ownBell = attachment(bell);
    this.loop = new ShmLoop(context, bell);
    this.sockets = new ControlSockets("verbena-" + context.nodeId() + "-shm-sockets");
    int ofLanes = 2 * (int) context.number(ShmKeys.LANES_MAX);
    this.maxUnheard = ofLanes + UNHEARD_BESIDES;
    this.maxUnsaid = ofLanes + UNSAID_BESIDES;
    this.accepting = new Handshake(context, NAME, context.duration(ShmKeys.HANDSHAKE_TIMEOUT));
    try {
      this.server = listen(rendezvous.socket());
    } catch (IOException e) {
      bell.closeAndDelete();
      throw e;
    }
  }

  private static ServerSocketChannel listen(Path socket) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
      return server;
    } catch (IOException e) {
      server.close();
      throw new IOException(
          "cannot listen at "
              + socket
              + ": "
              + e.getMessage()
              + "; choose a shm.directory on tmpfs",
          e);
    }
  }

  /**
   * Takes the node's place in the folder and starts to listen; interrupts do not matter.
   *
   * @throws UnavailableException if the folder cannot be used
   * @throws IOException if another node has the place
   */
  static ShmTransport open(TransportContext context) throws IOException {
    try {
      return Uninterrupted.call(() -> open(context, enter(context)));
    } catch (NameTakenException e) {
      throw e; // there is memory to share: going on without would hide that two nodes have one id
    } catch (IOException e) {
      throw new UnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Rendezvous enter(TransportContext context) throws IOException {
    String listen = context.setting(ShmKeys.LISTEN);
    String name = NodeNames.nameOf(context.nodeId(), listen);
    return Rendezvous.enter(ShmKeys.directory(context), context.cluster(), name);
  }

  private static ShmTransport open(TransportContext context, Rendezvous rendezvous)
      throws IOException {
    try {
      ShmTransport transport = new ShmTransport(context, rendezvous);
      transport.loop.start("verbena-" + context.nodeId() + "-shm");
      String name = "verbena-" + context.nodeId() + "-shm-accept";
      try {
        Errands.ownThread(name, transport::acceptAll).start();
      } catch (Error e) { // no thread can start
        transport.close();
        throw e;
      }
      return transport;
    } catch (IOException | RuntimeException | Error e) { // the id is free again, whatever it was
      rendezvous.close();
      throw e;
    }
  }

  /** Unmaps a peer's doorbell a while later: senders look at it with each message. */
  void closeLater(Doorbell peersBell) {
    context.freeLater(Doorbell.BYTES, peersBell::close);
  }

  Rendezvous rendezvous() {
    return rendezvous;
  }

  ControlSockets sockets() {
    return sockets;
  }

  /** How many control messages of one link may wait. */
  int maxUnheard() {
    return maxUnheard;
  }

  /** How many control messages of one link may wait for a peer that does not read them. */
  int maxUnsaid() {
    return maxUnsaid;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean canReach(int peer, String address) {
    return Files.exists(names.socketOf(peer, address));
  }

  @Override
  public boolean readsInPlace() {
    return true;
  }

  @Override
  public ShmLoop progress() {
    return loop;
  }

  // ---------------------------------------------------------------- lanes

  @Override
  public LaneMemory allocate(int peer, int laneId, long capacity) throws IOException {
    Path path = rendezvous.own(lanes.getAndIncrement() + ".lane");
    SharedFile file = SharedFile.create(path, LaneMemory.DATA_OFFSET + capacity);
    file.segment().set(ValueLayout.JAVA_LONG, LaneMemory.TRANSPORT_OFFSET, LANE_MAGIC);
    LaneMemory[] self = new LaneMemory[1];
    LaneMemory memory =
        new LaneMemory(
            file.segment(),
            () -> {
              files.remove(self[0]);
              rendezvous.delete(path);
              file.close();
            });
    self[0] = memory;
    files.put(memory, path);
    return memory;
  }

  /** Maps a peer's lane. */
  static LaneMemory openLane(Path path, long capacity) throws IOException {
    SharedFile file = SharedFile.open(path, LaneMemory.DATA_OFFSET + capacity);
    if (file.segment().get(ValueLayout.JAVA_LONG, LaneMemory.TRANSPORT_OFFSET) != LANE_MAGIC) {
      file.close();
      throw new IOException(path + " is no lane of this version");
    }
    return new LaneMemory(file.segment(), file::close);
  }

  Path fileOf(LaneMemory memory) {
    Path path = files.get(memory);
    if (path == null) {
      throw new IllegalStateException("the lane's memory was freed");
    }
    return path;
  }

  // ---------------------------------------------------------------- links

  @Override
  public void connect(int peer, String address, Duration timeout) throws IOException {
    Path path = names.socketOf(peer, address);
    names.checkIsThere(path, peer);
    SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      call(socket, path);
      Agreement agreement =
          new Handshake(context, NAME, timeout)
              .dial(socket, path.toString(), peer, (node, incarnation) -> ownBell);
      establish(agreement, socket, path.toString());
    } catch (RefusedException | RuntimeException e) {
      closeQuietly(socket);
      throw e;
    } catch (IOException e) {
      closeQuietly(socket);
      throw new IOException("no link through " + path + ": " + e.getMessage(), e);
    }
  }

  /** Never waits: a listener whose queue is full may be stopped, and has no time to be given. */
  private static void call(SocketChannel socket, Path path) throws IOException {
    socket.configureBlocking(false);
    try {
      socket.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException e) {
      throw e; // nobody listens
    } catch (SocketException e) {
      throw new IOException("its node does not accept: " + e.getMessage(), e);
    }
    socket.configureBlocking(true); // for the handshake
  }

  private void acceptAll() {
    while (!closed) {
      try {
        admit(server.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        if (closed) {
          return; // how the end of an accept shows is up to the platform
        }
        LOG.log(Level.WARNING, "cannot accept on {0}: {1}", rendezvous.socket(), e.getMessage());
        LockSupport.parkNanos(this, RETRY_NS); // out of descriptors, most likely
      } catch (RuntimeException | Error e) { // no heap, most likely
        Errands.survived(LOG, "cannot admit a peer on " + rendezvous.socket(), e);
        LockSupport.parkNanos(this, RETRY_NS);
      }
    }
  }

  private void admit(SocketChannel socket) {
    pending.acquireUninterruptibly();
    try {
      Errands.run("verbena-" + context.nodeId() + "-shm-handshake", () -> accept(socket));
    } catch (RuntimeException | Error e) {
      pending.release();
      closeQuietly(socket);
      throw e;
    }
  }

  private void accept(SocketChannel socket) {
    ShmLink[] made = new ShmLink[1];
    LinkEvents[] events = new LinkEvents[1];
    try {
      accepting.accept(
          socket,
          rendezvous.socket().toString(),
          agreement -> {
            made[0] = link(agreement, socket, rendezvous.socket().toString());
            events[0] = established(agreement, made[0]);
            return ownBell;
          });
      made[0].start(events[0]);
    } catch (IOException e) {
      endAtOnce(made[0], events[0], e);
      closeQuietly(socket);
    } catch (RuntimeException | Error e) {
      endAtOnce(made[0], events[0], e);
      closeQuietly(socket); // else the peer would take the link for one that works
      throw e;
    } finally {
      pending.release();
    }
  }

  /** The handshake broke at its end: if the node took the link already it is told. */
  private static void endAtOnce(
      @Nullable ShmLink link, @Nullable LinkEvents events, Throwable why) {
    if (link != null && events != null) {
      link.start(events);
      link.close("the handshake broke: " + why.getMessage());
    }
  }

  private static void closeQuietly(SocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more in either case.
    }
  }

  private void establish(Agreement agreement, SocketChannel socket, String path)
      throws IOException {
    ShmLink link = link(agreement, socket, path);
    link.start(established(agreement, link));
  }

  private LinkEvents established(Agreement agreement, ShmLink link) throws RefusedException {
    try {
      return context.established(agreement, link, "both nodes open the same memory");
    } catch (RefusedException | RuntimeException e) {
      link.abandon();
      throw e;
    }
  }

  private ShmLink link(Agreement agreement, SocketChannel socket, String path) throws IOException {
    ByteBuffer theirs = ByteBuffer.wrap(agreement.attachment()).order(ByteOrder.LITTLE_ENDIAN);
    if (theirs.remaining() < 9) {
      throw new IOException("the peer did not tell its doorbell");
    }
    long nonce = theirs.getLong();
    byte[] name = new byte[theirs.remaining()];
    theirs.get(name);
    Path file = rendezvous.peers(new String(name, StandardCharsets.US_ASCII));
    Doorbell peersBell = Doorbell.open(file, nonce);
    return new ShmLink(
        this, socket, peersBell, "shared memory with node " + agreement.peer() + " by " + path);
  }

  /** The attachment: the doorbell's nonce and file name. */
  private static byte[] attachment(Doorbell bell) {
    byte[] name = bell.path().getFileName().toString().getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(8 + name.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(bell.nonce())
        .put(name)
        .array();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      server.close();
    } catch (IOException e) {
      // The socket's file goes with the others below.
    }
    loop.closeAll(closedReason());
    loop.stop(this::endLinks);
    rendezvous.close(); // which deletes the doorbell's file, too
  }

  private void endLinks() {
    stopped = true; // before the news are read: pairs with readLateNews
    endLatecomers();
    awaitEnds();
    context.freeLater(Doorbell.BYTES, bell::close); // others may be waking the loop
  }

  /** Has a link that is down close its socket, which may take a while. */
  void end(ShmLink link) {
    ending.add(link);
    link.closeSocket();
  }

  /** Its socket is closed. */
  void ended(ShmLink link) {
    ending.remove(link);
  }

  /** The process may end next. */
  private void awaitEnds() {
    long untilNs = System.nanoTime() + GOODBYE_NS;
    while (!ending.isEmpty() && System.nanoTime() - untilNs < 0) {
      Waiters.pause(this, GLANCE_NS);
    }
  }

  private String closedReason() {
    return "node " + context.nodeId() + " is closed";
  }

  // ---------------------------------------------------------------- after the end

  /** A link has started and is known to the loop; if this node is closed it was overlooked. */
  void cameUp(ShmLink link) {
    if (closed) { // set before close looks for links: one of the two sees the other
      link.close(closedReason());
      readLateNews(); // it may have been closed before it started, when they were not found
    }
  }

  /** A link has news: if nobody receives any more they are read by a thread of their own. */
  void readLateNews() {
    if (stopped) { // the caller may hold locks that those who are told take, too
      Errands.run("verbena-shm-late", this::endLatecomers);
    }
  }

  private void endLatecomers() {
    synchronized (latecomers) {
      loop.readNews();
    }
  }
}
