// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.Node;
import io.verbena.cli.demo.DemoMessages.Arrived;
import io.verbena.cli.demo.DemoMessages.ArrivedQuery;
import io.verbena.cli.demo.DemoMessages.Question;
import io.verbena.cli.demo.DemoMessages.Reply;
import io.verbena.cli.demo.DemoMessages.Sample;
import java.time.Duration;

/** Verbena's. */
record NodeWire(Node node, int peer, Duration patience) implements Wire {

  @Override
  public Reply ask(Question question) throws InterruptedException {
    return node.request(peer, question, Reply.class, patience);
  }

  @Override
  public void send(Sample sample) {
    node.send(peer, sample);
  }

  /** Comes behind what was sent before: all that a node sends another is in one order. */
  @Override
  public Arrived arrived() throws InterruptedException {
    return node.request(peer, new ArrivedQuery(), Arrived.class, patience);
  }

  /** The node is another's. */
  @Override
  public void close() {}
}
