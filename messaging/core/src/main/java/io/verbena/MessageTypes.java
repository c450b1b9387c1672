// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import io.verbena.internal.codec.TypeTable;
import java.lang.invoke.MethodHandles;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The message types a node speaks: which id is which record, hand-written codec or view.
 *
 * <p>Codecs are generated when a type is added, so a type that cannot be a message is refused
 * there, naming the component and the reason.
 *
 * <p><b>Versions of a program.</b> Two nodes compare their tables when they connect. Where they
 * differ, each reads what the other writes, as long as one side has all that the other has:
 *
 * <ul>
 *   <li>more types: a request of a type that the peer lacks fails with {@link
 *       UnregisteredTypeException}, a one-way message is reported to the sender's {@link
 *       NodeListener#undeliverable}
 *   <li>more components at the end of a record: where they are not written they have the value of
 *       their {@link Default}, without one 0, false or null; where they are not known they are
 *       passed over
 *   <li>more constants of an enum and more records of a sealed interface, in any place: a message
 *       that holds one fails with {@link IncompatibleMessageException} at its reader, which a
 *       requester hears as {@link RemoteHandlerException}
 * </ul>
 *
 * <p>The same holds for records within records. None of that ends a session. Every other difference
 * of a type that both have, such as a component that was renamed, removed or put in the middle,
 * another component type, or another {@link Codec#layout()}, keeps the two from connecting; the
 * error names the first one. Such a change needs a new type with an id of its own.
 *
 * <pre>{@code
 * record Order(String item, int amount) {}                                    // version 1
 * record Order(String item, int amount, @Default("NORMAL") Priority priority) // version 2
 * }</pre>
 *
 * <p>A node of version 2 reads the orders of version 1 with {@code NORMAL}; one of version 1 reads
 * those of version 2 without their priority. A test can hold a program against its released version
 * with {@link #conflictWith}.
 *
 * <p>Immutable and usable from any thread; one table may serve several nodes.
 */
public final class MessageTypes {

  static {
    // The core works with the table; users see only this class.
    TypeTable.bridge(types -> types.table);
  }

  private final TypeTable table;

  private MessageTypes(TypeTable table) {
    this.table = table;
  }

  /**
   * Starts an empty table. Records that are neither public and exported nor in a package opened to
   * {@code io.verbena} need {@link #builder(MethodHandles.Lookup)}.
   */
  public static Builder builder() {
    return new Builder(null);
  }

  /**
   * Starts an empty table of records that {@code lookup} may see.
   *
   * @param lookup {@code MethodHandles.lookup()} of a class that has access to the records
   */
  public static Builder builder(MethodHandles.Lookup lookup) {
    return new Builder(lookup);
  }

  /** The first 64 bits of the SHA-256 of {@link #description()}. */
  public long fingerprint() {
    return table.fingerprint();
  }

  /** The canonical text of this table: one line per type, ordered by id. */
  public String description() {
    return table.description();
  }

  /**
   * Says in one sentence where two tables differ first.
   *
   * @param mine the {@link #description()} of this side
   * @param theirs the description the other side sent; may be any text
   * @return a sentence that names type and component, or that there is no difference
   */
  public static String firstDifference(String mine, String theirs) {
    return TypeTable.firstDifference(mine, theirs);
  }

  /**
   * Says why nodes with another table cannot be in one cluster with nodes of this one, so that a
   * test can hold a program against the description of its released version.
   *
   * @param theirs the other table's {@link #description()}; may be any text
   * @return a sentence that names type and component; empty if the two are versions of one program,
   *     by the rules above
   */
  public Optional<String> conflictWith(String theirs) {
    return Optional.ofNullable(table.conflictWith(theirs));
  }

  /** Collects message types. Not for use by several threads. */
  public static final class Builder {

    private final TypeTable.Builder table;

    private Builder(MethodHandles.@Nullable Lookup lookup) {
      this.table = new TypeTable.Builder(lookup);
    }

    /**
     * Adds a record with a generated codec.
     *
     * @param id 0 to 65535, the same on all nodes
     * @throws UnsupportedTypeException if the record or a component of it cannot be encoded, or the
     *     record cannot be accessed
     * @throws IllegalArgumentException if the id is out of range, or id or class is taken
     */
    public Builder add(int id, Class<? extends Record> type) {
      table.add(id, type);
      return this;
    }

    /**
     * Adds a record with a hand-written codec, which is used where the record is the message
     * itself, not where it is a component of another.
     *
     * @param id 0 to 65535, the same on all nodes
     * @throws IllegalArgumentException if the id is out of range, or id or class is taken
     */
    public <T extends Record> Builder add(int id, Class<T> type, Codec<T> codec) {
      table.add(id, type, codec);
      return this;
    }

    /**
     * Adds a type of message that is only bytes, without a record.
     *
     * @param id 0 to 65535, the same on all nodes
     * @param name what the bytes are; both sides compare it when they connect
     * @throws IllegalArgumentException if the id is out of range or taken, or the name is empty
     */
    public Builder addView(int id, String name) {
      table.addView(id, name);
      return this;
    }

    /** The table of what was added so far. */
    public MessageTypes build() {
      return new MessageTypes(table.build());
    }
  }
}
