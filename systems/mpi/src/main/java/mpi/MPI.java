// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.ErrorMode;
import io.verbena.mpi.Similarity;
import io.verbena.mpi.World;
import io.verbena.mpi.device.Device;
import java.lang.StackWalker.Option;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process in its job, and the constants. A program that no launcher has started is one rank.
 *
 * <pre>{@code
 * String[] rest = MPI.Init(arguments);
 * int me = MPI.COMM_WORLD.Rank();
 * int[] token = {me};
 * MPI.COMM_WORLD.Bcast(token, 0, 1, MPI.INT, 0);
 * MPI.Finalize();
 * }</pre>
 */
public class MPI {

  /** Said where a number is not known, or there is none. */
  public static final int UNDEFINED = -1;

  /** A receive takes messages of any member. */
  public static final int ANY_SOURCE = -2;

  /** A receive takes messages with any tag. */
  public static final int ANY_TAG = -2;

  /** Nobody: messages to and from it do nothing. */
  public static final int PROC_NULL = -3;

  /** What {@code Compare} says of the same communicator, or groups of the same order. */
  public static final int IDENT = 0;

  /** What {@code Compare} says of communicators of identical groups. */
  public static final int CONGRUENT = 3;

  /** What {@code Compare} says of the same members in another order. */
  public static final int SIMILAR = 1;

  /** What {@code Compare} says of other members. */
  public static final int UNEQUAL = 2;

  /** What {@code Topo_test} says of a {@link Graphcomm}. */
  public static final int GRAPH = 1;

  /** What {@code Topo_test} says of a {@link Cartcomm}. */
  public static final int CART = 2;

  /** One thread alone calls. */
  public static final int THREAD_SINGLE = 1;

  /** The thread that has called {@code Init} alone calls. */
  public static final int THREAD_FUNNELED = 2;

  /** One thread at a time calls. */
  public static final int THREAD_SERIALIZED = 3;

  /** Any thread calls at any time: what there always is. */
  public static final int THREAD_MULTIPLE = 4;

  /** Attribute: the greatest tag. */
  public static final int TAG_UB = -11;

  /** Attribute: the rank of a host process; none is. */
  public static final int HOST = -12;

  /** Attribute: which ranks can read and write files; all. */
  public static final int IO = -13;

  /** Attribute: whether {@link #Wtime} is the same at all ranks; it is not. */
  public static final int WTIME_IS_GLOBAL = -14;

  /** What a buffered send takes beside its bytes, of what is attached. */
  public static final int BSEND_OVERHEAD = World.BUFFERED_SEND_OVERHEAD;

  /** What other sends take of anything; nothing. */
  public static final int SEND_OVERHEAD = 0;

  /** What receives take; nothing. */
  public static final int RECV_OVERHEAD = 0;

  /** How many processors the virtual machine has. */
  public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** No datatype. */
  public static final Datatype NULL = Datatype.none();

  /** {@code byte}. */
  public static final Datatype BYTE = Datatype.basic(Base.BYTE);

  /** {@code char}. */
  public static final Datatype CHAR = Datatype.basic(Base.CHAR);

  /** {@code short}. */
  public static final Datatype SHORT = Datatype.basic(Base.SHORT);

  /** {@code boolean}. */
  public static final Datatype BOOLEAN = Datatype.basic(Base.BOOLEAN);

  /** {@code int}. */
  public static final Datatype INT = Datatype.basic(Base.INT);

  /** {@code long}. */
  public static final Datatype LONG = Datatype.basic(Base.LONG);

  /** {@code float}. */
  public static final Datatype FLOAT = Datatype.basic(Base.FLOAT);

  /** {@code double}. */
  public static final Datatype DOUBLE = Datatype.basic(Base.DOUBLE);

  /** What {@code Pack} makes, in {@code byte[]}. */
  public static final Datatype PACKED = Datatype.basic(Base.PACKED);

  /** Sets the lower bound of a structure. */
  public static final Datatype LB = Datatype.mark(TypeMap.LOWER);

  /** Sets the upper bound of a structure. */
  public static final Datatype UB = Datatype.mark(TypeMap.UPPER);

  /** Objects; see {@link Datatype}. */
  public static final Datatype OBJECT = Datatype.basic(Base.OBJECT);

  /** A value and its index. */
  public static final Datatype SHORT2 = Datatype.pair(SHORT);

  /** A value and its index. */
  public static final Datatype INT2 = Datatype.pair(INT);

  /** A value and its index. */
  public static final Datatype LONG2 = Datatype.pair(LONG);

  /** A value and its index. */
  public static final Datatype FLOAT2 = Datatype.pair(FLOAT);

  /** A value and its index. */
  public static final Datatype DOUBLE2 = Datatype.pair(DOUBLE);

  /** The greatest. */
  public static final Op MAX = Op.of(Op.Kind.MAX);

  /** The least. */
  public static final Op MIN = Op.of(Op.Kind.MIN);

  /** The sum. */
  public static final Op SUM = Op.of(Op.Kind.SUM);

  /** The product. */
  public static final Op PROD = Op.of(Op.Kind.PROD);

  /** Whether all are true. */
  public static final Op LAND = Op.of(Op.Kind.LAND);

  /** The bits that all have. */
  public static final Op BAND = Op.of(Op.Kind.BAND);

  /** Whether one is true. */
  public static final Op LOR = Op.of(Op.Kind.LOR);

  /** The bits that one has. */
  public static final Op BOR = Op.of(Op.Kind.BOR);

  /** Whether an odd number is true. */
  public static final Op LXOR = Op.of(Op.Kind.LXOR);

  /** The bits that an odd number has. */
  public static final Op BXOR = Op.of(Op.Kind.BXOR);

  /** The greatest value with its index. */
  public static final Op MAXLOC = Op.of(Op.Kind.MAXLOC);

  /** The least value with its index. */
  public static final Op MINLOC = Op.of(Op.Kind.MINLOC);

  /** A failed call ends the job. */
  public static final Errhandler ERRORS_ARE_FATAL = new Errhandler(ErrorMode.ERRORS_ARE_FATAL);

  /** A failed call throws; what all communicators have at first. */
  public static final Errhandler ERRORS_RETURN = new Errhandler(ErrorMode.ERRORS_RETURN);

  /** The status of no message. */
  public static final Status EMPTY_STATUS = new Status();

  /** A request that is null. */
  public static final Request REQUEST_NULL = new Request(null);

  /** The group without members. */
  public static final Group GROUP_EMPTY = new Group(io.verbena.mpi.Group.EMPTY);

  /** No group. */
  public static final Group GROUP_NULL = Group.none();

  /** No communicator: what those get that are no members of a new one. */
  public static final Comm COMM_NULL = new Intracomm(null);

  /** All ranks; no communicator before {@link #Init}. */
  public static Intracomm COMM_WORLD = (Intracomm) COMM_NULL;

  /** This rank alone; no communicator before {@link #Init}. */
  public static Comm COMM_SELF = COMM_NULL;

  private static final long ORIGIN = System.nanoTime();

  private static volatile @Nullable World world;
  private static volatile ObjectFilter objects = ObjectFilter.of(null);
  private static volatile @Nullable Thread main;
  private static volatile boolean isOver;

  /** For programs that make one, whatever for. */
  public MPI() {}

  // ---------------------------------------------------------------- begin and end

  /**
   * Finds this process' place in its job and waits until all ranks know each other.
   *
   * @param args those of the program
   * @return the same: a rank's place is told by its environment, not by its arguments as by MPJ
   *     Express
   */
  public static String[] Init(String[] args) {
    Class<?> caller = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE).getCallerClass();
    return begin(args, caller);
  }

  /**
   * As {@link #Init}. Whatever is required, any thread may call at any time.
   *
   * @param required how threads call: one of the {@code THREAD} constants
   * @param provided looked at by nobody, as by MPJ Express: see {@link #queryThread}
   * @param args those of the program
   * @return the same
   */
  public static String[] initThread(int required, int provided, String[] args) {
    Class<?> caller = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE).getCallerClass();
    return begin(args, caller);
  }

  private static String[] begin(String[] args, Class<?> caller) {
    begin(World::open, caller);
    return args;
  }

  /** Begins with a world of the caller's, from whose place come the objects of messages. */
  static synchronized void begin(Supplier<World> source, Class<?> caller) {
    MPIException.check(world == null, "MPI is initialized already");
    MPIException.check(!isOver, "MPI was finalized, which is for good");
    try {
      World opened = source.get();
      opened.communicator().setErrors(ErrorMode.ERRORS_RETURN);
      opened.self().setErrors(ErrorMode.ERRORS_RETURN);
      objects = ObjectFilter.of(caller);
      main = Thread.currentThread();
      world = opened;
      COMM_WORLD = new Intracomm(opened.communicator());
      COMM_SELF = new Intracomm(opened.self());
    } catch (RuntimeException e) {
      throw MPIException.of(e);
    }
  }

  /**
   * Leaves the job, when buffered sends have left; all other requests should be done. Does not wait
   * for other ranks.
   */
  public static synchronized void Finalize() {
    World open = world();
    try {
      open.detachBuffer();
    } catch (IllegalStateException e) {
      // no buffer is attached
    } catch (InterruptedException e) {
      throw MPIException.of(e);
    }
    open.close();
    world = null;
    isOver = true;
    COMM_WORLD = (Intracomm) COMM_NULL;
    COMM_SELF = COMM_NULL;
  }

  /** Whether {@link #Init} was called, if only before {@link #Finalize}. */
  public static boolean Initialized() {
    return world != null || isOver;
  }

  /** What threads may do: {@link #THREAD_MULTIPLE}. */
  public static int queryThread() {
    return THREAD_MULTIPLE;
  }

  /** Whether this thread has called {@link #Init}. */
  public static boolean isMainThread() {
    return Thread.currentThread() == main;
  }

  static World world() {
    World open = world;
    if (open == null) {
      throw notOpen();
    }
    return open;
  }

  static boolean isOpen() {
    return world != null;
  }

  /** Why nothing can be done. */
  static MPIException notOpen() {
    return new MPIException(isOver ? "MPI was finalized" : "call MPI.Init() before");
  }

  static Device device() {
    return world().device();
  }

  static ObjectFilter objects() {
    return objects;
  }

  // ---------------------------------------------------------------- buffered sends

  /**
   * Allows buffered sends to take memory: as much as the buffer has. They do not use the buffer
   * itself.
   */
  public static void Buffer_attach(ByteBuffer buffer) {
    MPIException.check(buffer != null, "buffer is null");
    attach(buffer.capacity());
  }

  /** As the other one. */
  public static void Buffer_attach(byte[] buffer) {
    MPIException.check(buffer != null, "buffer is null");
    attach(buffer.length);
  }

  private static void attach(int bytes) {
    try {
      world().attachBuffer(bytes);
    } catch (IllegalStateException e) {
      throw MPIException.of(e);
    }
  }

  /** Waits until all buffered sends have left, and takes the memory back. */
  public static void Buffer_detach() {
    try {
      long unused = world().detachBuffer();
    } catch (IllegalStateException | InterruptedException e) {
      throw MPIException.of(e);
    }
  }

  // ---------------------------------------------------------------- the environment

  /** The name of this host. */
  public static String Get_processor_name() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** Sets the error handler of {@link #COMM_WORLD}. */
  public static void Errorhandler_set(Errhandler errhandler) {
    COMM_WORLD.Errorhandler_set(errhandler);
  }

  /** The error handler of {@link #COMM_WORLD}. */
  public static Errhandler Errorhandler_get() {
    return COMM_WORLD.Errorhandler_get();
  }

  /** Seconds since some time in the past, which is the same while the process lives. */
  public static double Wtime() {
    return (System.nanoTime() - ORIGIN) * 1e-9;
  }

  /** How many seconds {@link #Wtime} can tell apart. */
  public static double Wtick() {
    return 1e-9;
  }

  static int code(Similarity similarity) {
    return switch (similarity) {
      case IDENTICAL -> IDENT;
      case CONGRUENT -> CONGRUENT;
      case SIMILAR -> SIMILAR;
      case UNEQUAL -> UNEQUAL;
    };
  }
}
