// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

/**
 * One thing the doctor looked at.
 *
 * @param what it is
 * @param verdict whether it is as it should be
 * @param found what it is like
 * @param advice what it costs and what to do; empty if there is nothing to say
 */
record Finding(String what, Verdict verdict, String found, String advice) {

  /** How bad it is. */
  enum Verdict {
    /** As it should be. */
    GOOD("ok"),
    /** Works, but slower or less than it could. */
    POOR("!"),
    /** Something will not work. */
    BROKEN("FAIL");

    private final String mark;

    Verdict(String mark) {
      this.mark = mark;
    }

    String mark() {
      return mark;
    }
  }

  static Finding good(String what, String found) {
    return new Finding(what, Verdict.GOOD, found, "");
  }

  static Finding poor(String what, String found, String advice) {
    return new Finding(what, Verdict.POOR, found, advice);
  }

  static Finding broken(String what, String found, String advice) {
    return new Finding(what, Verdict.BROKEN, found, advice);
  }
}
