// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

import io.verbena.bench.message.Views;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A peer whose ends lie in one process, and whose wire has a fault once in a million messages. */
final class FaultyPeer implements Peer {

  /** What happens to a message. */
  enum Fault {
    NONE,
    DROP,
    REPEAT,
    CORRUPT
  }

  static final int EVERY = 1_000_000;

  private final Fault fault;
  private final Views views;
  private final Answers answers;
  private final MemorySegment message;
  private final MemorySegment answer;
  private Judge judge;
  private long count;
  private long faults;

  FaultyPeer(Fault fault, int sizeBytes) {
    this.fault = fault;
    this.views = Views.ofSize(sizeBytes);
    this.answers = Answers.ofSize(sizeBytes);
    this.message = Arena.ofAuto().allocate(sizeBytes);
    this.answer = Arena.ofAuto().allocate(sizeBytes);
  }

  /** How many messages or requests were sent. */
  long messages() {
    return count;
  }

  /** How many messages were not treated well. */
  long faults() {
    return faults;
  }

  @Override
  public String version() {
    return "Faulty";
  }

  @Override
  public String settings(PeerOptions options) {
    return fault.name();
  }

  @Override
  public AutoCloseable openReceiver(PeerOptions options, Judge theJudge) {
    judge = theJudge;
    return () -> {};
  }

  @Override
  public SendingEnd openSender(PeerOptions options) {
    return new End();
  }

  private boolean isHit() {
    boolean isHit = ++count % EVERY == EVERY / 2 && fault != Fault.NONE;
    faults += isHit ? 1 : 0;
    return isHit;
  }

  private void spoil(MemorySegment one) {
    long at = one.byteSize() - 1;
    one.set(ValueLayout.JAVA_BYTE, at, (byte) (one.get(ValueLayout.JAVA_BYTE, at) ^ 1));
  }

  private void take() {
    judge.take(message, 0, message.byteSize());
  }

  private final class End implements SendingEnd {
    @Override
    public void send(long stamp) {
      boolean isHit = isHit();
      views.write(stamp, message, 0);
      if (isHit && fault == Fault.CORRUPT) {
        spoil(message);
      }
      if (!(isHit && fault == Fault.DROP)) {
        take();
      }
      if (isHit && fault == Fault.REPEAT) {
        take();
      }
    }

    /** The request arrives well; of an answer that is dropped the one before is seen again. */
    @Override
    public boolean request(long stamp) {
      boolean isHit = isHit();
      views.write(stamp, message, 0);
      take();
      if (!isHit || fault == Fault.CORRUPT) {
        answer.copyFrom(message);
      }
      if (isHit && fault == Fault.CORRUPT) {
        spoil(answer);
      }
      return answers.isAnswer(stamp, answer, 0, answer.byteSize());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
