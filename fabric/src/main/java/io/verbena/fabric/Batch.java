// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.util.ArrayList;
import java.util.List;

/** What is asked for until it is posted at once. Of one thread. */
final class Batch {

  private final List<Promise<?>> asked = new ArrayList<>();
  private boolean isOver;

  void add(Promise<?> promise) {
    if (isOver) {
      promise.fail(
          new RefusedException(promise.what() + ": its batch is over; ask the link itself"));
    } else {
      asked.add(promise);
    }
  }

  /** Nothing is added any more. */
  List<Promise<?>> end() {
    isOver = true;
    return asked;
  }

  /** Nothing of it is posted. */
  void giveUp(Throwable why) {
    for (Promise<?> promise : end()) {
      promise.fail(new RefusedException(promise.what() + ": its batch was given up: " + why));
    }
  }
}
