// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.util.ArrayList;
import java.util.List;

/** An origin that remembers what handlers threw. */
final class RecordingOrigin extends UnansweredOrigin {

  final List<Throwable> failures = new ArrayList<>();

  @Override
  public void handlerFailed(Throwable failure) {
    failures.add(failure);
  }
}
