// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.launch.Job;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices of the ranks of a job, as verbena-run starts them. */
@Tag("timing")
class LaunchedDeviceTest {

  @TempDir private Path folder;

  /**
   * One of four ranks. The last one has spoken with its neighbours alone when it kills itself. No
   * node takes another for dead by itself in less than ten minutes.
   */
  static final class Rank {
    private Rank() {}

    public static void main(String[] arguments) throws Exception {
      NodeConfig.Builder config = NodeConfig.builder().types(Device.types());
      config.set("connect.timeout", "10m").set("link.timeout", "50m");
      try (Job job = Job.open()) {
        Node node = job.build(config);
        Device device = Device.attach(node, job, DeviceOptions.DEFAULTS);
        job.start(node);
        ring(device);
        if (job.rank() == job.size() - 1) {
          kill();
        }
        mourn(device);
        device.close();
        node.close();
      }
    }

    private static void ring(Device device) throws InterruptedException {
      int size = device.size();
      Context all = Context.ofAll(0, size);
      byte[] from = new byte[1];
      SendRequest send =
          device.isend(all, (device.rank() + 1) % size, 0, Ranks.bytes(device.rank()));
      device.recv(all, (device.rank() + size - 1) % size, 0, Ranks.room(from));
      device.await(send);
      System.out.println("rank " + device.rank() + " has heard of rank " + from[0]);
    }

    private static void kill() throws Exception {
      new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
      new CountDownLatch(1).await();
    }

    private static void mourn(Device device) throws InterruptedException {
      Context all = Context.ofAll(0, device.size());
      int source = device.rank() == 1 ? device.size() - 1 : Device.ANY_SOURCE;
      try {
        device.recv(all, source, 1, Layout.empty());
      } catch (RankLostException e) {
        System.out.println("rank " + device.rank() + " hears: " + e.getMessage());
      }
    }
  }

  @Test
  void allHearAtOnceOfARankThatWasKilledAlsoWhoHasNotSpokenWithIt() throws Exception {
    Launched run = Launched.run(folder, Map.of(), List.of("--go-on", "-n", "4"), Rank.class);
    List<String> lines = run.lines();
    assertThat(run.status()).as("%s", lines).isEqualTo(128 + 9);
    for (int rank = 0; rank < 4; rank++) {
      assertThat(lines).contains("rank %d has heard of rank %d".formatted(rank, (rank + 3) % 4));
    }
    for (int rank = 0; rank < 3; rank++) {
      String begin = "rank %d hears: rank 3 on 127.0.0.1 is lost: ".formatted(rank);
      assertThat(lines).anyMatch(line -> line.startsWith(begin) && line.contains("137"));
    }
  }
}
