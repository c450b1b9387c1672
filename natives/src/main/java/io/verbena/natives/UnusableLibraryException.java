// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

/** A native library is not there or not the one needed; the text says what to do. */
final class UnusableLibraryException extends Exception {

  UnusableLibraryException(String problem, String advice) {
    super(problem + "; " + advice);
  }

  UnusableLibraryException(String problem, String advice, Throwable cause) {
    super(problem + "; " + advice, cause);
  }
}
