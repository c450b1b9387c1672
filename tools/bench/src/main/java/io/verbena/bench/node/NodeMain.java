// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.process.ParentProcess;

/**
 * The main class of a node process. Its argument is its {@link NodeTask}; a rank of a job, which
 * has none, is told it first.
 */
public final class NodeMain {

  private NodeMain() {}

  /** Runs the node until the parent has had enough, or is gone. */
  public static void main(String[] arguments) throws InterruptedException {
    LineChannel parent = ParentProcess.connect();
    Line task = arguments.length == 0 ? parent.read() : Line.parse(arguments[0]);
    if (task != LineChannel.END) {
      NodeSession.run(NodeTask.parse(task), parent);
    }
    System.exit(0);
  }
}
