// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.control;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A conversation with one who is measured: commands are told, reports are heard. Whoever cannot go
 * on reports {@code failed} with a {@code reason}. Every failure names who it was, how long it was
 * given, and what is known of it.
 */
public final class Conversation {

  private static final Duration LISTEN = Duration.ofMillis(5);
  private static final int MOST_CHARS = 400;
  private static final String FAILED = "failed";

  private final String name;
  private final LineChannel channel;
  private final Supplier<String> state;

  /**
   * Of somebody.
   *
   * @param name who it is, for messages
   * @param channel our end
   * @param state what has become of it: {@code ended with status 1}
   */
  public Conversation(String name, LineChannel channel, Supplier<String> state) {
    this.name = name;
    this.channel = channel;
    this.state = state;
  }

  /** What somebody says who cannot go on. */
  public static Line failure(String reason) {
    return new Line(FAILED).with("reason", reason);
  }

  /** Says something. */
  public void tell(Line command) {
    channel.write(command);
  }

  /**
   * Waits for a report.
   *
   * @throws BenchException if it failed, ended, reports something else, or says nothing in time
   */
  public Line hear(String word, Duration patience) throws InterruptedException {
    return hearAll(List.of(this), word, patience).getFirst();
  }

  /**
   * Waits for a report of each of several. The first failure is told, whoever has it, and those
   * that are heard of with it: one's end may be another one's failure.
   *
   * @return the reports, in the order of the conversations
   * @throws BenchException if one failed, ended, reports something else, or says nothing in time
   */
  public static List<Line> hearAll(List<Conversation> all, String word, Duration patience)
      throws InterruptedException {
    Map<Conversation, Line> heard = new HashMap<>();
    long endNs = System.nanoTime() + patience.toNanos();
    while (heard.size() < all.size()) {
      for (Conversation one : all) {
        Line line = heard.containsKey(one) ? null : one.channel.read(LISTEN);
        if (line != null && line.word().equals(FAILED)) {
          throw failure(line, one, all);
        } else if (line != null) {
          heard.put(one, one.checked(line, word, patience));
        } else if (!heard.containsKey(one) && System.nanoTime() > endNs) {
          throw one.silent(word, patience);
        }
      }
    }
    return all.stream().map(one -> Objects.requireNonNull(heard.get(one))).toList();
  }

  private static BenchException failure(Line line, Conversation failed, List<Conversation> all)
      throws InterruptedException {
    StringBuilder text = new StringBuilder(failed.failureText(line));
    for (Conversation other : all) {
      Line theirs = other == failed ? null : other.channel.read(LISTEN);
      if (theirs != null && theirs.word().equals(FAILED)) {
        text.append("; ").append(other.failureText(theirs));
      }
    }
    return new BenchException(text.toString());
  }

  private String failureText(Line line) {
    return name + " failed: " + (line.has("reason") ? line.text("reason") : "it does not say why");
  }

  private BenchException silent(String word, Duration patience) {
    return new BenchException(
        "%s did not report '%s' within %s: it %s"
            .formatted(name, word, text(patience), state.get()));
  }

  private Line checked(Line line, String word, Duration patience) {
    if (line == LineChannel.END) {
      throw new BenchException(
          "%s %s; it was given %s to report '%s'"
              .formatted(name, state.get(), text(patience), word));
    }
    if (!line.word().equals(word)) {
      String all = line.toString();
      String said = all.substring(0, Math.min(all.length(), MOST_CHARS));
      throw new BenchException("%s reported '%s', not '%s'".formatted(name, said, word));
    }
    return line;
  }

  /** A time that was given, for messages. */
  public static String text(Duration patience) {
    return patience.toMillis() % 1000 == 0
        ? patience.toSeconds() + " s"
        : patience.toMillis() + " ms";
  }
}
