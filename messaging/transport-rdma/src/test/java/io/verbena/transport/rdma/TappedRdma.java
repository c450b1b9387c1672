// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.testkit.TappedProvider;

/** Verbs whose links a test can take down. */
public final class TappedRdma extends TappedProvider {

  /** By the service loader. */
  public TappedRdma() {
    super(new RdmaProvider());
  }
}
