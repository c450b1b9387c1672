// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.log;

/**
 * What a manifest says of a segment of the log.
 *
 * @param used how many bytes count; 0 of one that is open: it was being written, or may not be
 *     stored whole
 * @param after the last operation before it
 * @param lastSequence its last operation; of one that is open, the last one that is known to be
 *     durable, or 0
 * @param live bytes of operations whose values trees lead to
 */
public record LogSegment(long number, int used, long after, long lastSequence, long live) {

  /** One that is begun behind an operation. */
  public static LogSegment begun(long number, long after) {
    return new LogSegment(number, 0, after, 0, 0);
  }

  public boolean isOpen() {
    return used == 0;
  }

  public LogSegment closed(int used, long lastSequence) {
    return new LogSegment(number, used, after, lastSequence, live);
  }

  public LogSegment opened(long durable) {
    return new LogSegment(number, 0, after, durable > after ? durable : 0, live);
  }

  public LogSegment withLive(long changed) {
    return new LogSegment(number, used, after, lastSequence, changed);
  }
}
