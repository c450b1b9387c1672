// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Intracommunicator;
import io.verbena.mpi.device.Layout;
import java.util.Arrays;
import mpi.ObjectCollectives.Part;
import org.jspecify.annotations.Nullable;

/** The collective calls that reduce (MPI 4.1, sections 6.9 to 6.11), with one operation. */
record GlobalReductions(Intracommunicator members, Op op) {

  private ObjectCollectives objects() {
    return new ObjectCollectives(members);
  }

  private OpReduction reduction(Side of) {
    return new OpReduction(op, of.type());
  }

  /**
   * Reduces to the root.
   *
   * @param into at the root, else null
   */
  void reduce(Side from, @Nullable Side into, int root) throws InterruptedException {
    if (from.type().isOfObjects()) {
      Part result = into == null ? null : into.part();
      objects().reduce(from.part(), result, op, root);
      return;
    }
    Layout result = into == null ? null : into.layout();
    members.reduce(sent(from, into), result, reduction(from), root);
  }

  void allreduce(Side from, Side into) throws InterruptedException {
    if (from.type().isOfObjects()) {
      objects().allreduce(from.part(), into.part(), op);
    } else {
      members.allreduce(sent(from, into), into.layout(), reduction(from));
    }
  }

  void scan(Side from, Side into) throws InterruptedException {
    if (from.type().isOfObjects()) {
      objects().scan(from.part(), into.part(), op);
    } else {
      members.scan(sent(from, into), into.layout(), reduction(from));
    }
  }

  void reduceScatter(Side from, int[] counts, Side into) throws InterruptedException {
    if (from.type().isOfObjects()) {
      int before = Arrays.stream(counts, 0, members.rank()).sum() * from.type().Size();
      objects().reduceScatter(from.part(), before, into.part(), op);
    } else {
      members.reduceScatter(from.layout(), counts, into.layout(), reduction(from));
    }
  }

  /** Null where it lies in place of the result already. */
  private static @Nullable Layout sent(Side from, @Nullable Side into) {
    Layout mine = from.layout();
    return into != null && from.isAt(into) ? null : mine;
  }
}
