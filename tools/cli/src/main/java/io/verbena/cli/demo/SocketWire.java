// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.cli.demo.DemoMessages.Arrived;
import io.verbena.cli.demo.DemoMessages.ArrivedQuery;
import io.verbena.cli.demo.DemoMessages.Question;
import io.verbena.cli.demo.DemoMessages.Reply;
import io.verbena.cli.demo.DemoMessages.Sample;
import io.verbena.cli.demo.DemoMessages.SocketPlace;
import java.io.IOException;
import java.net.Socket;

/** The JDK's: a socket and its serialization, as one would write it without a library. */
final class SocketWire implements Wire {

  private final ObjectSocket socket;

  SocketWire(SocketPlace place) throws IOException {
    Socket dialled = new Socket(place.host(), place.port());
    try {
      dialled.getOutputStream().write(place.password());
      socket = new ObjectSocket(dialled);
    } catch (IOException e) {
      dialled.close();
      throw e;
    }
  }

  @Override
  public Reply ask(Question question) throws IOException {
    return ask(question, Reply.class);
  }

  @Override
  public void send(Sample sample) throws IOException {
    socket.write(sample);
  }

  @Override
  public Arrived arrived() throws IOException {
    return ask(new ArrivedQuery(), Arrived.class);
  }

  private <T> T ask(Record question, Class<T> answer) throws IOException {
    socket.write(question);
    socket.flush();
    return answer.cast(socket.read());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
