// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.bench.control.Line;
import io.verbena.bench.process.ParentProcess;

/** The main class of a node process: its argument is its {@link BfsTask}. */
public final class BfsMain {

  private BfsMain() {}

  /** Runs the node until the parent has had enough, or is gone. */
  public static void main(String[] arguments) {
    BfsTask task = BfsTask.parse(Line.parse(arguments[0]));
    BfsSession.run(task, ParentProcess.connect());
    System.exit(0);
  }
}
