// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.Codec;
import io.verbena.MessageTypes;
import io.verbena.UnregisteredTypeException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The types that the core works with: from type id to codec, from class to codec. It is immutable
 * and shared by all threads, and neither lookup allocates.
 */
public final class TypeTable {

  private static final int MAX_TYPE_ID = 65_535;

  private static @Nullable Function<MessageTypes, TypeTable> bridge;

  private final @Nullable Entry[] byId;
  private final Class<?>[] classes;
  private final MessageCodec[] codecs;
  private final int mask;
  private final String description;
  private final long fingerprint;
  private final Map<String, Integer> ids; // by the head of their text
  private final PeerTypes own = PeerTypes.same(this);
  private final PeerTables peers = new PeerTables(this);

  private TypeTable(Map<Integer, Entry> entries) {
    this.byId = byId(entries);
    List<MessageCodec> all = codecsOf(entries);
    int slots = slotsFor(all.size());
    this.mask = slots - 1;
    this.classes = new Class<?>[slots];
    this.codecs = new MessageCodec[slots];
    all.forEach(this::place);
    this.description = TypeDescription.ofTable(lines(entries));
    this.fingerprint = TypeDescription.fingerprint(description);
    this.ids = ids(entries);
  }

  /** The table of public {@link MessageTypes}. */
  public static TypeTable of(MessageTypes types) {
    Function<MessageTypes, TypeTable> way = bridge;
    if (way == null) {
      throw new IllegalStateException("MessageTypes has not been initialized");
    }
    return way.apply(types);
  }

  /** Called once by {@link MessageTypes} so that its table need not be public. */
  public static void bridge(Function<MessageTypes, TypeTable> way) {
    if (bridge != null) {
      throw new IllegalStateException("the bridge is set once");
    }
    bridge = way;
  }

  /** The codec of a record type, or null if there is no such type or it is a view. */
  public @Nullable MessageCodec codec(int typeId) {
    Entry entry = entry(typeId);
    return entry == null ? null : entry.codec;
  }

  /**
   * The codec of a class.
   *
   * @throws UnregisteredTypeException if the class was not added
   */
  public MessageCodec codecOf(Class<?> type) {
    // Identity hash codes are random in their low bits, and cheap: they lie in the object header.
    int slot = type.hashCode() & mask;
    while (true) {
      Class<?> found = classes[slot];
      if (found == type) {
        return codecs[slot];
      }
      if (found == null) {
        throw unregistered(type);
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Whether the id was added with {@link MessageTypes.Builder#addView}. */
  public boolean isView(int typeId) {
    Entry entry = entry(typeId);
    return entry != null && entry.codec == null;
  }

  /** The name of the record's class or of the view, or null if there is no such type. */
  public @Nullable String nameOf(int typeId) {
    Entry entry = entry(typeId);
    return entry == null ? null : entry.name;
  }

  /** The canonical text of a type, or null if there is no such type. */
  @Nullable String lineOf(int typeId) {
    Entry entry = entry(typeId);
    return entry == null ? null : entry.line;
  }

  /** The id of the type whose text begins with this head; null if there is none. */
  @Nullable Integer idOf(String head) {
    return ids.get(head);
  }

  /** The types of a peer with the same table. */
  public PeerTypes ownTypes() {
    return own;
  }

  /**
   * The types of a peer with another table.
   *
   * @throws IllegalArgumentException if the two are not versions of one program; its text says why
   */
  public PeerTypes typesOf(String description) {
    try {
      return peers.get(description);
    } catch (PeerShapes.ConflictException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Why this side cannot talk to a peer with another table, or null if it can. */
  public @Nullable String conflictWith(String description) {
    try {
      peers.get(description);
      return null;
    } catch (PeerShapes.ConflictException e) {
      return e.getMessage();
    }
  }

  /** See {@link MessageTypes#description()}. */
  public String description() {
    return description;
  }

  /** See {@link MessageTypes#fingerprint()}. */
  public long fingerprint() {
    return fingerprint;
  }

  /** See {@link MessageTypes#firstDifference}. */
  public static String firstDifference(String mine, String theirs) {
    return DescriptionDifference.first(mine, theirs);
  }

  /** The ids of all types, in order. */
  public IntStream ids() {
    return IntStream.range(0, byId.length).filter(id -> byId[id] != null);
  }

  private @Nullable Entry entry(int typeId) {
    return typeId < 0 || typeId >= byId.length ? null : byId[typeId];
  }

  private void place(MessageCodec codec) {
    int slot = codec.type().hashCode() & mask;
    while (classes[slot] != null) {
      slot = (slot + 1) & mask;
    }
    classes[slot] = codec.type();
    codecs[slot] = codec;
  }

  /** At most a quarter full, so that most lookups are one probe. */
  private static int slotsFor(int size) {
    return Math.max(8, Integer.highestOneBit(Math.max(1, size)) * 8);
  }

  private static @Nullable Entry[] byId(Map<Integer, Entry> entries) {
    int size = entries.keySet().stream().mapToInt(id -> id + 1).max().orElse(0);
    @Nullable Entry[] table = new @Nullable Entry[size];
    entries.forEach((id, entry) -> table[id] = entry);
    return table;
  }

  private static List<MessageCodec> codecsOf(Map<Integer, Entry> entries) {
    List<MessageCodec> found = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.codec != null) {
        found.add(entry.codec);
      }
    }
    return found;
  }

  private static Map<String, Integer> ids(Map<Integer, Entry> entries) {
    Map<String, Integer> ids = new HashMap<>();
    entries.forEach(
        (id, entry) -> {
          int end = entry.line.indexOf('(');
          ids.put(end < 0 ? entry.line : entry.line.substring(0, end), id);
        });
    return ids;
  }

  private static List<String> lines(Map<Integer, Entry> entries) {
    return entries.entrySet().stream().map(e -> e.getKey() + " " + e.getValue().line).toList();
  }

  private static UnregisteredTypeException unregistered(Class<?> type) {
    return new UnregisteredTypeException(
        type.getName()
            + " is not a registered message type; add it on all nodes with MessageTypes.builder()"
            + ".add(<id>, "
            + type.getSimpleName()
            + ".class)");
  }

  /**
   * @param name class or view name, for messages
   * @param line the canonical text without the id
   * @param codec null for a view
   */
  private record Entry(String name, String line, @Nullable MessageCodec codec) {}

  /** Collects types; see {@link MessageTypes.Builder}. */
  public static final class Builder {

    private final MethodHandles.@Nullable Lookup lookup;
    private final Map<Integer, Entry> entries = new TreeMap<>();

    /**
     * @param lookup the user's way to records that are not accessible otherwise
     */
    public Builder(MethodHandles.@Nullable Lookup lookup) {
      this.lookup = lookup;
    }

    /** Adds a record with a generated codec. */
    public void add(int id, Class<? extends Record> type) {
      checkFree(id, type);
      GeneratedCodec codec = CodecGenerator.generate(id, type, lookup);
      put(id, new Entry(type.getName(), codec.description(), codec));
    }

    /** Adds a record with a hand-written codec. */
    public <T extends Record> void add(int id, Class<T> type, Codec<T> codec) {
      checkFree(id, type);
      String line = TypeDescription.ofHandWritten(type, codec.layout());
      put(id, new Entry(type.getName(), line, new HandWrittenCodec<>(id, type, codec)));
    }

    /** Adds a view. */
    public void addView(int id, String name) {
      checkId(id, "view " + name);
      if (name.isBlank()) {
        throw new IllegalArgumentException("the view with id " + id + " needs a name");
      }
      put(id, new Entry(name, TypeDescription.ofView(name), null));
    }

    /** The table of what was added so far. */
    public TypeTable build() {
      return new TypeTable(entries);
    }

    private void put(int id, Entry entry) {
      entries.put(id, entry);
    }

    private void checkFree(int id, Class<?> type) {
      checkId(id, type.getName());
      for (Map.Entry<Integer, Entry> taken : entries.entrySet()) {
        MessageCodec codec = taken.getValue().codec;
        if (codec != null && codec.type() == type) {
          throw new IllegalArgumentException(
              type.getName() + " cannot have id " + id + ": it already has " + taken.getKey());
        }
      }
    }

    private void checkId(int id, String name) {
      if (id < 0 || id > MAX_TYPE_ID) {
        throw new IllegalArgumentException(
            name + " cannot have id " + id + ": ids are 0 to " + MAX_TYPE_ID);
      }
      Entry taken = entries.get(id);
      if (taken != null) {
        throw new IllegalArgumentException(
            name + " cannot have id " + id + ": it belongs to " + taken.name);
      }
    }
  }
}
