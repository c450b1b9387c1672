// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A look-up finds what was published before it, and nothing newer, while its key and one that has
 * the same place in the hash table are written.
 */
@JCStressTest
@Outcome(
    id = {"2, 2", "3, 2", "4, 4"},
    expect = ACCEPTABLE,
    desc = "the newest one that was published")
@Outcome(expect = FORBIDDEN, desc = "an entry is lost, torn or too new")
@State
public class TableLookUp {
  private static final int OTHER = SmallTable.sameSlotAs('b');

  private final SmallTable small = new SmallTable();

  public TableLookUp() {
    small.add('a', 1);
    small.add('b', 2);
  }

  @Actor
  public void write() {
    small.add(OTHER, 3);
    small.add('b', 4);
  }

  @Actor
  public void look(JJ_Result result) {
    result.r1 = small.published();
    result.r2 = small.find('b', result.r1);
  }
}
