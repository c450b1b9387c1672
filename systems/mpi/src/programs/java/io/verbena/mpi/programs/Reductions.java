// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.User_function;

/** The collectives that compute, with every operation on every type that it is defined for. */
final class Reductions extends Program {

  private static final List<String> ORDERED =
      List.of("byte", "char", "short", "int", "long", "float", "double");
  private static final List<String> WHOLE = List.of("byte", "char", "short", "int", "long");

  private final Intracomm all = MPI.COMM_WORLD;

  Reductions() throws MPIException {}

  @Override
  void run() throws Exception {
    for (Elements type : Elements.all()) {
      for (Map.Entry<String, Op> each : operations(type.name()).entrySet()) {
        reduce(each.getKey() + " " + type.name(), type, each.getValue(), 5);
      }
    }
    places();
    matrices();
    reduce("SUM int, many,", Elements.all().get(4), MPI.SUM, 70_000);
    reduce("SUM double, many,", Elements.all().get(7), MPI.SUM, 70_000);
  }

  private static Map<String, Op> operations(String type) {
    Map<String, Op> operations = new LinkedHashMap<>();
    if (ORDERED.contains(type)) {
      operations.put("MAX", MPI.MAX);
      operations.put("MIN", MPI.MIN);
      operations.put("SUM", MPI.SUM);
      operations.put("PROD", MPI.PROD);
    }
    if (WHOLE.contains(type)) {
      operations.put("BAND", MPI.BAND);
      operations.put("BOR", MPI.BOR);
      operations.put("BXOR", MPI.BXOR);
    }
    if (type.equals("boolean")) {
      operations.put("LAND", MPI.LAND);
      operations.put("LOR", MPI.LOR);
      operations.put("LXOR", MPI.LXOR);
    }
    return operations;
  }

  private void reduce(String what, Elements type, Op op, int count) throws MPIException {
    Datatype datatype = type.datatype();
    for (int root = 0; root < size; root++) {
      Object result = type.room(count);
      all.Reduce(type.filled(count, rank), 0, result, 0, count, datatype, op, root);
      if (rank == root) {
        say("Reduce " + what, result);
      }
    }
    Object result = type.room(count);
    all.Allreduce(type.filled(count, rank), 0, result, 0, count, datatype, op);
    say("Allreduce " + what, result);
    Object prefix = type.room(count);
    all.Scan(type.filled(count, rank), 0, prefix, 0, count, datatype, op);
    say("Scan " + what, prefix);
    if (type.component() != boolean.class) { // MPJ Express throws a ClassCastException
      scatter(what, type, op, count);
    }
  }

  /** Rank i gets i elements more than rank 0. */
  private void scatter(String what, Elements type, Op op, int count) throws MPIException {
    int[] counts = new int[size];
    int sum = 0;
    for (int i = 0; i < size; i++) {
      counts[i] = count + i;
      sum += counts[i];
    }
    Object part = type.room(counts[rank]);
    all.Reduce_scatter(type.filled(sum, rank), 0, part, 0, counts, type.datatype(), op);
    say("Reduce_scatter " + what, part);
  }

  /** The greatest and the least, and where; the first of equal ones. */
  private void places() throws MPIException {
    int[] pairs = {10 + rank % 3, rank, -rank, rank, 7, size - rank};
    int[] into = new int[6];
    all.Allreduce(pairs, 0, into, 0, 3, MPI.INT2, MPI.MAXLOC);
    say("MAXLOC INT2", into);
    all.Allreduce(pairs, 0, into, 0, 3, MPI.INT2, MPI.MINLOC);
    say("MINLOC INT2", into);
    double[] doubles = {rank / 2, rank, 1.5, rank + 1};
    double[] found = new double[4];
    all.Allreduce(doubles, 0, found, 0, 2, MPI.DOUBLE2, MPI.MAXLOC);
    say("MAXLOC DOUBLE2", found);
    all.Allreduce(doubles, 0, found, 0, 2, MPI.DOUBLE2, MPI.MINLOC);
    say("MINLOC DOUBLE2", found);
  }

  /** Products of 2 x 2 matrices: the order of the ranks matters. */
  private static final class Product extends User_function {
    @Override
    public void Call(
        Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype datatype) {
      long[] a = (long[]) in;
      long[] b = (long[]) inOut;
      for (int i = 0; i < count; i += 4) {
        multiply(a, inOffset + i, b, inOutOffset + i);
      }
    }

    private static void multiply(long[] a, int at, long[] b, int bt) {
      long[] product = new long[4];
      for (int i = 0; i < 4; i++) {
        product[i] =
            (a[at + i / 2 * 2] * b[bt + i % 2] + a[at + i / 2 * 2 + 1] * b[bt + 2 + i % 2])
                % 1_000_003;
      }
      System.arraycopy(product, 0, b, bt, 4);
    }
  }

  private void matrices() throws MPIException {
    Op product = new Op(new Product(), false);
    long[] mine = {1, rank + 2, 3, rank * 5L, rank, 1, 1, 2};
    long[] into = new long[8];
    all.Reduce(mine, 0, into, 0, 8, MPI.LONG, product, 0);
    if (rank == 0) {
      say("Reduce matrices", into);
    }
    all.Allreduce(mine, 0, into, 0, 8, MPI.LONG, product);
    say("Allreduce matrices", into);
    all.Scan(mine, 0, into, 0, 8, MPI.LONG, product);
    say("Scan matrices", into);
  }
}
