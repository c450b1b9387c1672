// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import io.verbena.transport.replica.PacedWriter.RoundHost;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Writes nothing, and counts how often it was asked to. */
final class StillWriter extends PacedWriter {

  private final Loop loop;

  /** How often. */
  int writes;

  /** Thrown by the next write. */
  @Nullable RuntimeException failure;

  StillWriter() {
    this(new Loop());
  }

  /** Another one of the same loop. */
  StillWriter neighbour() {
    return new StillWriter(loop);
  }

  private StillWriter(Loop loop) {
    super(loop);
    this.loop = loop;
  }

  /** One round of the loop, in which handlers publish. */
  void round(Runnable handlers) {
    loop.inRound = true;
    handlers.run();
    loop.inRound = false;
    loop.ends.roundEnds();
  }

  /** The node's clock looks at what was left to the loop. */
  void clockLooks() {
    loop.looks.removeIf(look -> !look.getAsBoolean());
  }

  @Override
  public void write() {
    writes++;
    RuntimeException toThrow = failure;
    failure = null;
    if (toThrow != null) {
      throw toThrow;
    }
  }

  @Override
  protected long written() {
    return 0;
  }

  @Override
  public boolean isBlocked() {
    return false;
  }

  @Override
  public boolean isShut() {
    return false;
  }

  @Override
  public void controlIsDue() {}

  @Override
  protected void reportsCanWait() {}

  @Override
  protected void resume(ReplicaOutlet of, long position) throws BadSegmentException {
    of.resume(position);
  }

  @Override
  protected void finish(ReplicaOutlet of) {
    of.letGo();
  }

  @Override
  protected void remove(ReplicaOutlet of) {}

  private static final class Loop implements RoundHost {

    private final RoundEnds ends = new RoundEnds();
    private final List<BooleanSupplier> looks = new ArrayList<>();
    private boolean inRound;

    @Override
    public boolean isInRound() {
      return inRound;
    }

    @Override
    public void lookSoon(BooleanSupplier look) {
      looks.add(look);
    }

    @Override
    public void burstBegan(PacedWriter writer) {}

    @Override
    public void tellOfRoundEnd(PacedWriter writer) {
      ends.tell(writer);
    }
  }
}
