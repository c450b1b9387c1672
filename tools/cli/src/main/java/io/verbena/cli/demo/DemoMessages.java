// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.MessageTypes;
import java.util.Map;

/** What the nodes of the word count say to each other. */
public final class DemoMessages {

  private DemoMessages() {}

  static MessageTypes types() {
    return MessageTypes.builder()
        .add(1, Chunk.class)
        .add(2, Partial.class)
        .add(3, ProgressQuery.class)
        .add(4, Progress.class)
        .add(5, Lookup.class)
        .add(6, WordCount.class)
        .add(7, PageQuery.class)
        .add(8, Page.class)
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
   * @param messagesSent by its node
   */
  public record Progress(int chunks, int duplicated, int corrupted, long messagesSent) {}

  /** Asks the owner of a word how often it was seen. */
  public record Lookup(String word) {}

  /** How often a word was seen. */
  public record WordCount(String word, int count) {}

  /** Asks an owner for some of its words. */
  public record PageQuery(int page) {}

  /**
   * Some of an owner's words.
   *
   * @param counts at most {@link WordOwner#PAGE_WORDS} words and how often they were seen
   * @param isLast whether no page follows
   */
  public record Page(Map<String, Integer> counts, boolean isLast) {}
}
