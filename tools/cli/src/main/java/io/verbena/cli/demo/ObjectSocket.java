// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.Socket;

/** Objects over a socket of the JDK's, in its own serialization. */
final class ObjectSocket implements AutoCloseable {

  private static final int BUFFER_BYTES = 1 << 16;

  /** The streams keep every object until they are reset, and name its class anew after that. */
  private static final int OBJECTS_UNTIL_RESET = 1000;

  private static final ObjectInputFilter OURS =
      ObjectInputFilter.Config.createFilter(
          "maxarray=64;maxdepth=3;" + DemoMessages.class.getName() + "$*;java.lang.String;!*");

  private final Socket socket;
  private final ObjectOutputStream out;
  private final ObjectInputStream in;
  private int written;

  /** Of a socket whose far end makes one, too. */
  ObjectSocket(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    out = new ObjectOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
    out.flush(); // each reads what the other's stream begins with
    in = new ObjectInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
    in.setObjectInputFilter(OURS);
  }

  void write(Object object) throws IOException {
    if (++written % OBJECTS_UNTIL_RESET == 0) {
      out.reset();
    }
    out.writeObject(object);
  }

  void flush() throws IOException {
    out.flush();
  }

  Object read() throws IOException {
    try {
      return in.readObject();
    } catch (ClassNotFoundException e) {
      throw new InvalidClassException(
          "the far side says what this one does not know: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
