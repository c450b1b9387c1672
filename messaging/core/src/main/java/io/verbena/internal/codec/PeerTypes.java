// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.internal.codec.PeerDescription.BadDescriptionException;
import io.verbena.internal.codec.PeerShapes.ConflictException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A peer's type table, compared with this side's: which types the peer knows, and how to read what
 * it writes. Shared by all threads and by all peers with the same table.
 */
public final class PeerTypes {

  private final TypeTable mine;
  private final BitSet known; // the types the peer has; empty if it has the same table
  private final boolean isSame;
  private final Map<Integer, CodecPlan> plans; // of the types whose texts differ
  private final Map<Integer, MessageCodec> codecs = new ConcurrentHashMap<>(); // made of plans

  private PeerTypes(TypeTable mine, boolean isSame, BitSet known, Map<Integer, CodecPlan> plans) {
    this.mine = mine;
    this.isSame = isSame;
    this.known = known;
    this.plans = plans;
  }

  /** The types of a peer with the same table. */
  static PeerTypes same(TypeTable mine) {
    return new PeerTypes(mine, true, new BitSet(), Map.of());
  }

  /**
   * The types of a peer with another table.
   *
   * @throws ConflictException if the two are not versions of one program; its text says why
   */
  static PeerTypes of(TypeTable mine, String description) throws ConflictException {
    checkEncoding(description);
    try {
      return compare(mine, PeerDescription.of(description));
    } catch (BadDescriptionException e) {
      throw new ConflictException("its description cannot be read: " + e.getMessage());
    }
  }

  private static void checkEncoding(String description) throws ConflictException {
    int end = Math.max(0, description.indexOf('\n'));
    if (!description.substring(0, end).equals(TypeDescription.VERSION_LINE)) {
      throw new ConflictException(
          "the encoding is '%s' here and '%s' there"
              .formatted(
                  TypeDescription.VERSION_LINE,
                  PeerDescription.quoted(description.substring(0, end))));
    }
  }

  private static PeerTypes compare(TypeTable mine, PeerDescription theirs)
      throws ConflictException, BadDescriptionException {
    BitSet known = new BitSet();
    Map<Integer, CodecPlan> plans = new HashMap<>();
    for (Map.Entry<Integer, String> line : theirs.texts().entrySet()) {
      int id = line.getKey();
      known.set(id);
      String text = mine.lineOf(id);
      if (text == null) {
        checkIsNoOther(mine, id, line.getValue());
      } else if (!text.equals(line.getValue())) {
        plans.put(id, plan(mine, id, theirs, line.getValue()));
      }
    }
    return new PeerTypes(mine, false, known, plans);
  }

  /** A type whose id one side does not know must not have another id there. */
  private static void checkIsNoOther(TypeTable mine, int id, String text) throws ConflictException {
    int end = text.indexOf('(');
    String head = end < 0 ? text : text.substring(0, end);
    Integer here = mine.idOf(head);
    if (here != null) {
      throw new ConflictException("%s is type %d here and type %d there".formatted(head, here, id));
    }
  }

  private static CodecPlan plan(TypeTable mine, int id, PeerDescription theirs, String text)
      throws ConflictException, BadDescriptionException {
    String name = "type " + id + " (" + mine.nameOf(id) + ")";
    if (!(mine.codec(id) instanceof GeneratedCodec codec)) {
      throw new ConflictException(
          "%s is %s here and %s there"
              .formatted(name, mine.lineOf(id), PeerDescription.quoted(text)));
    }
    try {
      return PeerShapes.plan(codec.plan(), theirs.parse(text));
    } catch (ConflictException e) {
      throw new ConflictException(name + ": " + e.getMessage());
    } catch (BadDescriptionException e) {
      throw new BadDescriptionException(name + ": " + e.getMessage());
    }
  }

  /** Whether the peer has the very same table. */
  public boolean isSame() {
    return isSame;
  }

  /** Whether the peer knows a type. */
  public boolean knows(int typeId) {
    return isSame || known.get(typeId);
  }

  /** Whether the peer writes a type that both have in another way than this side. */
  public boolean differs(int typeId) {
    return plans.containsKey(typeId);
  }

  /** Reads what the peer writes as this type; null if the type is unknown here or is a view. */
  public @Nullable MessageCodec codec(int typeId) {
    CodecPlan plan = plans.get(typeId);
    return plan == null
        ? mine.codec(typeId)
        : codecs.computeIfAbsent(typeId, id -> CodecGenerator.generateForPeers(id, plan));
  }
}
