// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What nodes are called in the folder: by their id, and by their port if they also listen on a
 * network. The port keeps two clusters of one name apart that run on one host: an address with a
 * port means the node of that port and no other. An address without one means whoever has the id,
 * as long as there is only one.
 */
final class NodeNames {

  private static final Logger LOG = System.getLogger("io.verbena.transport.shm");

  private final Rendezvous rendezvous;
  private final Set<Integer> noted = ConcurrentHashMap.newKeySet();

  NodeNames(Rendezvous rendezvous) {
    this.rendezvous = rendezvous;
  }

  /**
   * A node's name.
   *
   * @param address where it listens or is said to, {@code host:port}, or empty
   */
  static String nameOf(int id, String address) {
    int colon = address.lastIndexOf(':');
    String port = colon < 0 ? "" : address.substring(colon + 1);
    return port.isEmpty() || port.equals("0") ? Integer.toString(id) : id + "-" + port;
  }

  /** Where a peer listens, or would if it were here. */
  Path socketOf(int peer, String address) {
    String name = nameOf(peer, address);
    Path socket = rendezvous.socketOf(name);
    if (Files.exists(socket)) {
      return socket;
    }
    List<String> others = rendezvous.namesOf(peer);
    if (address.isEmpty() && others.size() == 1) {
      return rendezvous.socketOf(others.getFirst());
    }
    if (!others.isEmpty() && noted.add(peer)) {
      LOG.log(Level.INFO, hint(peer, name, others));
    }
    return socket;
  }

  /**
   * Says what is there instead of a peer's socket.
   *
   * @throws IOException if it is not there
   */
  void checkIsThere(Path socket, int peer) throws IOException {
    if (Files.exists(socket)) {
      return;
    }
    List<String> others = rendezvous.namesOf(peer);
    throw new IOException(
        others.isEmpty()
            ? "no node " + peer + " shares memory here: there is no " + socket
            : hint(peer, nameIn(socket), others));
  }

  private static String nameIn(Path socket) {
    String file = socket.getFileName().toString();
    return file.substring(0, file.lastIndexOf('.'));
  }

  private static String hint(int peer, String name, List<String> others) {
    return "no node named "
        + name
        + " shares memory here, but "
        + others
        + "; if that is node "
        + peer
        + ", name it in 'peers' by the port it listens on, or as '"
        + peer
        + "=' without an address";
  }
}
