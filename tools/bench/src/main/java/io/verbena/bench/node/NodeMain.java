// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.bench.control.Line;
import io.verbena.bench.process.ParentProcess;

/** The main class of a node process: its argument is its {@link NodeTask}. */
public final class NodeMain {

  private NodeMain() {}

  /** Runs the node until the parent has had enough, or is gone. */
  public static void main(String[] arguments) {
    NodeTask task = NodeTask.parse(Line.parse(arguments[0]));
    NodeSession.run(task, ParentProcess.connect());
    System.exit(0);
  }
}
