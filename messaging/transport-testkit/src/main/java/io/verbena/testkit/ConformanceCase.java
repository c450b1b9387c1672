// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.Node;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** What all topics of the suite share: a cluster for each test, a time limit, diagnostics. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(ConformanceCase.Diagnostics.class)
public abstract class ConformanceCase {

  private final Cluster cluster;
  private final LogEntries errors = LogEntries.errors();

  /**
   * Sets a test up; JUnit makes an object for each.
   *
   * @param transports makes the transport
   */
  protected ConformanceCase(Supplier<TransportUnderTest> transports) {
    this.cluster = new Cluster(transports.get());
  }

  /** Ends what the test left open; nothing in it may have disturbed a shared loop. */
  @AfterEach
  final void closeCluster() {
    try (errors) {
      cluster.close();
      errors.assertNone();
    }
  }

  /** The test's nodes. */
  protected final Cluster cluster() {
    return cluster;
  }

  /** Opens a node with the suite's defaults. */
  protected final Node open(int id) {
    return cluster.open(id);
  }

  /** Makes a node with the suite's defaults, to be started once it has its handlers. */
  protected final Node build(int id) {
    return cluster.build(id);
  }

  /** Waits for a condition; see {@link Await}. */
  protected static void await(String what, BooleanSupplier condition) {
    Await.until(what, condition);
  }

  /** Prints the state of all nodes and threads when a test fails. */
  static final class Diagnostics implements TestExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
        throws Throwable {
      if (!(failure instanceof TestAbortedException)
          && context.getRequiredTestInstance() instanceof ConformanceCase test) {
        System.err.println(context.getUniqueId() + " failed: " + failure);
        System.err.println(test.cluster().diagnostics());
      }
      throw failure;
    }
  }
}
