// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.lang.foreign.MemorySegment;

/** The callback for messages of all types that have no other handler: sees their bytes. */
@FunctionalInterface
public interface OtherViewHandler {

  /**
   * Takes one message as bytes; see {@link ViewHandler#handle} for what holds of them.
   *
   * @param typeId the message's type
   */
  void handle(int typeId, MemorySegment segment, long offset, int length, Origin from)
      throws Exception;
}
