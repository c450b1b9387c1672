// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.fabric;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.process.ParentProcess;
import io.verbena.fabric.Access;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.Region;
import java.util.HexFormat;

/** The main class of the process whose memory is worked on. It sleeps. */
public final class FabricTarget {

  static final int NODE = 1;
  static final long BYTES = 16 << 20;

  private FabricTarget() {}

  /** Shares memory until the parent has had enough, or is gone. */
  public static void main(String[] arguments) throws InterruptedException {
    Line task = Line.parse(arguments[0]);
    LineChannel parent = ParentProcess.connect();
    try (Fabric fabric =
            Fabric.builder(NODE).listen("127.0.0.1:0").device(task.text("device")).open();
        Region region = fabric.allocate(BYTES)) {
      byte[] key = region.share(0, BYTES, Access.PUT).toBytes();
      fabric.drive();
      parent.write(
          new Line("ready")
              .with("address", fabric.address())
              .with("key", HexFormat.of().formatHex(key)));
      parent.read();
    }
    System.exit(0);
  }
}
