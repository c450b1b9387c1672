// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.express;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.launch.Job;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceOptions;
import java.util.ArrayList;
import java.util.List;
import mpjdev.javampjdev.MPJDev;

/**
 * Runs a program for MPJ Express as a rank of a job of ours: {@code verbena-run -n 4 -- java …
 * Express Program argument}. MPJ Express finds the device in place and takes none of its own.
 */
public final class Express {

  private Express() {}

  /** The program's class, then what it is given. */
  public static void main(String[] arguments) throws Exception {
    try (Job job = Job.open()) {
      NodeConfig.Builder config = NodeConfig.builder().types(Device.types());
      try (Node node = job.build(config);
          Device device = Device.attach(node, job, DeviceOptions.ofSystem())) {
        job.start(node);
        MPJDev.dev = new ExpressDevice(device);
        List<String> given = new ArrayList<>(List.of("" + job.rank(), "no file", "verbena"));
        given.addAll(List.of(arguments).subList(1, arguments.length));
        Class.forName(arguments[0])
            .getMethod("main", String[].class)
            .invoke(null, (Object) given.toArray(String[]::new));
      }
    }
  }
}
