// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.testkit.TappedProvider;

/** Shared memory whose links a test can take down. */
public final class TappedShm extends TappedProvider {

  /** By the service loader. */
  public TappedShm() {
    super(new ShmTransportProvider());
  }
}
