// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Makes rounds of calls as rank 0 is told by its standard input, and tells what they took. In
 * between ranks sleep: whoever is measured meanwhile has the processors.
 *
 * <p>What is wrong ends the rank with status 1, and says so on standard error.
 *
 * @param <M> memory of calls
 */
final class Rounds<M> {

  private static final String MARK = "@verbena "; // as ParentProcess has it
  private static final int ORDER = 1;
  private static final int ORDER_BYTES = 3 * Double.BYTES;
  static final int DATA = 2;
  private static final int END = -1;
  private static final long SLEEP_MS = 10;

  private final Ranks<M> ranks;
  private final Content order = Content.ofBytes(ORDER_BYTES);
  private final M orderMemory;
  private long[] takenNs = {};

  private Rounds(Ranks<M> ranks) {
    this.ranks = ranks;
    this.orderMemory = ranks.memory(order);
  }

  /** Makes rounds until there are no more orders. */
  static <M> void run(Ranks<M> ranks) throws Exception {
    Rounds<M> rounds = new Rounds<>(ranks);
    if (ranks.self() == 0) {
      rounds.lead();
    } else {
      rounds.follow();
    }
  }

  private void lead() throws Exception {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    say("ready");
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      Operation operation = Operation.parse(value(line, "operation"));
      int size = Integer.parseInt(value(line, "size"));
      int calls = Integer.parseInt(value(line, "calls"));
      pass(operation.ordinal(), size, calls);
      make(operation, size, calls);
      say(report(calls));
    }
    pass(END, 0, 0);
  }

  private static String value(String line, String name) {
    for (String word : line.split("\t", -1)) {
      if (word.startsWith(name + "=")) {
        return word.substring(name.length() + 1);
      }
    }
    throw new IllegalArgumentException("the order lacks " + name + ": " + line);
  }

  private static void say(String line) {
    System.out.println(MARK + line);
    System.out.flush();
  }

  private String report(int calls) {
    long sumNs = 0;
    for (int i = 0; i < calls; i++) {
      sumNs += takenNs[i];
    }
    Arrays.sort(takenNs, 0, calls);
    return String.format(
        Locale.ROOT,
        "round\tmean=%d\tp50=%d\tp999=%d",
        sumNs / calls,
        takenNs[calls / 2],
        takenNs[(int) (calls * 999L / 1000)]);
  }

  private void pass(int... numbers) throws Exception {
    for (int i = 0; i < numbers.length; i++) {
      order.doubles()[i] = numbers[i];
    }
    for (int rank = 1; rank < ranks.count(); rank++) {
      ranks.send(orderMemory, rank, ORDER);
    }
  }

  private void follow() throws Exception {
    while (true) {
      while (!ranks.hasMessage(ORDER)) {
        Thread.sleep(SLEEP_MS);
      }
      ranks.receive(orderMemory, 0, ORDER);
      int operation = (int) order.doubles()[0];
      if (operation == END) {
        return;
      }
      make(Operation.values()[operation], (int) order.doubles()[1], (int) order.doubles()[2]);
    }
  }

  private void make(Operation operation, int size, int calls) throws Exception {
    if (takenNs.length < calls) {
      takenNs = new long[calls];
    }
    try {
      if (operation != Operation.PING_PONG) {
        callAll(operation, size, calls);
      } else if (ranks.self() == 0) {
        ask(size, calls);
      } else {
        answer(size, calls);
      }
    } catch (IllegalStateException e) {
      String what = operation.text() + " of " + size + " bytes, rank " + ranks.self();
      throw new IllegalStateException("wrong answer: " + what + ": " + e.getMessage(), e);
    }
  }

  /** Messages are of two contents in turn: what is left of an answer is no answer to the next. */
  private void ask(int size, int calls) throws Exception {
    Content[] out = {Content.ofBytes(size).filled(false), Content.ofBytes(size).filled(true)};
    Content in = Content.ofBytes(size);
    M into = ranks.memory(in);
    M even = ranks.memory(out[0]);
    M odd = ranks.memory(out[1]);
    await();
    for (int i = 0; i < calls; i++) {
      Content sent = out[i % 2];
      M from = i % 2 == 0 ? even : odd;
      sent.stamp(i);
      long sinceNs = System.nanoTime();
      ranks.send(from, 1, DATA);
      ranks.receive(into, 1, DATA);
      takenNs[i] = System.nanoTime() - sinceNs;
      in.check(sent);
    }
  }

  private void answer(int size, int calls) throws Exception {
    M memory = ranks.memory(Content.ofBytes(size));
    tellAwake();
    for (int i = 0; i < calls; i++) {
      ranks.receive(memory, 0, DATA);
      ranks.send(memory, 0, DATA);
    }
  }

  /** The other one has slept. */
  private void await() throws Exception {
    ranks.receive(ranks.memory(Content.ofBytes(0)), 1, ORDER);
  }

  private void tellAwake() throws Exception {
    ranks.send(ranks.memory(Content.ofBytes(0)), 0, ORDER);
  }

  private void callAll(Operation operation, int size, int calls) throws Exception {
    int count = ranks.count();
    Content from = Content.ofBytes(operation.bytesFrom(size, count));
    Content into =
        operation == Operation.BCAST ? from : Content.ofBytes(operation.bytesInto(size, count));
    Expectation expectation = new Expectation(operation, size, ranks.self(), count, from, into);
    Ranks.Call call = ranks.call(operation, from, into);
    Ranks.Call barrier = ranks.call(Operation.BARRIER, order, order);
    barrier.make(0); // the others have slept
    for (int i = 0; i < calls; i++) {
      boolean isWhole = i == 0 || i == calls - 1;
      before(expectation, i, isWhole, size);
      long sinceNs = System.nanoTime();
      call.make(expectation.root(i));
      takenNs[i] = System.nanoTime() - sinceNs;
      after(expectation, i, isWhole, size);
    }
    barrier.make(0);
  }

  private static void before(Expectation expectation, int call, boolean isWhole, int size) {
    if (isWhole && size > 0) {
      expectation.make(call);
    } else if (size > 0) {
      expectation.stamp(call);
    }
  }

  private static void after(Expectation expectation, int call, boolean isWhole, int size) {
    if (isWhole && size > 0) {
      expectation.checkAll(call);
    } else if (size > 0) {
      expectation.checkStamps(call);
    }
  }
}
