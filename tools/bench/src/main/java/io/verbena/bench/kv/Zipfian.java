// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import java.util.random.RandomGenerator;

/**
 * Numbers from 0 on, of which each is drawn as often as 1 / (number + 1)^0.99, by the method of
 * Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD 1994.
 */
final class Zipfian {
  private static final double THETA = 0.99;

  private final long count;
  private final double zeta;
  private final double eta;

  /**
   * @param count how many numbers there are
   */
  Zipfian(long count) {
    this.count = count;
    double sum = 0;
    for (long i = 1; i <= count; i++) {
      sum += 1 / Math.pow(i, THETA);
    }
    zeta = sum;
    double ofTwo = 1 + 1 / Math.pow(2, THETA);
    eta = (1 - Math.pow(2.0 / count, 1 - THETA)) / (1 - ofTwo / zeta);
  }

  long next(RandomGenerator random) {
    double point = random.nextDouble();
    double scaled = point * zeta;
    if (scaled < 1) {
      return 0;
    }
    if (scaled < 1 + Math.pow(0.5, THETA)) {
      return Math.min(1, count - 1);
    }
    double at = count * Math.pow(eta * point - eta + 1, 1 / (1 - THETA));
    return Math.min((long) at, count - 1);
  }
}
