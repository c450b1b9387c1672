// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.fabric.RegionKey;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What ranks say to each other beside messages. It goes before these, and waits for nothing but
 * room: a message that waits for leave must not keep anybody from giving it.
 */
sealed interface Answer {

  byte role();

  /** Its size on the wire. */
  int bytes();

  /** Writes what is not common to all. */
  void write(MemorySegment to, long at);

  /**
   * See {@link Wire#GO}.
   *
   * @param window where the bytes may be written to; null: they go by pieces
   */
  record Go(long sender, long receiver, long wanted, @Nullable RegionKey window) implements Answer {

    /** A message is matched of which no bytes are wanted, or which is here. */
    static Go nothing(long sender) {
      return new Go(sender, Slots.NONE, 0, null);
    }

    @Override
    public byte role() {
      return Wire.GO;
    }

    @Override
    public int bytes() {
      return Wire.GO_BYTES + (window == null ? 0 : RegionKey.BYTES);
    }

    @Override
    public void write(MemorySegment to, long at) {
      Wire.putLong(to, at + 8, sender);
      Wire.putLong(to, at + 16, receiver);
      Wire.putLong(to, at + 24, wanted);
      if (window != null) {
        MemorySegment key = MemorySegment.ofArray(window.toBytes());
        MemorySegment.copy(key, 0, to, at + Wire.GO_BYTES, RegionKey.BYTES);
      }
    }
  }

  /** See {@link Wire#ALLOWANCE}: bytes go back with every answer, heads by this one. */
  record More(int heads) implements Answer {
    @Override
    public byte role() {
      return Wire.ALLOWANCE;
    }

    @Override
    public int bytes() {
      return Wire.ALLOWANCE_BYTES;
    }

    @Override
    public void write(MemorySegment to, long at) {
      Wire.putLong(to, at + 8, Integer.toUnsignedLong(heads)); // with four bytes that mean nothing
    }
  }

  /** See {@link Wire#ABANDONED}. */
  record Abandoned(long receiver) implements Answer {
    @Override
    public byte role() {
      return Wire.ABANDONED;
    }

    @Override
    public int bytes() {
      return Wire.ABANDONED_BYTES;
    }

    @Override
    public void write(MemorySegment to, long at) {
      Wire.putLong(to, at + 8, receiver);
    }
  }

  /** See {@link Wire#PLACED}. */
  record Placed(long receiver) implements Answer {
    @Override
    public byte role() {
      return Wire.PLACED;
    }

    @Override
    public int bytes() {
      return Wire.PLACED_BYTES;
    }

    @Override
    public void write(MemorySegment to, long at) {
      Wire.putLong(to, at + 8, receiver);
    }
  }

  /** A role that has nothing but itself. */
  record Word(byte role) implements Answer {
    @Override
    public int bytes() {
      return Wire.COMMON_BYTES;
    }

    @Override
    public void write(MemorySegment to, long at) {}
  }
}
