// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.Waiters;
import io.verbena.transport.rdma.internal.Endpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** A link's control stream while it belongs to the handshake. Blocks; of one thread. */
final class ControlChannel implements ByteChannel {

  /** How long to wait for room: the far side takes what it is sent as soon as it looks. */
  private static final long ROOM_PAUSE_NS = 100_000;

  private final long id;
  private final Endpoint endpoint;
  private final RdmaLink link;
  private final ControlInput input;

  ControlChannel(long id, Endpoint endpoint, RdmaLink link, ControlInput input) {
    this.id = id;
    this.endpoint = endpoint;
    this.link = link;
    this.input = input;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return input.read(target);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int count = source.remaining();
    ByteBuffer copy = ByteBuffer.allocateDirect(count).put(source).flip();
    MemorySegment bytes = MemorySegment.ofBuffer(copy);
    long done = 0;
    while (done < count) {
      if (!link.isUp()) {
        throw new IOException("the link went down: " + link.endReason());
      }
      done += endpoint.write(id, bytes.asSlice(done));
      endpoint.pump(id);
      if (done < count) {
        Waiters.pause(this, ROOM_PAUSE_NS);
      }
    }
    return count;
  }

  @Override
  public boolean isOpen() {
    return link.isUp();
  }

  /** The handshake gives up: nothing else can be done with the link. */
  @Override
  public void close() {
    link.close("the handshake came to nothing");
    input.end("the handshake came to nothing");
  }
}
