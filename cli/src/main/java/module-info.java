// SPDX-License-Identifier: Apache-2.0

/** The command line of Verbena. */
module io.verbena.cli {
  requires io.verbena;
  requires io.verbena.bench;
  requires info.picocli;
  requires HdrHistogram;
  requires me.tongfei.progressbar;
  requires static org.jspecify;
}
