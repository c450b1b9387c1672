// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbena.internal.codec.InboundOrigin;
import io.verbena.internal.codec.MessageSink;
import io.verbena.internal.connection.SinkTable;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two threads register handlers at once: both types have theirs. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both are registered")
@Outcome(expect = FORBIDDEN, desc = "one was lost")
@State
public class SinkRegistration {
  private final SinkTable table = new SinkTable();

  private static final class Nowhere extends MessageSink {
    @Override
    public void accept(MemorySegment segment, long offset, int length, InboundOrigin origin) {}
  }

  @Actor
  public void first() {
    table.put(1, new Nowhere());
  }

  @Actor
  public void second() {
    table.put(2, new Nowhere());
  }

  @Arbiter
  public void outcome(ZZ_Result result) {
    MessageSink[] sinks = table.current();
    result.r1 = sinks.length > 1 && sinks[1] != null;
    result.r2 = sinks.length > 2 && sinks[2] != null;
  }
}
