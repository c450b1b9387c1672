// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("timing")
@Timeout(600)
class CommandLineTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "| Say what to do",
        "bench | Say what to measure",
        "fly | unknown command 'fly'",
        "bench throughput --size 5x | size '5x': expected bytes such as 64, 64K or 1M",
        "bench throughput --size 2G | size '2G': expected 1 byte to 16M",
        "bench idle --threads 2 | --threads",
        "bench idle --path view | --path",
        "bench throughput --size 64,0 | size '0'",
        "bench throughput --nodes two | 'two' is not an int",
        "bench throughput --nodes 1 | nodes = 1: expected 2 to 64",
        "bench throughput --transport pigeon | transport 'pigeon': expected one of auto",
        "bench throughput --direction up | 'up'",
        "bench throughput --handlers pool:none | pool:none",
        "bench throughput --messages 5 --seconds 1 | mutually exclusive",
        "bench throughput --seconds -1 | needs messages or seconds",
        "bench throughput --path view --sender shared | --sender exclusive",
        "bench throughput --set lane.byte=1M | lane.byte",
        "bench throughput --set lane.bytes=1T | lane.bytes",
        "bench throughput --device mlx5_0 | --device mlx5_0 is for transport rdma, and this is auto",
        "bench latency --size 4 | --size 8",
        "bench latency --path view | --path record",
        "bench idle --messages 5 | --messages",
        "bench idle --seconds 0 | needs messages or seconds",
        "bench load | --rate",
        "bench load --rate fast | rate 'fast': expected a number a second such as 5000, 100k or 1M",
        "bench load --rate 20M | a rate of 1 to 10M requests",
        "bench matrix --size 64 | --size",
        "bench matrix --transport pigeon | transport 'pigeon': expected one of auto",
        "bench matrix --transport all --device softnic | add --transport rdma",
        "bench matrix --transport all --json /no/folder/x.json | no folder /no/folder",
        "bench matrix --transport all --set foo=1 | --set foo: unknown key 'foo'; ",
        "bench matrix --plot /no/folder/x.png | no folder /no/folder",
        "bench matrix --rate fast | rate 'fast': expected a number a second",
        "bench matrix --rate 20M | rate '20M': expected 1 to 10M requests a second",
        "bench throughput --transport all | transport 'all': expected one of auto",
        "bench fabric --pairs 0 | --pairs 0: expected 1 to 1000",
        "bench fabric --json /no/folder/x.json | no folder /no/folder",
        "bench fabric --mtcl /tmp | --mtcl",
        "bench channel --pairs 1001 | --pairs 1001: expected 1 to 1000",
        "bench mpi --pairs 0 | --pairs 0: expected 1 to 1000",
        "bench mpi --transport udp | transport 'udp': expected shm, tcp or rdma",
        "bench mpi --operation sing | operation 'sing': expected one of ping-pong",
        "bench mpi --operation bcast --size 12 | choose a multiple of 8",
        "bench channel --plot /no/folder/x.png | no folder /no/folder",
        "bench raw --repeat 0 | --repeat 0",
        "bench raw --json /no/folder/x.json | no folder /no/folder",
        "bench bfs --scale 40 | scale = 40: expected 4 to 26",
        "bench bfs --roots 0 | roots = 0",
        "bench bfs --device mlx5_0 | --device mlx5_0 is for transport rdma",
        "bench bfs --size 64 | --size",
        "bench bfs --set foo=1 | --set foo: unknown key 'foo'; ",
        "compare --peers nobody | peer 'nobody': expected aeron, grpc",
        "compare --systems nothing | system 'nothing': expected verbena-shm",
        "compare --workload idle | throughput and latency",
        "compare --size 3 | no record has a body of just 3 bytes",
        "compare --size 0 | size '0'",
        "compare --seconds 0 | more than 0",
        "compare --warmup -1 | a warm-up takes",
        "compare --repeat 0 | repeat = 0: expected 1 to 100",
        "compare --minutes 0 | more than 0 minutes",
        "compare --json /no/folder/x.json | no folder /no/folder",
        "compare --plot /no/folder/x.png | no folder /no/folder",
        "compare --json /tmp | cannot write /tmp: it is a folder",
        "compare --plot pom.xml | cannot draw into pom.xml: it is a file",
        "demo --transport loopback | within one process, and these are several: expected one of auto, rdma, shm, tcp",
        "demo --transport pigeon | transport 'pigeon': expected one of auto, rdma, shm, tcp",
        "demo --transport tcp --device softnic | --device softnic is for transport rdma, and this is tcp",
        "demo --seconds 0 | --seconds 0.0: expected more than 0, and at most 3600",
        "demo --seconds NaN | --seconds NaN: expected more than 0",
        "bench throughput --json /no/folder/x.json | no folder /no/folder",
        "devices --gid-index -1 | GID index -1",
        "devices --gid-index 300 | GID index 300: expected 0 to 255",
        "devices --pkey default | 'default': expected a number such as 0x8001",
        "devices --family ipx | ipx",
        "devices softnic | softnic",
        "doctor extra | unknown argument 'extra'"
      })
  void wrongArgumentsAreRefusedByName(String arguments, String reason) {
    int status = run(arguments == null ? new String[0] : arguments.strip().split(" "));
    assertThat(err.toString()).startsWith("verbena: ").contains(reason).contains("--help");
    assertThat(status).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void versionAndHelpWork() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("verbena ").doesNotContain("null").doesNotContain("$");
    assertThat(run("bench", "throughput", "--help")).isZero();
    assertThat(out.toString()).contains("--warmup").contains("--json");
  }

  @Test
  void benchPrintsATableAndWritesJson(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("result.json");
    int status =
        run(
            "bench",
            "throughput",
            "--transport",
            "loopback",
            "--messages",
            "1000",
            "--warmup",
            "0",
            "--repeat",
            "1",
            "--size",
            "64,1K",
            "--json",
            json.toString());
    assertThat(err.toString()).isEmpty();
    assertThat(status).isZero();
    assertThat(out.toString()).contains("throughput over loopback").contains("arrived once, whole");
    assertThat(Files.readString(json))
        .contains("\"command\" : \"verbena bench throughput --transport loopback")
        .contains("\"size_bytes\" : 1024");
  }

  @Test
  void failuresHaveStatusOne() {
    int status = run("demo", "/no/such/file");
    assertThat(status).isEqualTo(1);
    assertThat(err.toString()).contains("cannot read /no/such/file");
  }

  @Test
  void doctorLooksAtWhatMatters() {
    int status = run("doctor");
    assertThat(err.toString()).isEmpty();
    assertThat(status).isZero();
    assertThat(out.toString())
        .contains("JDK", "/dev/shm", "huge pages", "kernel verbs devices", "verbs device ")
        .contains("mapped memory", "memory maps", "kernel modules")
        .containsPattern("transport rdma +ok +usable"); // softnic needs no hardware
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
