// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

import io.verbena.bench.message.StampFormat;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * One process of a peer: hears commands on standard input, answers each with a line of JSON on
 * standard output, and ends when its input does. tools/bench/peers/README.md tells the conversation.
 */
public final class PeerProcess {

  private final InputStream in;
  private final PrintStream out;
  private final PeerOptions options;
  private final Judge judge;
  private final StampFormat stamps;
  private long sent;

  PeerProcess(PeerOptions options, InputStream in, PrintStream out) {
    this.in = in;
    this.out = out;
    this.options = options;
    this.judge = new Judge(options.sizeBytes());
    this.stamps = StampFormat.ofMessages(options.sizeBytes());
  }

  /** Runs the process until its input ends. */
  public static void run(Peer peer, String[] arguments) {
    PeerOptions options = new PeerOptions(arguments);
    PeerProcess process = new PeerProcess(options, System.in, System.out);
    int status = 0;
    try {
      process.converse(peer);
    } catch (Throwable e) { // told to the suite, which ends the run
      e.printStackTrace();
      process.say("failed", "\"reason\":" + quoted(e.toString()));
      status = 1;
    }
    // What the library left running is not waited for.
    Runtime.getRuntime().halt(status);
  }

  /** Opens an end, does what it is told, and closes it. */
  void converse(Peer peer) throws Exception {
    if (options.sends()) {
      try (SendingEnd end = peer.openSender(options)) {
        ready(peer);
        obey(end);
      }
    } else {
      try (AutoCloseable _ = peer.openReceiver(options, judge)) {
        ready(peer);
        obey(null);
      }
    }
  }

  private void ready(Peer peer) {
    String version = "\"version\":" + quoted(peer.version());
    say("ready", version + ",\"settings\":" + quoted(peer.settings(options)));
  }

  private void obey(SendingEnd end) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.strip().split(" ");
      long number = Long.parseLong(words[1]);
      switch (words[0]) {
        case "send" -> say("sent", options.hasReplies() ? request(end, number) : send(end, number));
        case "expect" -> say("received", judge.verdict(number));
        default -> throw new IllegalArgumentException("unknown command '" + line + "'");
      }
    }
  }

  private String send(SendingEnd end, long durationNs) throws Exception {
    SendRound round = new SendRound(stamps, options.sizeBytes(), durationNs, sent);
    end.messages(round);
    sent = round.sent();
    return "\"messages\":" + sent;
  }

  private String request(SendingEnd end, long durationNs) throws Exception {
    RequestRound round = new RequestRound(stamps, durationNs, sent);
    end.requests(round);
    sent = round.sent();
    return round.report();
  }

  private void say(String event, String values) {
    String line = "{\"role\":\"%s\",\"event\":\"%s\",%s}".formatted(options.role(), event, values);
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }

  private static String quoted(String text) {
    return '"' + text.replaceAll("[\"\\\\\\p{Cntrl}]", "'") + '"';
  }
}
