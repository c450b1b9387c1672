// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A program that makes every call, as one of several ranks or alone, and looks at what it gets. */
final class Calls {

  private Calls() {}

  /** How a call fails. */
  static void fails(String says, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(MPIException.class).hasMessageContaining(says);
  }

  private interface Part {
    void run() throws Exception;
  }

  private static void part(String name, Part part) throws Exception {
    try {
      part.run();
    } catch (Exception | AssertionError e) {
      throw new AssertionError("rank %d: %s".formatted(MPI.COMM_WORLD.Rank(), name), e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    fails("call MPI.Init() before", () -> MPI.COMM_WORLD.Rank());
    assertThat(MPI.Initialized()).isFalse();
    assertThat(MPI.Init(arguments)).isSameAs(arguments);
    assertThat(MPI.isMainThread()).isTrue();
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    all();
    end();
    System.out.println("rank %d of %d: all calls are right".formatted(rank, size));
  }

  static void all() throws Exception {
    part("environment", Calls::environment);
    part("messages", new MessageCalls()::all);
    part("requests", new RequestCalls()::all);
    part("collectives", new CollectiveCalls()::all);
    part("communicators", new CommunicatorCalls()::all);
  }

  /** After the end no call waits for what cannot come. */
  static void end() {
    Intracomm all = MPI.COMM_WORLD;
    all.Barrier();
    Request left = MPI.COMM_SELF.Irecv(new int[1], 0, 1, MPI.INT, 0, 9);
    MPI.Finalize();
    assertThat(MPI.Initialized()).isTrue();
    fails("MPI was finalized", () -> MPI.Init(new String[0]));
    fails("MPI was finalized", MPI::Finalize);
    fails("MPI was finalized", () -> MPI.COMM_WORLD.Rank());
    fails("MPI was finalized", all::Size);
    fails("MPI was finalized", () -> all.Send(new int[1], 0, 1, MPI.INT, 0, 0));
    fails("MPI was finalized", () -> all.Abort(1));
    fails("MPI was finalized", () -> MPI.Buffer_attach(new byte[1]));
    fails("MPI was finalized", left::Test);
    fails("MPI was finalized", left::Wait);
    assertThat(MPI.Wtime()).isPositive();
  }

  private static void environment() {
    assertThat(MPI.Initialized()).isTrue();
    fails("MPI is initialized already", () -> MPI.Init(new String[0]));
    assertThat(MPI.queryThread()).isEqualTo(MPI.THREAD_MULTIPLE);
    assertThat(MPI.Get_processor_name()).isNotEmpty();
    double before = MPI.Wtime();
    double after = MPI.Wtime();
    while (after == before) {
      after = MPI.Wtime();
    }
    assertThat(after - before).isBetween(MPI.Wtick() / 2, 60.0);
    assertThat(MPI.Errorhandler_get()).isSameAs(MPI.ERRORS_RETURN);
    MPI.Errorhandler_set(MPI.ERRORS_ARE_FATAL);
    assertThat(MPI.COMM_WORLD.Errorhandler_get()).isSameAs(MPI.ERRORS_ARE_FATAL);
    MPI.COMM_WORLD.Errhandler_set(MPI.ERRORS_RETURN);
    fails("error handler is null", () -> MPI.Errorhandler_set(null));
    assertThat(MPI.EMPTY_STATUS.source).isEqualTo(MPI.ANY_SOURCE);
    assertThat(MPI.COMM_NULL.Is_null()).isTrue();
    assertThat(MPI.COMM_SELF.Size()).isEqualTo(1);
  }
}
