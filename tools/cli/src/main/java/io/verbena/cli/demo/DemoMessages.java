// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.MessageTypes;
import java.io.Serializable;
import java.util.Map;

/** What the processes of the demo say to each other. */
public final class DemoMessages {

  private DemoMessages() {}

  static MessageTypes types() {
    return MessageTypes.builder()
        .add(1, Chunk.class)
        .add(2, Partial.class)
        .add(3, ProgressQuery.class)
        .add(4, Progress.class)
        .add(5, PageQuery.class)
        .add(6, Page.class)
        .add(7, Question.class)
        .add(8, Reply.class)
        .add(9, Sample.class)
        .add(10, ArrivedQuery.class)
        .add(11, Arrived.class)
        .add(12, SocketQuery.class)
        .add(13, SocketPlace.class)
        .build();
  }

  /**
   * A piece of text to be counted.
   *
   * @param number from 0 on
   * @param text the text
   * @param checksum of the text
   */
  public record Chunk(int number, String text, int checksum) {}

  /**
   * The words of one chunk that belong to one owner.
   *
   * @param chunk its number
   * @param counts how often each word stands in it
   * @param total the sum of the counts
   */
  public record Partial(int chunk, Map<String, Integer> counts, int total) {}

  /** Asks an owner how far it is. */
  public record ProgressQuery() {}

  /**
   * How far an owner is.
   *
   * @param chunks of how many chunks it has its part
   * @param duplicated parts that came again
   * @param corrupted chunks and parts that were not what was sent
   */
  public record Progress(int chunks, int duplicated, int corrupted) {}

  /** Asks an owner for some of its words. */
  public record PageQuery(int page) {}

  /**
   * Some of an owner's words.
   *
   * @param counts at most {@link WordOwner#PAGE_WORDS} words and how often they were seen
   * @param isLast whether no page follows
   */
  public record Page(Map<String, Integer> counts, boolean isLast) {}

  /** Asks how many letters a word has. */
  public record Question(long number, String word) implements Serializable {}

  /** The answer to the question of this number. */
  public record Reply(long number, int letters) implements Serializable {}

  /** 64 bytes, which begin with the message's number. */
  public record Sample(byte[] bytes) implements Serializable {}

  /** Asks what has become of the samples since it was asked last. */
  public record ArrivedQuery() implements Serializable {}

  /**
   * The samples that have arrived.
   *
   * @param inOrder whether each had the number that was due
   */
  public record Arrived(long count, boolean inOrder) implements Serializable {}

  /** Asks for a socket of the JDK's beside the node. */
  public record SocketQuery() {}

  /**
   * Where that is.
   *
   * @param password what is to be said there first
   */
  public record SocketPlace(String host, int port, byte[] password) {}
}
