// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The side of a {@link ChildProcess} that runs in the child, or of {@link RankProcesses} in a rank,
 * which reads what is told to any of them and heeds what is for itself.
 */
public final class ParentProcess {

  /** Tells lines for the parent from what else is printed. */
  static final String MARK = "@verbena ";

  /** Whom a line is for that all ranks read. */
  static final String RANK = "rank";

  private static final long GRACE_MS = 3_000;

  private ParentProcess() {}

  /**
   * Starts to listen to the parent. When it is gone the conversation ends, and soon after that this
   * process does, whatever it is doing.
   */
  public static LineChannel connect() {
    PrintStream out = System.out;
    LineChannel channel =
        new LineChannel(
            line -> {
              out.println(MARK + line);
              out.flush();
            });
    Thread.ofPlatform().daemon().name("parent-input").start(() -> listen(channel));
    return channel;
  }

  private static void listen(LineChannel channel) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        Line line = Line.parse(text);
        if (!line.has(RANK) || line.text(RANK).equals(System.getenv("VERBENA_JOB_RANK"))) {
          channel.deliver(line);
        }
      }
    } catch (IOException e) {
      // as good as the end of the input
    }
    channel.deliver(LineChannel.END);
    haltSoon();
  }

  private static void haltSoon() {
    try {
      TimeUnit.MILLISECONDS.sleep(GRACE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(3);
  }
}
