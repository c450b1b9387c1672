// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.node.PeerAddresses;
import io.verbena.bench.process.ChildProcess;
import io.verbena.bench.process.CompilerThreads;
import io.verbena.bench.process.RankProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * The nodes of one run, seen from the process that measures: each in a child or a rank of a job, or
 * all in threads of this process. Their ids are 1, 2, …; reports come in this order.
 */
public final class MeasuredNodes implements AutoCloseable {

  private static final Duration END_PATIENCE = Duration.ofSeconds(5);

  /** One of them: what is said with it, where it lives, and how it is ended. */
  public record Member(Conversation conversation, ProcessHandle process, Runnable end) {}

  private final Duration patience;
  private final List<Member> members = new ArrayList<>();

  private MeasuredNodes(Duration patience) {
    this.patience = patience;
  }

  /**
   * Starts nodes, waits until they are ready, and tells each where the others are.
   *
   * @param tasks of each, in the order of their ids
   * @param where a child for each, or a thread for each
   * @param patience how long is waited for a report
   * @throws BenchException if one does not start; then none is left
   */
  public static MeasuredNodes start(List<Line> tasks, Place where, Duration patience)
      throws InterruptedException {
    MeasuredNodes nodes = new MeasuredNodes(patience);
    try {
      for (Line task : tasks) {
        nodes.members.add(where.start("node " + (nodes.members.size() + 1), task));
      }
      nodes.ask(PeerAddresses.peers(nodes.hearAll(nodes.ids(), "ready", patience)), "acquainted");
      return nodes;
    } catch (RuntimeException | InterruptedException e) {
      nodes.close();
      throw e;
    }
  }

  /** Where nodes live. */
  public interface Place {

    /** Starts a node with a task. */
    Member start(String name, Line task);

    /** Each in a process of its own; the task is the argument of the main class. */
    static Place children(Class<?> mainClass, List<String> jvmOptions) {
      return (name, task) -> {
        ChildProcess child = ChildProcess.start(name, mainClass, jvmOptions, task);
        return new Member(child.conversation(), child.handle(), child::close);
      };
    }

    /** Each a rank of a job; the task is the first it is told. */
    static Place ranks(RankProcesses ranks) {
      Iterator<LineChannel> next = ranks.channels().iterator();
      return (name, task) -> {
        Conversation conversation = new Conversation(name, next.next(), ranks::state);
        conversation.tell(task);
        return new Member(conversation, ranks.launcher(), ranks::close);
      };
    }

    /** Each in a thread of this process that runs a session. */
    static Place threads(BiConsumer<Line, LineChannel> session) {
      return (name, task) -> {
        LineChannel[] ends = LineChannel.pair();
        Runnable body =
            () -> {
              session.accept(task, ends[1]);
              ends[0].deliver(LineChannel.END);
            };
        Thread thread = Thread.ofPlatform().daemon().name(name).start(body);
        return new Member(
            new Conversation(name, ends[0], () -> "ended its conversation"),
            ProcessHandle.current(),
            () -> endThread(thread, ends[1]));
      };
    }
  }

  private static void endThread(Thread thread, LineChannel channel) {
    channel.deliver(LineChannel.END);
    try {
      thread.join(END_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The ids of all. */
  public List<Integer> ids() {
    return IntStream.rangeClosed(1, members.size()).boxed().toList();
  }

  /** Says something to one. */
  public void tell(int id, Line command) {
    member(id).conversation.tell(command);
  }

  /** Says the same to some. */
  public void tell(Collection<Integer> ids, Line command) {
    ids.forEach(id -> tell(id, command));
  }

  /**
   * Waits for a report of each of some.
   *
   * @throws BenchException if one failed, ended, or says nothing in time
   */
  public List<Line> hearAll(List<Integer> ids, String word, Duration patience)
      throws InterruptedException {
    return Conversation.hearAll(
        ids.stream().map(id -> member(id).conversation).toList(), word, patience);
  }

  /** Says something to all, and waits for what all report. */
  public List<Line> ask(Line command, String word) throws InterruptedException {
    return ask(command, word, patience);
  }

  /** The same with another patience. */
  public List<Line> ask(Line command, String word, Duration patience) throws InterruptedException {
    tell(ids(), command);
    return hearAll(ids(), word, patience);
  }

  /** The transport that carries the messages, and why it was chosen. */
  public Line links() throws InterruptedException {
    tell(1, new Line("links"));
    return member(1).conversation.hear("links", patience);
  }

  /** Processor time of the compilers of all node processes so far. */
  public double compilerSeconds() {
    return members.stream()
        .map(Member::process)
        .distinct()
        .mapToDouble(CompilerThreads::cpuSeconds)
        .sum();
  }

  private Member member(int id) {
    return members.get(id - 1);
  }

  @Override
  public void close() {
    // All at once: a node that still flushes needs its peer for that.
    members.parallelStream().forEach(member -> member.end.run());
  }
}
