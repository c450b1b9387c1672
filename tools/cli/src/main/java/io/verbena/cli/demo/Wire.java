// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.cli.demo.DemoMessages.Arrived;
import io.verbena.cli.demo.DemoMessages.Question;
import io.verbena.cli.demo.DemoMessages.Reply;
import io.verbena.cli.demo.DemoMessages.Sample;
import java.io.IOException;

/** What carries objects to another process and back. One thread. */
interface Wire extends AutoCloseable {

  Reply ask(Question question) throws IOException, InterruptedException;

  /** May wait for room. */
  void send(Sample sample) throws IOException;

  /** What has arrived of all samples since this was asked last; waits for those under way. */
  Arrived arrived() throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
