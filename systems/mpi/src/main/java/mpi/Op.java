// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.jspecify.annotations.Nullable;

/**
 * What a reduction does with two elements (MPI 4.1, section 6.9). The predefined operations are
 * constants of {@link MPI}. {@code MAX}, {@code MIN}, {@code SUM} and {@code PROD} are for all
 * numbers, also {@code CHAR} and {@code BYTE}, which are integers in Java; {@code LAND}, {@code
 * LOR} and {@code LXOR} for integers, of which 0 is false, and {@code BOOLEAN}; {@code BAND},
 * {@code BOR} and {@code BXOR} for integers; {@code MAXLOC} and {@code MINLOC} for numbers in
 * pairs, a value and its index, of which the lowest wins where values are equal. They also work on
 * derived datatypes, element by element, which the standard does not promise: all elements have one
 * type here. Sums and products of integers wrap around, as Java's do.
 */
public class Op {

  /** What the predefined ones do. */
  enum Kind {
    MAX,
    MIN,
    SUM,
    PROD,
    LAND,
    BAND,
    LOR,
    BOR,
    LXOR,
    BXOR,
    MAXLOC,
    MINLOC;

    boolean isFor(Base base) {
      return switch (this) {
        case MAX, MIN, SUM, PROD, MAXLOC, MINLOC -> base.isNumber();
        case LAND, LOR, LXOR -> base.isInteger() || base == Base.BOOLEAN;
        case BAND, BOR, BXOR -> base.isInteger();
      };
    }

    boolean isForPairs() {
      return this == MAXLOC || this == MINLOC;
    }
  }

  /** MPJ Express' number of a predefined operation; 0, or what its program has said, of others. */
  public final int opCode;

  private final @Nullable Kind kind; // of the predefined
  private final @Nullable User_function function; // of the others
  private final boolean commutes;
  private volatile boolean isFree;

  /**
   * An operation of the program's own.
   *
   * @param commute whether it commutes: else it is applied in the order of the ranks
   */
  public Op(User_function function, boolean commute) {
    this(function, commute, 0);
  }

  /** As the other one; the code says nothing. */
  public Op(User_function function, boolean commute, int opCode) {
    MPIException.check(function != null, "the function of an operation is null");
    this.kind = null;
    this.function = function;
    this.commutes = commute;
    this.opCode = opCode;
  }

  private Op(Kind kind) {
    this.kind = kind;
    this.function = null;
    this.commutes = true;
    this.opCode = kind.ordinal() + 1;
  }

  static Op of(Kind kind) {
    return new Op(kind);
  }

  boolean commutes() {
    return commutes;
  }

  boolean isPredefined() {
    return kind != null;
  }

  /** Ends its use. A predefined one stays. */
  public void free() {
    isFree = kind == null;
  }

  /** Does nothing: there is nothing to free but by the garbage collector. */
  @Override
  @SuppressWarnings({"removal", "Finalize"}) // programs may call it
  public void finalize() {}

  // ---------------------------------------------------------------- its use

  /** This operation, if it can reduce elements of a datatype. */
  static Op usable(@Nullable Op given, Datatype type) {
    Op op = MPIException.given(given, "operation is null");
    MPIException.check(!op.isFree, "the operation was freed");
    MPIException.check(type.base != Base.NONE, "%s has no elements to reduce", type);
    if (op.kind != null) {
      if (!op.kind.isFor(type.base)) {
        throw none(op.kind, type.base);
      }
      MPIException.check(
          !op.kind.isForPairs() || type.map.size() % 2 == 0,
          "%s is for pairs of a value and an index, as INT2; %s has %d elements",
          op.kind,
          type,
          type.map.size());
    }
    return op;
  }

  static MPIException none(Kind kind, Base base) {
    return new MPIException("%s is not defined for %s".formatted(kind, base));
  }

  /** Whether a pair takes the other's place, by the order of the two values. */
  static boolean takes(Kind kind, int order, boolean isIndexLower) {
    int wanted = kind == Kind.MAXLOC ? order : -order;
    return wanted > 0 || (wanted == 0 && isIndexLower);
  }

  /**
   * Reduces {@code count} of a datatype; both arrays are of its base type. For a function they are
   * laid out as it says, for a predefined operation packed, with truth values as bytes.
   */
  void apply(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
    if (function != null) {
      function.Call(in, inAt, inout, inoutAt, count, type);
    } else if (kind != null) {
      apply(kind, in, inAt, inout, inoutAt, count * (int) type.map.size());
    }
  }

  private static void apply(Kind op, Object in, int a, Object inout, int b, int n) {
    switch (inout) {
      case byte[] both -> IntegerKernels.apply(op, (byte[]) in, a, both, b, n);
      case char[] both -> IntegerKernels.apply(op, (char[]) in, a, both, b, n);
      case short[] both -> IntegerKernels.apply(op, (short[]) in, a, both, b, n);
      case int[] both -> IntegerKernels.apply(op, (int[]) in, a, both, b, n);
      case long[] both -> IntegerKernels.apply(op, (long[]) in, a, both, b, n);
      case float[] both -> FloatKernels.apply(op, (float[]) in, a, both, b, n);
      case double[] both -> FloatKernels.apply(op, (double[]) in, a, both, b, n);
      default -> throw new MPIException("no array of primitive elements: " + inout.getClass());
    }
  }
}
