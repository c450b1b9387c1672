// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.AsymmetricFence;
import io.verbena.transport.Unguessable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * One node's doorbell: a page that its peers map and ring when the node sleeps. Its nonce, told in
 * the handshake and read back from the page, proves that both nodes really open the same memory.
 *
 * <pre>
 * offset  size  what
 *      0     4  1 while the node sleeps (futex word)
 *     64     4  1 if the sleeper's barrier reaches every process that registered for it
 *    128     8  nonce
 * </pre>
 */
final class Doorbell implements AutoCloseable {

  static final int BYTES = 4096;

  private static final long SLEEPING = 0;
  private static final long BARRIER = 64;
  private static final long NONCE = 128;

  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private final SharedFile file;
  private final MemorySegment segment;
  private final MemorySegment word;
  private final boolean needsFence;

  private Doorbell(SharedFile file) {
    this.file = file;
    this.segment = file.segment();
    this.word = segment.asSlice(SLEEPING, 4);
    boolean barrier = (int) INT.getVolatile(segment, BARRIER) == 1;
    this.needsFence = !(barrier && AsymmetricFence.isReachable());
  }

  /** Makes this node's own. */
  static Doorbell create(Path path) throws IOException {
    SharedFile file = SharedFile.create(path, BYTES);
    file.segment().set(ValueLayout.JAVA_LONG, NONCE, Unguessable.id());
    file.segment().set(ValueLayout.JAVA_INT, BARRIER, AsymmetricFence.isReachable() ? 1 : 0);
    return new Doorbell(file);
  }

  /** Opens a peer's; fails if it is not the very one that the peer told the nonce of. */
  static Doorbell open(Path path, long nonce) throws IOException {
    SharedFile file = SharedFile.open(path, BYTES);
    if (file.segment().get(ValueLayout.JAVA_LONG, NONCE) != nonce) {
      file.close();
      throw new IOException(path + " is another file than the peer's: the hosts differ");
    }
    return new Doorbell(file);
  }

  long nonce() {
    return segment.get(ValueLayout.JAVA_LONG, NONCE);
  }

  Path path() {
    return file.path();
  }

  /** By the owner: says that it is about to sleep. A peer may overlook that for a moment. */
  void announceSleep() {
    INT.setVolatile(segment, SLEEPING, 1);
    AsymmetricFence.heavyEverywhere(); // pairs with ringIfAsleep
  }

  /** By the owner: sleeps until rung or the time is over. */
  void sleep(long timeoutNs) {
    Linux.futexWait(word, timeoutNs);
  }

  /** By the owner: is awake. */
  void withdrawSleep() {
    INT.setVolatile(segment, SLEEPING, 0);
  }

  /** By anyone, after publishing: wakes the owner if it sleeps. */
  void ringIfAsleep() {
    if (needsFence) {
      VarHandle.fullFence();
    }
    // Volatile keeps the compiler from looking before the publication's release store. The store
    // buffer is emptied by the sleeper's barrier, or before its second look:
    // docs/adr/0003-asymmetric-fence.md.
    if ((int) INT.getVolatile(segment, SLEEPING) != 0) {
      ring();
    }
  }

  /** By anyone: wakes the owner. */
  void ring() {
    if (INT.compareAndSet(segment, SLEEPING, 1, 0)) {
      Linux.futexWake(word);
    }
  }

  @Override
  public void close() {
    file.close();
  }

  void closeAndDelete() {
    file.closeAndDelete();
  }
}
