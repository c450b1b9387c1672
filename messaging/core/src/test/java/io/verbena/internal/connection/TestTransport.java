// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Dials by doing what a test says. */
class TestTransport implements Transport {

  /** What happens on the dialling thread. */
  @FunctionalInterface
  interface Dial {
    void run() throws IOException;
  }

  private record Attempt(Dial dial, CompletableFuture<Void> end) {}

  private final AtomicReference<@Nullable Attempt> next = new AtomicReference<>();

  /** Has the connection dial; returns or throws what became of it. */
  void dial(Connection by, Dial dial) throws Exception {
    Attempt attempt = new Attempt(dial, new CompletableFuture<>());
    next.set(attempt);
    TestHost.Note note = new TestHost.Note(1);
    by.trySend(
        by.host().types().codecOf(note.getClass()), note); // dials, unless that goes on already
    attempt.end.get(3, TimeUnit.MINUTES);
  }

  @Override
  public String name() {
    return "test";
  }

  @Override
  public boolean canReach(int peer, String address) {
    return true;
  }

  @Override
  public void connect(int peer, String address, Duration timeout) throws IOException {
    Attempt attempt = next.getAndSet(null);
    if (attempt == null) {
      throw new IOException("no dial is wanted");
    }
    try {
      attempt.dial.run();
      attempt.end.complete(null);
    } catch (Throwable e) { // what the test asserts, too
      attempt.end.completeExceptionally(e);
      throw e;
    }
  }

  @Override
  public LaneMemory allocate(int peer, int laneId, long capacity) {
    return new LaneMemory(Arena.ofAuto().allocate(LaneMemory.DATA_OFFSET + capacity, 64), () -> {});
  }

  @Override
  public boolean readsInPlace() {
    return true;
  }

  @Override
  public ProgressLoop progress() {
    throw new UnsupportedOperationException("nothing is received");
  }

  @Override
  public void close() {}
}
