// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.ProgressLoop;
import io.verbena.transport.TransportContext;
import io.verbena.transport.replica.PacedWriter;
import io.verbena.transport.replica.PacedWriter.RoundHost;
import io.verbena.transport.replica.RoundEnds;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives on all links of a node, and looks after what senders leave to it. A few links are simply
 * read in turn, one system call each; many are selected first.
 */
final class TcpLoop extends ProgressLoop implements RoundHost {

  private static final int FEW_LINKS = 4;
  private static final int STAGING_BYTES = 64 * 1024;

  /** Reports that nobody waits for go out with other bytes, or after this time. */
  private static final long REPORT_NS = 1_000_000;

  private final TcpSettings settings;
  private final Selector selector;
  private final ConcurrentLinkedQueue<TcpLink> added = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean wakeRequested = new AtomicBoolean();
  private final Consumer<SelectionKey> receiveSelected = this::receive;
  private final Consumer<SelectionKey> ignore = key -> {};
  private final ByteBuffer staging =
      ByteBuffer.allocateDirect(STAGING_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final MemorySegment stagingMemory = MemorySegment.ofBuffer(staging);
  private final LentBuffers batches =
      new LentBuffers(
          () -> ByteBuffer.allocateDirect(LinkWriter.BATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN));
  private final long lifeCheckNs;
  private final Object afterwards = new Object();
  private boolean closed; // guarded by afterwards

  private volatile boolean news; // links were added or are to end
  private volatile boolean asleep;
  private volatile boolean burstSomewhere;
  private volatile @Nullable Thread sleeper;
  private volatile @Nullable Thread roundThread;

  // By the role's holder.
  private TcpLink[] links = new TcpLink[0];
  private final RoundEnds roundEnds = new RoundEnds();
  private final LastReads lastReads;
  private boolean leavingHeard; // something came on a socket that is read to its end
  private int selectedBytes;
  private boolean pausedSomewhere;
  private boolean reportsWait;
  private long reportsWaitSinceNs;
  private long lastLifeCheckNs = System.nanoTime();
  private int roundsToClock;

  TcpLoop(TransportContext context, TcpSettings settings) throws IOException {
    super(context);
    this.settings = settings;
    this.selector = Selector.open();
    this.lifeCheckNs = settings.heartbeat().toNanos() / 4;
    this.lastReads = new LastReads(settings.deadAfter().toNanos());
  }

  // ---------------------------------------------------------------- from outside

  void add(TcpLink link) {
    added.add(link);
    linkEnds(); // or begins: the loop looks
  }

  /** A link has a reason to end. */
  void linkEnds() {
    news = true;
    if (asleep) {
      wake();
    }
  }

  @Override
  public void burstBegan(PacedWriter writer) {
    burstSomewhere = true; // volatile, before the look: the sleeper's last round sees it, or we it
    if (asleep) {
      wake();
    }
  }

  @Override
  public boolean isInRound() {
    return roundThread == Thread.currentThread();
  }

  /** What writers gather small pieces in. Any thread. */
  LentBuffers batches() {
    return batches;
  }

  // ---------------------------------------------------------------- by the role's holder

  ByteBuffer staging() {
    return staging;
  }

  MemorySegment stagingMemory() {
    return stagingMemory;
  }

  /** A link is down; nothing of what its socket still brings matters. */
  void readToEnd(SocketChannel socket, @Nullable SelectionKey key) {
    lastReads.add(socket, key, staging);
  }

  @Override
  public void tellOfRoundEnd(PacedWriter writer) {
    roundEnds.tell(writer);
  }

  /** Handlers have no room for what is here: to be handed on later, whether more comes or not. */
  void lanePaused() {
    pausedSomewhere = true;
  }

  /** Reports are due that nobody waits for. */
  void reportsWait() {
    if (!reportsWait) {
      reportsWait = true;
      reportsWaitSinceNs = System.nanoTime();
    }
  }

  @Override
  protected int round() {
    roundThread = Thread.currentThread();
    try {
      int worked = news ? readNews() : 0;
      worked += receiveAll();
      if (leavingHeard || (links.length <= FEW_LINKS && !lastReads.isEmpty())) {
        lookAtLeaving();
      }
      if (roundEnds.isDue()) {
        roundEnds.roundEnds();
      }
      if (burstSomewhere || reportsWait || --roundsToClock <= 0) {
        worked += onClock(System.nanoTime());
      }
      return worked;
    } finally {
      roundThread = null;
    }
  }

  private void lookAtLeaving() {
    leavingHeard = false;
    if (lastReads.look(staging)) {
      forgetClosedChannels();
    }
  }

  private int receiveAll() {
    TcpLink[] all = links;
    if (all.length > FEW_LINKS) {
      return receiveSelected();
    }
    int bytes = 0;
    for (TcpLink link : all) {
      bytes += link.receive(settings.readsPerRound());
    }
    return bytes;
  }

  private int receiveSelected() {
    selectedBytes = 0;
    if (pausedSomewhere) {
      deliverPaused();
    }
    try {
      selector.selectNow(receiveSelected);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return selectedBytes;
  }

  /** No selection tells of what has been read already. */
  private void deliverPaused() {
    pausedSomewhere = false; // before looking: a lane that stays paused sets it again
    for (TcpLink link : links) {
      selectedBytes += link.receive(0);
    }
  }

  private void receive(SelectionKey key) {
    if (key.attachment() instanceof TcpLink link) {
      selectedBytes += link.receive(settings.readsPerRound());
    } else {
      leavingHeard = true;
    }
  }

  private int onClock(long nowNs) {
    roundsToClock = 64;
    int worked = burstSomewhere ? lookAfterBursts(nowNs) : 0;
    if (reportsWait && nowNs - reportsWaitSinceNs >= REPORT_NS) {
      reportsWait = false;
      for (TcpLink link : links) {
        link.writer().writeReports();
      }
    }
    if (nowNs - lastLifeCheckNs >= lifeCheckNs) {
      checkLife(nowNs);
    }
    return worked;
  }

  private int lookAfterBursts(long nowNs) {
    burstSomewhere = false; // before looking: a burst that begins sets it again
    boolean goesOn = false;
    int worked = 0;
    for (TcpLink link : links) {
      LinkWriter writer = link.writer();
      if (writer.needsLooks()) {
        worked += writer.lookAfterBurst(nowNs);
        goesOn |= writer.needsLooks();
      }
    }
    if (goesOn) {
      burstSomewhere = true;
    }
    return worked;
  }

  private void checkLife(long nowNs) {
    boolean late = nowNs - lastLifeCheckNs > settings.heartbeat().toNanos();
    lastLifeCheckNs = nowNs;
    if (!lastReads.isEmpty()) {
      lookAtLeaving();
    }
    for (TcpLink link : links) {
      if (late) {
        link.forgive(nowNs);
      }
      link.checkLife(nowNs, settings.heartbeat().toNanos(), settings.deadAfter().toNanos());
    }
  }

  /** By the role, or by the closing thread once the loop has stopped. */
  int readNews() {
    news = false; // before reading: what comes later sets it again
    takeAdded();
    List<TcpLink> now = new ArrayList<>(Arrays.asList(links));
    if (now.removeIf(TcpLink::goDownIfDue)) {
      forgetClosedChannels();
    }
    links = now.toArray(TcpLink[]::new);
    return 1;
  }

  /** A link belongs to the loop before it takes a byte, as what is taken may fail. */
  private void takeAdded() {
    for (TcpLink link = added.poll(); link != null; link = added.poll()) {
      links = Arrays.copyOf(links, links.length + 1);
      links[links.length - 1] = link;
      burstSomewhere = true; // a burst may have begun on it while no look could find it
      register(link);
      link.receive(settings.readsPerRound()); // no selection tells of what came with the handshake
    }
  }

  private void register(TcpLink link) {
    try {
      link.register(selector, System.nanoTime());
    } catch (IOException | ClosedSelectorException e) {
      link.fail("cannot be watched: " + e.getMessage());
    }
  }

  /** A closed channel's descriptor is given back by the next selection. */
  private void forgetClosedChannels() {
    try {
      if (selector.isOpen()) {
        selector.selectNow(ignore);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Ends the loop, then all links. */
  void close(String reason) {
    stop(() -> endLinks(reason));
  }

  private void endLinks(String reason) {
    synchronized (afterwards) {
      closed = true;
      readNews();
      for (TcpLink link : links) {
        link.close(reason);
      }
      readNews();
      lastReads.close();
      try {
        selector.close();
      } catch (IOException e) {
        // Nothing is registered any more.
      }
    }
  }

  /** Ends a link that came up while the loop was being closed. */
  void endLatecomers() {
    synchronized (afterwards) {
      if (closed) {
        readNews();
        lastReads.close();
      }
    }
  }

  // ---------------------------------------------------------------- sleeping

  @Override
  protected void announceSleep() {
    sleeper = Thread.currentThread();
    asleep = true; // volatile, before the last round's looks at news and bursts
  }

  @Override
  protected void sleep(long timeoutNs) {
    if (wakeRequested.get()) {
      return;
    }
    if (burstSomewhere && !isAllBlocked()) {
      // Shorter than a selector can: a burst's last bytes wait for us.
      LockSupport.parkNanos(this, Math.min(timeoutNs, PacedWriter.LOOK_AGAIN_NS));
      return;
    }
    for (TcpLink link : links) {
      link.updateInterest();
    }
    try {
      selector.select(ignore, Math.max(1, selectNs(timeoutNs) / 1_000_000));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    roundsToClock = 0;
  }

  /** Not beyond the next look for signs of life: who comes late to it forgives the silence. */
  private long selectNs(long timeoutNs) {
    long dueNs = reportsWait ? REPORT_NS : lifeCheckNs;
    boolean isIdle = links.length == 0 && lastReads.isEmpty();
    return isIdle ? timeoutNs : Math.min(timeoutNs, dueNs);
  }

  private boolean isAllBlocked() {
    for (TcpLink link : links) {
      if (link.writer().needsLooks() && !link.writer().isBlocked()) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected void withdrawSleep() {
    asleep = false;
    sleeper = null;
    wakeRequested.set(false);
  }

  @Override
  public void wake() {
    if (wakeRequested.compareAndSet(false, true)) {
      selector.wakeup();
      LockSupport.unpark(sleeper);
    }
  }
}
