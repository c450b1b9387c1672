// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.mpi.device.Layout;
import java.util.IdentityHashMap;
import java.util.Map;

/** A rank over the device; if it is rank 1, an element that it gets is wrong, once. */
final class FaultyTimes implements Ranks<Layout> {

  private static final int WHEN =
      9; // there are eleven at least, one to warm up and two rounds of five

  private final Ranks<Layout> right;
  private final Map<Layout, Content> contents = new IdentityHashMap<>();
  private int count;

  private FaultyTimes(Ranks<Layout> right) {
    this.right = right;
  }

  public static void main(String[] arguments) {
    DeviceTimes.run(FaultyTimes::new);
  }

  private void corrupt(Content content) {
    if (right.self() == 1 && content.isDoubles() && ++count == WHEN) {
      content.doubles()[content.count() - 1] += 1;
    }
  }

  @Override
  public int self() {
    return right.self();
  }

  @Override
  public int count() {
    return right.count();
  }

  @Override
  public boolean hasMessage(int tag) throws Exception {
    return right.hasMessage(tag);
  }

  @Override
  public Layout memory(Content content) {
    Layout memory = right.memory(content);
    contents.put(memory, content);
    return memory;
  }

  @Override
  public void send(Layout from, int to, int tag) throws Exception {
    right.send(from, to, tag);
  }

  @Override
  public void receive(Layout into, int from, int tag) throws Exception {
    right.receive(into, from, tag);
    if (from == 0 && tag == Rounds.DATA) {
      corrupt(contents.get(into));
    }
  }

  @Override
  public Call call(Operation operation, Content from, Content into) {
    Call call = right.call(operation, from, into);
    return operation == Operation.BARRIER
        ? call
        : root -> {
          call.make(root);
          corrupt(into);
        };
  }
}
