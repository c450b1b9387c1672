// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

/** Is told how far a run has come; called by the thread that runs the bench. */
public interface Progress {

  /** Says nothing. */
  Progress SILENT =
      new Progress() {
        @Override
        public void begins(int rounds) {}

        @Override
        public void roundBegins(String what) {}

        @Override
        public void roundEnds() {}
      };

  /** A run begins. */
  void begins(int rounds);

  /** A round begins. */
  void roundBegins(String what);

  /** A round is over. */
  void roundEnds();
}
