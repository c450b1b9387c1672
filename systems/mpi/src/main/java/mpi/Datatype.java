// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Which elements of a buffer a message is made of (MPI 4.1, chapter 5). All have one base type,
 * that of the buffer; sizes, extents, bounds and displacements count elements, not bytes, as in
 * mpiJava: memory has no addresses in Java. The Javadoc of {@code Hvector}, {@code Hindexed} and
 * {@code Struct} says what that means for them.
 *
 * <p>The basic types are the constants of {@link MPI}. Others are made from these here, and are to
 * be committed before a message uses them. {@code PACKED} is that of what {@link Comm#Pack} makes,
 * in {@code byte[]}.
 *
 * <p><b>Objects.</b> With {@code MPI.OBJECT} a buffer is an {@code Object[]} of any class. The
 * objects of a message travel together: if all are arrays of primitive elements, or arrays of such
 * arrays, by their bytes; else by Java's serialization, in one stream, so what two of them share
 * they share after it. Received are new objects. Classes are looked up by the thread's context
 * class loader first. Only what is on a list of classes is made from a message: those of {@code
 * java.lang}, {@code java.util} and {@code java.util.concurrent}, {@code java.math}, {@code
 * java.time}, those that lie where the class lies that has called {@link MPI#Init}, and those that
 * the system property {@code verbena.mpi.objects} names, a pattern as {@link
 * java.io.ObjectInputFilter.Config} has it ({@code org.example.**;org.other.Point}); what it
 * rejects ({@code !org.example.Bad}) is rejected.
 *
 * <p>Immutable but for being committed and freed.
 */
public final class Datatype {

  /** The code of the base type: 1 byte, 2 char, 3 short, 4 boolean, 5 int, 6 long, 7 float, … */
  public final int baseType;

  final Base base;
  final TypeMap map;

  private final @Nullable String name; // of the predefined
  private volatile boolean isCommitted;
  private volatile boolean isFree;

  private Datatype(Base base, TypeMap map, @Nullable String name) {
    this.base = base;
    this.baseType = base.code;
    this.map = map;
    this.name = name;
    this.isCommitted = name != null;
  }

  // ---------------------------------------------------------------- the predefined

  static Datatype basic(Base base) {
    return new Datatype(base, TypeMap.ELEMENT, base.name());
  }

  static Datatype none() {
    return new Datatype(Base.NULL, new TypeMap.Builder().build(), "NULL");
  }

  static Datatype mark(TypeMap mark) {
    return new Datatype(Base.NONE, mark, mark.hasLb() ? "LB" : "UB");
  }

  static Datatype pair(Datatype of) {
    TypeMap two = new TypeMap.Builder().add(of.map, 0, 2).build();
    return new Datatype(of.base, two, of.base + "2");
  }

  // ---------------------------------------------------------------- made from others

  /** {@code count} of a type, one behind the other. */
  public static Datatype Contiguous(int count, Datatype oldtype) {
    checkCount("count", count);
    return made(oldtype, new TypeMap.Builder().add(old(oldtype).map, 0, count));
  }

  /**
   * {@code count} blocks of {@code blocklength} each.
   *
   * @param stride from each block to the next, in extents of the old type
   */
  public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) {
    return vector(count, blocklength, stride * old(oldtype).map.extent(), oldtype);
  }

  /**
   * As {@link #Vector}.
   *
   * @param stride in elements of the base type; not in bytes, as elsewhere
   */
  public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) {
    return vector(count, blocklength, stride, old(oldtype));
  }

  private static Datatype vector(int count, int blocklength, long stride, Datatype oldtype) {
    checkCount("count", count);
    checkCount("blocklength", blocklength);
    TypeMap.Builder all = new TypeMap.Builder();
    for (long i = 0; i < count; i++) {
      all.add(oldtype.map, i * stride, blocklength);
    }
    return made(oldtype, all);
  }

  /**
   * Blocks of these lengths.
   *
   * @param displacements of each, in extents of the old type
   */
  public static Datatype Indexed(int[] blocklengths, int[] displacements, Datatype oldtype) {
    return indexed(blocklengths, displacements, old(oldtype).map.extent(), oldtype);
  }

  /**
   * As {@link #Indexed}.
   *
   * @param displacements in elements of the base type; not in bytes, as elsewhere
   */
  public static Datatype Hindexed(int[] blocklengths, int[] displacements, Datatype oldtype) {
    return indexed(blocklengths, displacements, 1, old(oldtype));
  }

  private static Datatype indexed(
      int[] blocklengths, int[] displacements, long unit, Datatype oldtype) {
    checkBlocks(blocklengths, displacements);
    TypeMap.Builder all = new TypeMap.Builder();
    for (int i = 0; i < blocklengths.length; i++) {
      all.add(oldtype.map, displacements[i] * unit, blocklengths[i]);
    }
    return made(oldtype, all);
  }

  /**
   * Blocks of several types, which have one base type; {@code MPI.LB} and {@code MPI.UB} set the
   * bounds.
   *
   * @param displacements of each block in elements of the base type; not in bytes, as elsewhere
   */
  public static Datatype Struct(int[] blocklengths, int[] displacements, Datatype[] oldtypes) {
    checkBlocks(blocklengths, displacements);
    MPIException.check(oldtypes != null, "array of types is null");
    MPIException.check(
        oldtypes.length == blocklengths.length,
        "%d types for %d blocks",
        oldtypes.length,
        blocklengths.length);
    TypeMap.Builder all = new TypeMap.Builder();
    Datatype first = null;
    for (int i = 0; i < oldtypes.length; i++) {
      Datatype old = old(oldtypes[i]);
      if (old.base != Base.NONE) {
        MPIException.check(
            first == null || first.base == old.base,
            "a structure of %s and %s: one buffer has elements of one type; use MPI.OBJECT for more",
            first == null ? old.base : first.base,
            old.base);
        first = old;
      }
      all.add(old.map, displacements[i], blocklengths[i]);
    }
    return made(first == null ? MPI.LB : first, all);
  }

  private static Datatype made(Datatype of, TypeMap.Builder all) {
    TypeMap map = all.build();
    for (long bound : new long[] {map.lb(), map.ub(), map.extent()}) {
      MPIException.check(bound == (int) bound, "a bound or extent of %d; 2^31 - 1 is most", bound);
    }
    return new Datatype(of.base, map, null);
  }

  private static Datatype old(@Nullable Datatype given) {
    Datatype type = MPIException.given(given, "old datatype is null");
    MPIException.check(type != MPI.NULL, "old datatype is MPI.NULL");
    MPIException.check(!type.isFree, "old datatype %s was freed", type);
    return type;
  }

  private static void checkCount(String what, int count) {
    MPIException.check(count >= 0, "%s is %d, less than 0", what, count);
  }

  private static void checkBlocks(int[] blocklengths, int[] displacements) {
    MPIException.check(blocklengths != null, "array of block lengths is null");
    MPIException.check(displacements != null, "array of displacements is null");
    MPIException.check(
        blocklengths.length == displacements.length,
        "%d block lengths, but %d displacements",
        blocklengths.length,
        displacements.length);
    for (int length : blocklengths) {
      checkCount("block length", length);
    }
  }

  // ---------------------------------------------------------------- what it is

  /** From the lower bound to the upper one, in elements. */
  public int Extent() {
    return (int) map.extent();
  }

  /** How many elements there are. */
  public int Size() {
    return (int) map.size();
  }

  /** The lower bound, in elements. */
  public int Lb() {
    return (int) map.lb();
  }

  /** The upper bound, in elements. */
  public int Ub() {
    return (int) map.ub();
  }

  /** The code of the base type, as {@link #baseType}. */
  public int getType() {
    return baseType;
  }

  /**
   * How many bytes the elements have; 0 with {@code MPI.OBJECT}.
   *
   * @throws MPIException if there are more than 2147483647
   */
  public int getByteSize() {
    long bytes = bytes();
    MPIException.check(bytes == (int) bytes, "%s has %d bytes; 2147483647 is most", this, bytes);
    return (int) bytes;
  }

  long bytes() {
    return map.size() * base.bytes;
  }

  boolean isOfObjects() {
    return base == Base.OBJECT;
  }

  /** Allows messages to use it. */
  public void Commit() {
    isCommitted = true;
  }

  /** Ends its use; what was made from it stays. A predefined type stays, too. */
  public void free() {
    isFree = name == null;
  }

  /** Does nothing: there is nothing to free but by the garbage collector. */
  @Override
  @SuppressWarnings({"removal", "Finalize"}) // programs may call it
  public void finalize() {}

  @Override
  public String toString() {
    return name != null
        ? name
        : "a type of %d %s and extent %d".formatted(map.size(), base, map.extent());
  }

  // ---------------------------------------------------------------- messages

  /** This type, if a message may use it. */
  static Datatype usable(@Nullable Datatype type) {
    if (type == null || !type.isCommitted || type.isFree || type.isNoType()) {
      throw unusable(type);
    }
    return type;
  }

  /** {@code MPI.NULL}, or a mark; a type that was made and has no elements is one. */
  private boolean isNoType() {
    return base.code <= 0 && name != null;
  }

  /** The same, if a message may use it; for as long as who has it wants, whatever is freed. */
  static Datatype kept(@Nullable Datatype given) {
    Datatype type = usable(given);
    Datatype kept = type.name == null ? new Datatype(type.base, type.map, null) : type;
    kept.isCommitted = true;
    return kept;
  }

  private static MPIException unusable(@Nullable Datatype type) {
    if (type == null) {
      return new MPIException("datatype is null");
    }
    String why =
        type.isFree
            ? "was freed"
            : type.isCommitted ? "has no elements" : "is not committed: call Commit() before";
    return new MPIException("datatype " + type + " " + why);
  }

  /** The elements of {@code count} of this type, as a message; of a primitive base type. */
  Layout layout(@Nullable Object buffer, int offset, int count, boolean isWritten) {
    MPIException.check(count >= 0, "count is %d, less than 0", count);
    return Memory.layout(buffer, offset, count, this, isWritten);
  }
}
