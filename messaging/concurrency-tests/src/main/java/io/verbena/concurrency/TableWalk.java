// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JL_Result;

/** A walk comes by all that was published before it, each entry whole and in order. */
@JCStressTest
@Outcome(
    id = {"2, ac", "2, abc", "2, acd", "2, abcd", "3, abc", "3, abcd", "4, abcd"},
    expect = ACCEPTABLE,
    desc = "all of it, and perhaps what came meanwhile")
@Outcome(expect = FORBIDDEN, desc = "an entry is lost, torn or out of order")
@State
public class TableWalk {
  private final SmallTable small = new SmallTable();

  public TableWalk() {
    small.add('c', 1);
    small.add('a', 2);
  }

  @Actor
  public void write() {
    small.add('b', 3);
    small.add('d', 4);
  }

  @Actor
  public void walk(JL_Result result) {
    result.r1 = small.published();
    result.r2 = small.walk('a');
  }
}
