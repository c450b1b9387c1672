// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Data;
import io.verbena.mpi.Intracommunicator;
import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.device.Layout;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Objects in collective calls: first the lengths of their messages, then these. Who cannot make a
 * message of its objects takes part with an empty one, which no message of objects is: so nobody
 * waits in vain, and those that should have got it are told.
 */
final class ObjectCollectives {

  private static final int MOST_BYTES = Integer.MAX_VALUE - 16;

  private final Intracommunicator members;

  ObjectCollectives(Intracommunicator members) {
    this.members = members;
  }

  /** Part of a buffer with objects. */
  record Part(@Nullable Object buffer, int offset, int count, Datatype type) {

    ObjectMessage message() {
      return ObjectMessage.of(buffer, offset, count, type);
    }

    /** Puts in what member {@code of} has sent. */
    void put(byte[] message, int of) {
      ObjectSink.put(read(message, of), buffer, offset, count, type);
    }

    void put(@Nullable Object... objects) {
      ObjectSink.put(objects, buffer, offset, count, type);
    }

    /** Whether it lies in the buffer. */
    Part checked() {
      Object[] unused = ObjectMessage.array(buffer, offset, count, type);
      return this;
    }
  }

  private static @Nullable Object[] read(byte[] message, int of) {
    MPIException.check(message.length > 0, "rank %d could not serialize its objects", of);
    return ObjectMessage.read(message, 0, message.length, MPI.objects());
  }

  /** A message, or why there is none. */
  private static final class Outgoing {

    private Layout message = Layout.empty();
    private @Nullable MPIException failure;

    Outgoing(Part part) {
      try {
        message = part.message().layout();
        MPIException.check(
            message.bytes() <= MOST_BYTES,
            "objects of %d bytes; %d is most",
            message.bytes(),
            MOST_BYTES);
      } catch (MPIException e) {
        message = Layout.empty();
        failure = e;
      }
    }

    long bytes() {
      return message.bytes();
    }

    void check() {
      if (failure != null) {
        throw failure;
      }
    }
  }

  // ---------------------------------------------------------------- calls

  void bcast(Part part, int root) throws InterruptedException {
    boolean isRoot = members.rank() == root;
    Outgoing out = isRoot ? new Outgoing(part) : null;
    long[] length = {out == null ? 0 : out.bytes()};
    members.bcast(Data.of(length), root);
    byte[] message = out == null ? new byte[(int) length[0]] : new byte[0];
    members.bcast(out == null ? Data.of(message) : out.message, root);
    if (out == null) {
      part.put(message, root);
    } else {
      out.check();
    }
  }

  /**
   * @param parts where the objects of each go, at the root
   */
  void gather(Part mine, IntFunction<Part> parts, int root) throws InterruptedException {
    Outgoing out = new Outgoing(mine);
    boolean isRoot = members.rank() == root;
    long[] lengths = new long[isRoot ? members.size() : 0];
    members.gather(Data.of(out.bytes()), isRoot ? numbers(lengths) : null, root);
    byte[][] messages = arrays(lengths);
    members.gatherv(out.message, isRoot ? blocks(messages) : null, root);
    out.check();
    put(messages, parts);
  }

  void scatter(IntFunction<Part> parts, Part mine, int root) throws InterruptedException {
    boolean isRoot = members.rank() == root;
    Outgoing[] out = outgoing(isRoot ? members.size() : 0, parts);
    long[] length = new long[1];
    members.scatter(isRoot ? numbers(lengths(out)) : null, Data.of(length), root);
    byte[] message = new byte[(int) length[0]];
    members.scatterv(isRoot ? blocks(out) : null, Data.of(message), root);
    check(out);
    mine.put(message, root);
  }

  void allgather(Part mine, IntFunction<Part> parts) throws InterruptedException {
    put(allgather(mine), parts);
  }

  private byte[][] allgather(Part mine) throws InterruptedException {
    Outgoing out = new Outgoing(mine);
    long[] lengths = new long[members.size()];
    members.allgather(Data.of(out.bytes()), numbers(lengths));
    byte[][] messages = arrays(lengths);
    members.allgather(out.message, blocks(messages));
    out.check();
    return messages;
  }

  void alltoall(IntFunction<Part> from, IntFunction<Part> into) throws InterruptedException {
    Outgoing[] out = outgoing(members.size(), from);
    long[] lengths = new long[members.size()];
    members.alltoall(numbers(lengths(out)), numbers(lengths));
    byte[][] messages = arrays(lengths);
    members.alltoallv(blocks(out), blocks(messages));
    check(out);
    put(messages, into);
  }

  // ---------------------------------------------------------------- reductions

  /** All objects go to the root, which reduces them in the order of ranks. */
  void reduce(Part from, @Nullable Part into, Op op, int root) throws InterruptedException {
    Outgoing out = new Outgoing(from);
    boolean isRoot = members.rank() == root;
    long[] lengths = new long[isRoot ? members.size() : 0];
    members.gather(Data.of(out.bytes()), isRoot ? numbers(lengths) : null, root);
    byte[][] messages = arrays(lengths);
    members.gatherv(out.message, isRoot ? blocks(messages) : null, root);
    out.check();
    if (into != null) {
      into.put(reduced(messages, members.size(), from, op));
    }
  }

  /** All objects go to all, and each reduces them. */
  void allreduce(Part from, Part into, Op op) throws InterruptedException {
    into.put(reduced(allgather(from), members.size(), from, op));
  }

  /** The same for what the members up to this one have. */
  void scan(Part from, Part into, Op op) throws InterruptedException {
    into.put(reduced(allgather(from), members.rank() + 1, from, op));
  }

  /**
   * The same, of which each takes a part.
   *
   * @param first where this member's part begins in the result, in objects
   */
  void reduceScatter(Part from, int first, Part into, Op op) throws InterruptedException {
    Object[] all = reduced(allgather(from), members.size(), from, op);
    int size = (int) into.type().map.size() * into.count();
    into.put(Arrays.copyOfRange(all, first, first + size));
  }

  /** The objects of members 0 to {@code end - 1} as one, in the order of the message. */
  private static @Nullable Object[] reduced(byte[][] messages, int end, Part like, Op op) {
    Object[] inout = laidOut(messages, end - 1, like);
    for (int member = end - 2; member >= 0; member--) {
      int before = before(like);
      op.apply(laidOut(messages, member, like), before, inout, before, like.count(), like.type());
    }
    int[] places = like.type().map.elements(before(like), like.count());
    return Arrays.stream(places).mapToObj(place -> inout[place]).toArray();
  }

  /** The objects of a member in an array, as the datatype lays them out. */
  private static @Nullable Object[] laidOut(byte[][] messages, int member, Part like) {
    Object[] objects = read(messages[member], member);
    int[] places = like.type().map.elements(before(like), like.count());
    int length = 1 + Arrays.stream(places).max().orElse(-1);
    Object[] array = new Object[length];
    ObjectSink.put(objects, array, before(like), like.count(), like.type());
    return array;
  }

  private static int before(Part like) {
    int[] places = like.type().map.elements(0, like.count());
    return -Math.min(0, Arrays.stream(places).min().orElse(0));
  }

  // ---------------------------------------------------------------- many messages

  private static Outgoing[] outgoing(int count, IntFunction<Part> parts) {
    Outgoing[] out = new Outgoing[count];
    Arrays.setAll(out, member -> new Outgoing(parts.apply(member)));
    return out;
  }

  private static void check(Outgoing[] all) {
    for (Outgoing each : all) {
      each.check();
    }
  }

  private static long[] lengths(Outgoing[] of) {
    return Arrays.stream(of).mapToLong(Outgoing::bytes).toArray();
  }

  private static byte[][] arrays(long[] lengths) {
    return Arrays.stream(lengths).mapToObj(length -> new byte[(int) length]).toArray(byte[][]::new);
  }

  private static Blocks numbers(long[] one) {
    Layout[] each = new Layout[one.length];
    Arrays.setAll(each, i -> Data.section(one, i, 1));
    return Blocks.of(each);
  }

  private static Blocks blocks(byte[][] messages) {
    return Blocks.of(Arrays.stream(messages).map(Data::of).toArray(Layout[]::new));
  }

  private static Blocks blocks(Outgoing[] out) {
    return Blocks.of(Arrays.stream(out).map(each -> each.message).toArray(Layout[]::new));
  }

  private static void put(byte[][] messages, IntFunction<Part> parts) {
    for (int member = 0; member < messages.length; member++) {
      parts.apply(member).put(messages[member], member);
    }
  }
}
