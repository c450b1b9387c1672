// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

/** A buffered send finds no room in the buffer that is attached, or there is none. */
public final class BufferFullException extends RuntimeException {

  private static final long serialVersionUID = 1;

  BufferFullException(long bytes, long used, long capacity) {
    super(
        "a buffered send takes %d bytes; of %d that are attached %d are used: attach more"
            .formatted(bytes, capacity, used));
  }
}
