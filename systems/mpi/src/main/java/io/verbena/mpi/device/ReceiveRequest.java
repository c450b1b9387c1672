// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A receive, or a probe, and the message that it gets. */
public final class ReceiveRequest extends Request {

  /** What becomes of the message. */
  enum Kind {
    /** Its bytes go to the layout. */
    RECEIVE,
    /** It is taken as it is, to be received later. */
    MATCH,
    /** It is looked at and stays. */
    PROBE
  }

  final Chain.Place<ReceiveRequest> place = new Chain.Place<>(this);
  long number; // which of the receives that wait is the first

  private final Kind kind;
  private final int wantedSource;
  private final int wantedTag;
  private final Layout into;

  private int source;
  private int tag;
  private long bytes;
  private @Nullable Note note;
  private @Nullable Arrival match;
  private boolean isCancelled;
  private long missing; // of a message that comes by pieces
  private boolean isOver; // guarded by this: no piece is written any more
  private DirectWay.@Nullable Window window; // in which the sender may write

  /**
   * @param wantedSource a rank of the job, or {@link Device#ANY_SOURCE}
   */
  ReceiveRequest(Context context, Kind kind, int wantedSource, int wantedTag, Layout into) {
    super(context);
    this.kind = kind;
    this.wantedSource = wantedSource;
    this.wantedTag = wantedTag;
    this.into = into;
  }

  /** One that is done: there is nobody who could send. */
  static ReceiveRequest fromNobody(Context context, int wantedTag, Layout into) {
    ReceiveRequest done =
        new ReceiveRequest(context, Kind.RECEIVE, Device.PROC_NULL, wantedTag, into);
    done.found(Device.PROC_NULL, Device.ANY_TAG, 0, null);
    done.finish(null);
    return done;
  }

  int contextId() {
    return context().id();
  }

  int wantedSource() {
    return wantedSource;
  }

  int wantedTag() {
    return wantedTag;
  }

  Kind kind() {
    return kind;
  }

  boolean takes() {
    return kind != Kind.PROBE;
  }

  Layout into() {
    return into;
  }

  /** Whether it was cancelled: it has got no message then, and there is no status. */
  public boolean isCancelled() {
    return isDone() && isCancelled;
  }

  /**
   * The message that it has got.
   *
   * @throws IllegalStateException if it is not done, was cancelled, or failed without a message
   */
  public Status status() {
    if (!isDone() || isCancelled || failure() instanceof RankLostException) {
      throw new IllegalStateException("the " + call() + " has no message");
    }
    return new Status(context().memberOf(source), tag, bytes, note);
  }

  /** What a probe that takes has taken. */
  Arrival match() {
    return Objects.requireNonNull(match);
  }

  // ---------------------------------------------------------------- by whoever has matched it

  /** It has found its message. */
  void found(int ofSource, int withTag, long withBytes, @Nullable Note withNote) {
    source = ofSource;
    tag = withTag;
    bytes = withBytes;
    note = withNote;
  }

  /** The same; a probe is done by this. */
  void found(Arrival arrival) {
    Head head = arrival.head();
    found(head.source(), head.tag(), head.bytes(), head.note());
    if (kind == Kind.MATCH) {
      match = arrival;
    }
  }

  /** How much of the message that it has found is to be received. */
  long wanted() {
    return Math.min(bytes, into.bytes());
  }

  /** All of what is wanted is there. */
  void received() {
    closeWindow();
    finish(
        bytes > into.bytes()
            ? TruncatedException.of(context(), source, tag, bytes, into.bytes())
            : null);
  }

  void cancelled() {
    isCancelled = true;
    finish(null);
  }

  /**
   * The message will come by pieces, or be written.
   *
   * @param open where its sender may write; null if nowhere
   */
  void expect(DirectWay.@Nullable Window open) {
    missing = wanted();
    window = open;
  }

  /** Whether its sender may write. */
  boolean hasWindow() {
    return window != null;
  }

  private void closeWindow() {
    if (window != null) {
      window.close();
    }
  }

  /**
   * Writes a piece, unless the request has failed: its memory may be anybody's then.
   *
   * @return whether it was the last one
   */
  synchronized boolean write(long to, int pieceBytes, MemorySegment from, long at) {
    if (isOver || to < 0 || pieceBytes > missing || to + pieceBytes > wanted()) {
      return false;
    }
    into.scatter(to, pieceBytes, from, at);
    missing -= pieceBytes;
    return missing == 0;
  }

  /** No more pieces come. */
  synchronized void fail(DeviceException why) {
    isOver = true;
    closeWindow(); // the memory is the program's again
    finish(why);
  }

  @Override
  String call() {
    return switch (kind) {
      case RECEIVE -> "receive";
      case MATCH -> "matching probe";
      case PROBE -> "probe";
    };
  }

  @Override
  int peer() {
    return wantedSource;
  }

  @Override
  int wireTag() {
    return wantedTag;
  }
}
