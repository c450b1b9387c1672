// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.MessageTurn;
import io.verbena.internal.lane.Frame;
import java.lang.foreign.MemorySegment;

/**
 * The turns of one type of messages of fixed length at an exclusive lane. What is the same for each
 * message is found once, so that little is left to do for one.
 */
final class TypedTurn implements MessageTurn {

  private final ExclusiveLane lane;
  private final MemorySegment segment;
  private final long header;
  private final int frameBytes;

  TypedTurn(ExclusiveLane lane, MessageCodec codec) {
    int bytes = Frame.HEADER_BYTES + codec.fixedLength();
    this.lane = lane;
    this.segment = lane.segment();
    this.header = Frame.header(bytes, codec.typeId(), Frame.MESSAGE, 0);
    this.frameBytes = Frame.align(bytes);
  }

  @Override
  public long begin() {
    return lane.beginTurn(frameBytes) + Frame.HEADER_BYTES;
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public void publish(long at) {
    lane.endTurn(at - Frame.HEADER_BYTES, header, frameBytes);
  }

  @Override
  public void abort(long at) {
    lane.abortTurn(at - Frame.HEADER_BYTES, frameBytes);
  }
}
