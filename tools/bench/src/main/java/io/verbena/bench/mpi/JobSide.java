// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.bench.control.Line;
import io.verbena.bench.process.ChildProcess;
import io.verbena.bench.process.CompilerThreads;
import java.time.Duration;

/** A job whose rank 0 takes orders by its standard input ({@link Rounds}). */
final class JobSide implements Side {

  /** Four JVMs on a machine that is busy besides. */
  private static final Duration START_PATIENCE = Duration.ofMinutes(5);

  private static final Duration ROUND_PATIENCE = Duration.ofMinutes(5);

  private final String name;
  private final boolean isJava;
  private final ChildProcess job;

  private JobSide(String name, boolean isJava, ChildProcess job) {
    this.name = name;
    this.isJava = isJava;
    this.job = job;
  }

  /**
   * Starts it and waits until it takes orders.
   *
   * @throws io.verbena.bench.control.BenchException if it does not come to that
   */
  static JobSide start(String name, boolean isJava, ProcessBuilder command)
      throws InterruptedException {
    ChildProcess job = ChildProcess.start(name, command, ChildProcess.Speech.MARKED, unheard -> {});
    JobSide side = new JobSide(name, isJava, job);
    try {
      job.conversation().hear("ready", START_PATIENCE);
      return side;
    } catch (RuntimeException | InterruptedException e) {
      side.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isJava() {
    return isJava;
  }

  @Override
  public double compilerSeconds() {
    return CompilerThreads.cpuSeconds(job.handle());
  }

  @Override
  public boolean does(MpiPlan.Measured what) {
    return true;
  }

  @Override
  public Round measure(MpiPlan.Measured what, int calls) throws InterruptedException {
    job.conversation()
        .tell(
            new Line("round")
                .with("operation", what.operation().text())
                .with("size", what.sizeBytes())
                .with("calls", calls));
    Line told = job.conversation().hear("round", ROUND_PATIENCE);
    return new Round(calls, told.number("mean"), told.number("p50"), told.number("p999"));
  }

  @Override
  public void close() {
    job.close();
  }
}
