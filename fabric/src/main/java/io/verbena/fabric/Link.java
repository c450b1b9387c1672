// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.fabric.Words.Word;
import io.verbena.natives.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The way to one peer, until it breaks; then ask the {@link Fabric} for a new one. Any thread.
 *
 * <p>Its operations begin in the order in which they were posted. Offsets and lengths are in bytes;
 * one below zero is an {@link IllegalArgumentException}.
 *
 * <p><b>Futures.</b> Each future is completed once, by the fabric's thread, which must not be
 * blocked: with what was asked for, or with a {@link RefusedException}, an {@link
 * UnknownOutcomeException} or a {@link ClosedException}. What a link has no room for now waits in
 * Java, in its order; once 131,072 operations wait, others are refused, and those that are asked
 * for later may be executed all the same. Regions and remotes stay open until the operation has
 * ended. Who closes one earlier has the operation fail, and its link with it.
 */
public final class Link {

  private static final int SENTENCE_BYTES = 512;

  private final Fabric fabric;
  private final long id;
  private final int peer;
  private final Consumer<Promise<?>> posting;
  private final Consumer<List<Promise<?>>> postingAll;
  private final boolean isFenced;

  Link(Fabric fabric, long id, int peer) {
    this.fabric = fabric;
    this.id = id;
    this.peer = peer;
    Outbox outbox = new Outbox(fabric.handle(), this, fabric.promises());
    this.posting = outbox::add;
    this.postingAll = outbox::addAll;
    this.isFenced = false;
  }

  /** The same link, with another way of posting. */
  private Link(Link of, Consumer<Promise<?>> posting, boolean isFenced) {
    this.fabric = of.fabric;
    this.id = of.id;
    this.peer = of.peer;
    this.posting = posting;
    this.postingAll = of.postingAll;
    this.isFenced = isFenced;
  }

  long id() {
    return id;
  }

  /** The node at the other end. */
  public int peer() {
    return peer;
  }

  /** Whether it is up; false when the fabric is closed. */
  public boolean isUp() {
    Handle handle = fabric.handle();
    if (!handle.tryEnter()) {
      return false;
    }
    try {
      return isUp(handle.pointer());
    } finally {
      handle.leave();
    }
  }

  private boolean isUp(MemorySegment open) {
    return (long) Calls.call(Functions.FIND, open, peer) == id;
  }

  /**
   * Which way its operations go, and why.
   *
   * @throws ClosedException if the link is down, or the fabric closed
   */
  public Way way() {
    return fabric.handle().use(this::way);
  }

  private Way way(MemorySegment open) {
    checkUp(open);
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment text = scratch.allocate(SENTENCE_BYTES);
      int way = (int) Calls.call(Functions.WAY, open, id, text, text.byteSize());
      if (way < 0) { // it went meanwhile
        throw down();
      }
      return Way.of(way, text.getString(0));
    }
  }

  /**
   * What it has done since it began.
   *
   * @throws ClosedException if the link is down, or the fabric closed
   */
  public LinkCounters counters() {
    return fabric.handle().use(this::counters);
  }

  private LinkCounters counters(MemorySegment open) {
    checkUp(open);
    try {
      return LinkCounters.of(open, id);
    } catch (FabricException e) { // it went meanwhile
      throw down();
    }
  }

  private void checkUp(MemorySegment open) {
    if (!isUp(open)) {
      throw down();
    }
  }

  private ClosedException down() {
    return new ClosedException("the link with node " + peer + " is down");
  }

  /** Takes it down; the far side is told the reason. What is under way ends unknown. */
  public void disconnect(String reason) {
    fabric.handle().use(open -> unlink(open, reason));
  }

  private Object unlink(MemorySegment open, String reason) {
    try (Arena scratch = Arena.ofConfined()) {
      Calls.call(Functions.UNLINK, open, id, scratch.allocateFrom(reason));
      return this;
    }
  }

  /** What a post that was refused is thrown as; the fabric is open. */
  FabricException failure(MemorySegment open, String sentence) {
    return isUp(open)
        ? new RefusedException(sentence)
        : new ClosedException("the link with node " + peer + " is down: " + sentence);
  }

  // ---------------------------------------------------------------- polled

  /**
   * Operations that are posted together and whose ends are polled: nothing is allocated for one.
   *
   * @param capacity how many are posted at once at most
   * @throws IllegalStateException if the fabric's own thread takes what is done
   */
  public Operations operations(int capacity) {
    fabric.bePolled();
    return new Operations(fabric.handle(), this, capacity);
  }

  // ---------------------------------------------------------------- futures

  /**
   * The same link, each of whose operations by futures begins only when every get and atomic of the
   * link before it is done: {@code link.fenced().put(...)}.
   */
  public Link fenced() {
    return new Link(this, posting, true);
  }

  /**
   * Has what is asked of the link that is handed in posted at once, in its order, when the function
   * returns: their futures are completed only after that, so it waits for none of them. Nothing is
   * posted if it throws; those futures fail with a {@link RefusedException}, as do those of what is
   * asked of the same link after the function has returned.
   */
  public void batch(Consumer<Link> asking) {
    Batch batch = new Batch();
    try {
      asking.accept(new Link(this, batch::add, isFenced));
    } catch (Throwable e) {
      batch.giveUp(e);
      throw e;
    }
    postingAll.accept(batch.end());
  }

  /**
   * Bytes of the local region go to the remote. The future is completed when the local bytes may be
   * used again; over softnic they are in the target's memory then.
   *
   * @throws ClosedException if the region or the remote is closed, as all below that take one
   * @throws IllegalStateException if the fabric is polled, as all below
   */
  public CompletableFuture<Void> put(
      Region local, long localOffset, Remote remote, long offset, long length) {
    return move(OperationArray.PUT, "a put", local, localOffset, remote, offset, length);
  }

  /** Bytes of the remote come to the local region. */
  public CompletableFuture<Void> get(
      Region local, long localOffset, Remote remote, long offset, long length) {
    return move(OperationArray.GET, "a get", local, localOffset, remote, offset, length);
  }

  private CompletableFuture<Void> move(
      int kind,
      String name,
      Region local,
      long localOffset,
      Remote remote,
      long offset,
      long length) {
    Limits.bounds(localOffset, offset, length);
    checkOpen(local, remote);
    return promise(
        text(name, remote, offset, length),
        (array, cookie) -> {
          array.add(kind, local.handle(), remote.handle(), cookie);
          array.setBounds(localOffset, offset, length);
        });
  }

  /** A put of which the target hears, behind the bytes, with a number. */
  public CompletableFuture<Void> putSignal(
      Region local, long localOffset, Remote remote, long offset, long length, int signal) {
    Limits.bounds(localOffset, offset, length);
    checkOpen(local, remote);
    return promise(
        text("a put with signal " + signal, remote, offset, length),
        (array, cookie) -> {
          array.add(OperationArray.PUT, local.handle(), remote.handle(), cookie);
          array.setBounds(localOffset, offset, length);
          array.setSignal(signal);
        });
  }

  /**
   * Adds to 8 bytes at a multiple of 8, in the byte order of the host; brings what was there
   * before.
   *
   * @throws FabricException if there is no memory to bring that to, as below
   */
  public CompletableFuture<Long> fetchAdd(Remote remote, long offset, long operand) {
    return atomic(
        OperationArray.FETCH_ADD,
        "a fetch-and-add",
        remote,
        offset,
        OperationArray.WORD_BYTES,
        operand,
        0,
        Word::value);
  }

  /**
   * Replaces 8 bytes at a multiple of 8 if they are as expected; brings what was there before: it
   * was replaced if that is what was expected.
   */
  public CompletableFuture<Long> compareSwap(
      Remote remote, long offset, long expected, long desired) {
    return atomic(
        OperationArray.COMPARE_SWAP,
        "a compare-and-swap",
        remote,
        offset,
        OperationArray.WORD_BYTES,
        expected,
        desired,
        Word::value);
  }

  /**
   * Adds to 4 bytes at a multiple of 4; brings what was there before. It goes by mapped memory
   * alone, and is refused where there is none ({@link #way}).
   */
  public CompletableFuture<Integer> fetchAddInt(Remote remote, long offset, int operand) {
    return atomic(
        OperationArray.FETCH_ADD,
        "a fetch-and-add",
        remote,
        offset,
        OperationArray.SHORT_WORD_BYTES,
        Integer.toUnsignedLong(operand),
        0,
        Word::shortValue);
  }

  /** Replaces 4 bytes at a multiple of 4 if they are as expected, as {@link #fetchAddInt} goes. */
  public CompletableFuture<Integer> compareSwapInt(
      Remote remote, long offset, int expected, int desired) {
    return atomic(
        OperationArray.COMPARE_SWAP,
        "a compare-and-swap",
        remote,
        offset,
        OperationArray.SHORT_WORD_BYTES,
        Integer.toUnsignedLong(expected),
        Integer.toUnsignedLong(desired),
        Word::shortValue);
  }

  private <T> CompletableFuture<T> atomic(
      int kind,
      String name,
      Remote remote,
      long offset,
      long bytes,
      long operand,
      long swap,
      Function<Word, T> result) {
    Limits.bounds(0, offset, bytes);
    checkOpen(remote.handle());
    fabric.drive();
    Words words = fabric.words();
    Word word = words.take(); // last: who is turned away keeps none
    Handle local = word.region().handle();
    CompletableFuture<T> future = new CompletableFuture<>();
    post(
        new Promise<>(
            text(name, remote, offset, bytes),
            (array, cookie) -> {
              array.add(kind, local, remote.handle(), cookie);
              array.setBounds(word.offset(), offset, bytes);
              array.setNumbers(operand, swap);
            },
            () -> result.apply(word),
            () -> words.giveBack(word),
            future));
    return future;
  }

  /** Done when all before it on the link is, and can be seen at the target. */
  public CompletableFuture<Void> flush() {
    return promise(
        "a flush at node " + peer,
        (array, cookie) -> array.add(OperationArray.FLUSH, null, null, cookie));
  }

  private CompletableFuture<Void> promise(String what, Promise.Filling filling) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    fabric.drive();
    post(new Promise<>(what, filling, Link::nothing, () -> {}, future));
    return future;
  }

  private void post(Promise<?> promise) {
    posting.accept(isFenced ? promise.fenced() : promise);
  }

  @SuppressWarnings("NullAway") // the value of a Void
  private static Void nothing() {
    return null;
  }

  private static void checkOpen(Region local, Remote remote) {
    checkOpen(local.handle());
    checkOpen(remote.handle());
  }

  private static void checkOpen(Handle handle) {
    handle.enter();
    handle.leave();
  }

  private static String text(String name, Remote remote, long offset, long length) {
    return name
        + " of "
        + length
        + " bytes at offset "
        + offset
        + " of key "
        + Integer.toUnsignedString(remote.key().rkey())
        + " of node "
        + remote.owner();
  }

  @Override
  public String toString() {
    return "Link[with node " + peer + (isUp() ? "]" : ", down]");
  }
}
