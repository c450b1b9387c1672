// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/**
 * The callback a message type is registered with.
 *
 * <p>Where it runs is the handler's {@link Execution}. An inline handler runs on the thread that
 * receives; it must not block, and its sends never do (see {@link Node#send}).
 *
 * @param <T> the message type
 */
@FunctionalInterface
public interface MessageHandler<T extends Record> {

  /**
   * Takes one message.
   *
   * @param message the message, owned by the handler
   * @param from where it came from, and the way back; valid during this call only, unless {@link
   *     Origin#retain() retained}
   * @throws Exception anything thrown is counted and reported; if the message is a request, its
   *     sender gets it as a {@link RemoteHandlerException}
   */
  void handle(T message, Origin from) throws Exception;
}
