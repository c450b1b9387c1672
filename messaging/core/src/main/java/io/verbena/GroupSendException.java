// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A message did not get to some of the nodes it was sent to; all others have it in their lanes. The
 * failures are suppressed exceptions of this one, too.
 */
public final class GroupSendException extends VerbenaException {
  private static final long serialVersionUID = 1L;

  private final TreeMap<Integer, VerbenaException> failures;

  /**
   * Makes one.
   *
   * @param what the message's class
   * @param nodes how many nodes it was sent to
   * @param failures by node id
   */
  public GroupSendException(String what, int nodes, SortedMap<Integer, VerbenaException> failures) {
    super(describe(what, nodes, failures));
    this.failures = new TreeMap<>(failures);
    failures.values().forEach(this::addSuppressed);
  }

  private static String describe(
      String what, int nodes, SortedMap<Integer, VerbenaException> failures) {
    StringBuilder text =
        new StringBuilder("a ")
            .append(what)
            .append(" did not get to ")
            .append(failures.size())
            .append(" of ")
            .append(nodes)
            .append(" nodes");
    failures.forEach(
        (node, failure) ->
            text.append("; node ").append(node).append(": ").append(failure.getMessage()));
    return text.toString();
  }

  /** Why, by the ids of the nodes that did not get it. */
  public SortedMap<Integer, VerbenaException> failures() {
    return Collections.unmodifiableSortedMap(failures);
  }
}
