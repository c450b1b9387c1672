// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.log;

/**
 * What a manifest says of a segment of the log.
 *
 * @param used how many bytes count; 0 of the one that was being written
 * @param lastSequence of its last operation; not known of the one that was being written
 * @param live bytes of operations whose values trees lead to
 */
public record LogSegment(long number, int used, long lastSequence, long live) {

  public boolean isOpen() {
    return used == 0;
  }

  public LogSegment withLive(long changed) {
    return new LogSegment(number, used, lastSequence, changed);
  }
}
