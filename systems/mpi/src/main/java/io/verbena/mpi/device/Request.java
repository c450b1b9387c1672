// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Something that was begun and will be done: a send, a receive, a probe. It is done once; what it
 * was about may be read by any thread that has seen so. {@link Device} has the calls that wait.
 */
public abstract sealed class Request permits SendRequest, ReceiveRequest {

  private static final VarHandle DONE;

  static {
    try {
      DONE = MethodHandles.lookup().findVarHandle(Request.class, "done", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Context context;
  private @Nullable DeviceException failure; // published by DONE

  @SuppressWarnings("unused") // by DONE
  private boolean done;

  Request(Context context) {
    this.context = context;
  }

  /** The context that it belongs to. */
  public final Context context() {
    return context;
  }

  /** Whether it is over, well or not. Makes no progress by itself: see {@link Device#test}. */
  public final boolean isDone() {
    return (boolean) DONE.getAcquire(this); // pairs with the release in finish
  }

  /** Why it ended without its message; null if it is not done, or went well. */
  public final @Nullable DeviceException failure() {
    return isDone() ? failure : null;
  }

  /**
   * Throws what has ended it, if that was a failure.
   *
   * @throws DeviceException {@link TruncatedException} or {@link RankLostException}
   */
  public final void check() {
    DeviceException why = failure();
    if (why != null) {
      throw why.again();
    }
  }

  /** By whoever has taken it from where it waited, who is one alone. */
  final void finish(@Nullable DeviceException why) {
    failure = why;
    DONE.setRelease(this, true); // pairs with the acquire in isDone
  }

  // ---------------------------------------------------------------- for who asks what is waited
  // for

  /** What the program calls it. */
  abstract String call();

  /** The rank that is waited for; {@link Device#ANY_SOURCE} if it is any. */
  abstract int peer();

  /** Its tag; {@link Device#ANY_TAG} if it is any. */
  abstract int wireTag();
}
