// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/**
 * Operations of one {@link Link}, put together and posted at once; used again and again, and
 * allocation-free. What becomes of them is brought by {@link Fabric#poll}, with the cookies given
 * here. Of one thread at a time.
 *
 * <p>Offsets and lengths are in bytes. Nothing but what is below zero, an {@link
 * IllegalArgumentException}, is checked before {@link #post}, and nothing moves.
 */
public final class Operations {

  private final Handle fabric;
  private final Link link;
  private final OperationArray array;

  Operations(Handle fabric, Link link, int capacity) {
    this.fabric = fabric;
    this.link = link;
    this.array = new OperationArray(capacity);
  }

  /**
   * Adds a put: bytes of the local region go to the remote.
   *
   * @throws IllegalStateException if there is no {@link #room}, as all below
   */
  public Operations put(
      Region local, long localOffset, Remote remote, long offset, long length, long cookie) {
    Limits.bounds(localOffset, offset, length);
    array.add(OperationArray.PUT, local.handle(), remote.handle(), cookie);
    array.setBounds(localOffset, offset, length);
    return this;
  }

  /** Adds a put of which the target hears, behind the bytes, with a number. */
  public Operations putSignal(
      Region local,
      long localOffset,
      Remote remote,
      long offset,
      long length,
      int signal,
      long cookie) {
    put(local, localOffset, remote, offset, length, cookie);
    array.setSignal(signal);
    return this;
  }

  /** Adds a get: bytes of the remote come to the local region. */
  public Operations get(
      Region local, long localOffset, Remote remote, long offset, long length, long cookie) {
    Limits.bounds(localOffset, offset, length);
    array.add(OperationArray.GET, local.handle(), remote.handle(), cookie);
    array.setBounds(localOffset, offset, length);
    return this;
  }

  /**
   * Adds a fetch-and-add to 8 bytes at a multiple of 8. What was there before comes to the local
   * region, in the byte order of the host.
   */
  public Operations fetchAdd(
      Region local, long localOffset, Remote remote, long offset, long operand, long cookie) {
    Limits.bounds(localOffset, offset, 0);
    array.add(OperationArray.FETCH_ADD, local.handle(), remote.handle(), cookie);
    array.setBounds(localOffset, offset, OperationArray.WORD_BYTES);
    array.setNumbers(operand, 0);
    return this;
  }

  /**
   * Adds a compare-and-swap of 8 bytes at a multiple of 8. What was there before comes to the local
   * region: it was swapped if that is what was expected.
   */
  public Operations compareSwap(
      Region local,
      long localOffset,
      Remote remote,
      long offset,
      long expected,
      long desired,
      long cookie) {
    Limits.bounds(localOffset, offset, 0);
    array.add(OperationArray.COMPARE_SWAP, local.handle(), remote.handle(), cookie);
    array.setBounds(localOffset, offset, OperationArray.WORD_BYTES);
    array.setNumbers(expected, desired);
    return this;
  }

  /**
   * Adds a fetch-and-add to 4 bytes at a multiple of 4, which goes by mapped memory alone: refused
   * where there is none ({@link Link#way}). What was there before comes to 4 bytes of the local
   * region.
   */
  public Operations fetchAddInt(
      Region local, long localOffset, Remote remote, long offset, int operand, long cookie) {
    Limits.bounds(localOffset, offset, 0);
    array.add(OperationArray.FETCH_ADD, local.handle(), remote.handle(), cookie);
    array.setBounds(localOffset, offset, OperationArray.SHORT_WORD_BYTES);
    array.setNumbers(Integer.toUnsignedLong(operand), 0);
    return this;
  }

  /** Adds a compare-and-swap of 4 bytes at a multiple of 4, which goes as {@link #fetchAddInt}. */
  public Operations compareSwapInt(
      Region local,
      long localOffset,
      Remote remote,
      long offset,
      int expected,
      int desired,
      long cookie) {
    Limits.bounds(localOffset, offset, 0);
    array.add(OperationArray.COMPARE_SWAP, local.handle(), remote.handle(), cookie);
    array.setBounds(localOffset, offset, OperationArray.SHORT_WORD_BYTES);
    array.setNumbers(Integer.toUnsignedLong(expected), Integer.toUnsignedLong(desired));
    return this;
  }

  /** Adds one that is done when all before it on the link is, and can be seen at the target. */
  public Operations flush(long cookie) {
    array.add(OperationArray.FLUSH, null, null, cookie);
    return this;
  }

  /**
   * The operation added last begins only when every get and atomic of the link before it is done.
   */
  public Operations fence() {
    if (array.count() == 0) {
      throw new IllegalStateException("there is no operation that the fence could stand before");
    }
    array.addFlag(OperationArray.FENCE);
    return this;
  }

  /** How many wait to be posted. */
  public int count() {
    return array.count();
  }

  /** How many more can be added. */
  public int room() {
    return array.room();
  }

  /**
   * Posts them, in their order; those that were posted are taken out. May wait for another thread's
   * post on the link, never for a device or a peer.
   *
   * @return how many were posted; if fewer than {@link #count} there is no room for the others now,
   *     or the next one is refused, which is told of when it comes first: poll, and post again
   * @throws RefusedException if the first one cannot be posted; nothing was begun, and all stay:
   *     {@link #skip} or {@link #clear}
   * @throws ClosedException if the fabric, the link, or memory of one of them is closed; nothing
   *     was begun, and all stay
   */
  public int post() {
    int posted = array.post(fabric, link);
    array.drop(posted);
    return posted;
  }

  /** Takes the first one out, if there is one. */
  public void skip() {
    array.drop(Math.min(1, array.count()));
  }

  /** Takes all out. */
  public void clear() {
    array.drop(array.count());
  }
}
