// SPDX-License-Identifier: Apache-2.0

/** Workloads that measure Verbena. */
module io.verbena.bench {
  requires transitive io.verbena;
  requires transitive HdrHistogram;
  requires io.verbena.fabric;
  requires io.verbena.kv.store;
  requires io.verbena.mpi;
  requires java.desktop;
  requires java.management;
  requires jdk.management;
  requires transitive tools.jackson.databind;
  requires java.xml;
  requires org.apache.xmlgraphics.batik.awt.util;
  requires org.apache.xmlgraphics.batik.svggen;
  requires xchart;
  requires static org.jspecify;

  uses io.verbena.transport.TransportProvider;

  exports io.verbena.bench;
  exports io.verbena.bench.bfs;
  exports io.verbena.bench.channel;
  exports io.verbena.bench.compare;
  exports io.verbena.bench.compare.contest;
  exports io.verbena.bench.compare.peer;
  exports io.verbena.bench.control;
  exports io.verbena.bench.fabric;
  exports io.verbena.bench.figure;
  exports io.verbena.bench.kv;
  exports io.verbena.bench.message;
  exports io.verbena.bench.mpi;
  exports io.verbena.bench.node;
  exports io.verbena.bench.plan;
  exports io.verbena.bench.plot;
  exports io.verbena.bench.process;
  exports io.verbena.bench.raw;
  exports io.verbena.bench.shmem;
  exports io.verbena.bench.verify;
}
