// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.channel;

import io.verbena.bench.compare.Comparison;
import io.verbena.bench.compare.Outcome;
import io.verbena.bench.figure.Row;
import java.util.List;

/**
 * What was measured of channels so far.
 *
 * @param bare channels beside bare memory, and by the device
 * @param comparison what was to be compared with others
 * @param outcome what that gave
 */
public record ChannelResult(List<Row> bare, Comparison comparison, Outcome outcome) {

  public ChannelResult {
    bare = List.copyOf(bare);
  }
}
