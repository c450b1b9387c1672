// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.express;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a program's ranks on MPJ Express' own device, {@code niodev}, without its daemons: {@code
 * java … Niodev 4 java … Program -- argument}. Each rank tells us its two ports and is told those
 * of all, once for each time that the program initialises MPI.
 */
public final class Niodev {

  private static final int MOST_BYTES_AT_ONCE = 131_072; // as MPJ Express has it configured

  private Niodev() {}

  /** How many ranks, then the command that starts one. Ends with the first failure's status. */
  public static void main(String[] arguments) throws Exception {
    int ranks = Integer.parseInt(arguments[0]);
    List<String> command = List.of(arguments).subList(1, arguments.length);
    try (ServerSocket meeting = new ServerSocket(0, ranks, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> introduce(meeting, ranks));
      List<Process> started = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        started.add(start(command, rank, ranks, meeting.getLocalPort()));
      }
      System.exit(await(started));
    }
  }

  /** What MPJ Express wants to know stands before the program's own arguments. */
  private static Process start(List<String> command, int rank, int ranks, int port)
      throws IOException {
    int end = command.contains("--") ? command.indexOf("--") : command.size();
    List<String> whole = new ArrayList<>(command.subList(0, end));
    whole.add(Integer.toString(rank));
    whole.add(
        "#Number of Processes;%d;#Protocol Switch Limit;%d;#Server Name;localhost;#Server Port;%d"
            .formatted(ranks, MOST_BYTES_AT_ONCE, port));
    whole.add("niodev");
    whole.addAll(command.subList(Math.min(end + 1, command.size()), command.size()));
    return new ProcessBuilder(whole).inheritIO().start();
  }

  /** One that fails ends all. */
  private static int await(List<Process> started) throws InterruptedException {
    int status = 0;
    while (status == 0 && started.stream().anyMatch(Process::isAlive)) {
      Thread.sleep(50);
      for (Process each : started) {
        status = each.isAlive() || status != 0 ? status : each.exitValue();
      }
    }
    started.forEach(Process::destroyForcibly);
    return status;
  }

  private static void introduce(ServerSocket meeting, int ranks) {
    try {
      while (true) {
        introduceOnce(meeting, ranks);
      }
    } catch (IOException e) {
      System.err.println("the ranks are not introduced to each other: " + e);
    }
  }

  private static void introduceOnce(ServerSocket meeting, int ranks) throws IOException {
    List<Socket> met = new ArrayList<>();
    String[] places = new String[ranks]; // in this order it expects them
    for (int i = 0; i < ranks; i++) {
      Socket rank = meeting.accept();
      met.add(rank);
      readPlace(new DataInputStream(rank.getInputStream()), places);
    }
    String peers = "#Peer Information;" + String.join(";", places);
    for (Socket rank : met) {
      new DataOutputStream(rank.getOutputStream()).writeUTF(peers);
      rank.close();
    }
  }

  private static void readPlace(DataInputStream says, String[] places) throws IOException {
    String unused = says.readUTF();
    int writes = says.readInt();
    int reads = says.readInt();
    int rank = says.readInt();
    places[rank] = "localhost@%d@%d@%d".formatted(reads, writes, rank);
  }
}
