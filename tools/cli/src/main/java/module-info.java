// SPDX-License-Identifier: Apache-2.0

/** The command line of Verbena. */
module io.verbena.cli {
  requires io.verbena;
  requires io.verbena.bench;
  requires io.verbena.kv.store;
  requires io.verbena.launch;
  requires io.verbena.transport.rdma;
  requires info.picocli;
  requires HdrHistogram;
  requires me.tongfei.progressbar;
  requires tools.jackson.databind;
  requires static org.jspecify;

  uses io.verbena.transport.TransportProvider;

  // The messages of the demo, for the codecs.
  exports io.verbena.cli.demo to
      io.verbena;

  // picocli fills the fields of commands.
  opens io.verbena.cli to
      info.picocli;
  opens io.verbena.cli.kv to
      info.picocli;
}
