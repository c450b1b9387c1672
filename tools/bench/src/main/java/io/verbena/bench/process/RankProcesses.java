// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * JVMs that are the ranks of one job, on the hosts of a file in turn, each spoken with in {@link
 * Line lines} as a {@link ChildProcess} is. {@code verbena-run} sees to it that none is left,
 * however this process ends.
 *
 * <p>All ranks read all that is told, and each heeds what is for itself. What they say comes behind
 * their numbers.
 */
public final class RankProcesses implements AutoCloseable {

  /** What ranks say, and what is told to one: both name it. */
  private static final class Speech implements ChildProcess.Speech {

    private static final Pattern REPORT =
        Pattern.compile("\\[(\\d+)\\] " + Pattern.quote(ParentProcess.MARK) + "(.*)");

    @Override
    public boolean isReport(String text) {
      return REPORT.matcher(text).matches();
    }

    @Override
    public Line read(String text) {
      Matcher report = REPORT.matcher(text);
      if (!report.matches()) {
        throw new IllegalArgumentException("no report: " + text);
      }
      return Line.parse(report.group(2)).with(ParentProcess.RANK, report.group(1));
    }

    @Override
    public String written(Line line) {
      return line.toString();
    }
  }

  private final ChildProcess launcher;
  private final List<LineChannel> channels;

  private RankProcesses(ChildProcess launcher, int ranks) {
    this.launcher = launcher;
    this.channels = IntStream.range(0, ranks).mapToObj(this::channel).toList();
  }

  /**
   * Starts them.
   *
   * @param hosts a file as {@code verbena-run --hosts} reads it
   * @param jvmOptions of each rank
   * @throws BenchException if there is no launcher
   */
  public static RankProcesses start(
      Path hosts, int ranks, Class<?> mainClass, List<String> jvmOptions) {
    List<String> command = new ArrayList<>(List.of(RankLauncher.path().toString()));
    command.addAll(List.of("-n", Integer.toString(ranks), "--hosts", hosts.toString()));
    command.addAll(List.of("--map", "by-host", "--input", "all", "--output", "tagged", "--"));
    command.addAll(JavaCommand.ofThisJvm(mainClass, jvmOptions));
    ChildProcess launcher =
        ChildProcess.start("the job", new ProcessBuilder(command), new Speech());
    RankProcesses started = new RankProcesses(launcher, ranks);
    Thread.ofPlatform().daemon().name("job-reports").start(started::deliver);
    return started;
  }

  private LineChannel channel(int rank) {
    return new LineChannel(
        line ->
            launcher.channel().write(Line.parse(line.toString()).with(ParentProcess.RANK, rank)));
  }

  private void deliver() {
    try {
      for (Line line = launcher.channel().read();
          line != LineChannel.END;
          line = launcher.channel().read()) {
        int rank = (int) line.number(ParentProcess.RANK);
        if (rank < channels.size()) {
          channels.get(rank).deliver(line);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      channels.forEach(channel -> channel.deliver(LineChannel.END));
    }
  }

  /** What is told to each rank and what it says. */
  public List<LineChannel> channels() {
    return channels;
  }

  /** How the job has ended, or that it has not. */
  public String state() {
    return "is a rank of a job, which " + launcher.state();
  }

  /** The process of this host that has started all. */
  public ProcessHandle launcher() {
    return launcher.handle();
  }

  /** Ends all; idempotent. */
  @Override
  public synchronized void close() {
    launcher.close();
  }
}
