// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** A channel that remembers what was written to it. */
record RecordingChannel(ByteChannel channel, ByteArrayOutputStream written) implements ByteChannel {

  RecordingChannel(ByteChannel channel) {
    this(channel, new ByteArrayOutputStream());
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    return channel.read(to);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    ByteBuffer copy = from.duplicate();
    int count = channel.write(from);
    for (int i = 0; i < count; i++) {
      written.write(copy.get());
    }
    return count;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
