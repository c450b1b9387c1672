// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/**
 * Two channels with one node, one each way. One thread may write while another one reads.
 *
 * @param reader what the far side writes
 * @param writer what the far side reads
 */
public record Connection(ChannelReader reader, ChannelWriter writer) implements AutoCloseable {

  /** Closes both ends, the writing one first. Idempotent. */
  @Override
  public void close() {
    try {
      writer.close();
    } finally {
      reader.close();
    }
  }
}
