// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.Origin;

/** The origin a generated sink hands to its handler; takes what the handler throws. */
public interface InboundOrigin extends Origin {

  /** The handler threw; the connection is not to blame and goes on. */
  void handlerFailed(Throwable failure);
}
