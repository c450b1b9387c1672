// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

/** Something of a job could not be done; the text is the native library's sentence. */
public final class JobException extends RuntimeException {

  JobException(String message) {
    super(message);
  }
}
