// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.Origin;

/** The origin that a generated sink gives its handler; it takes what the handler throws. */
public interface InboundOrigin extends Origin {

  /** The handler threw; the connection is not at fault and goes on. */
  void handlerFailed(Throwable failure);
}
