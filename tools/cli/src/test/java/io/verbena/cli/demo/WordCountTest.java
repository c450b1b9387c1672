// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.cli.demo.DemoMessages.Partial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordCountTest {

  @Test
  void wordsAreRunsOfLettersInLowerCase() {
    assertThat(Words.count("The cat; the CAT's 9 lives"))
        .isEqualTo(Map.of("the", 2, "cat", 2, "s", 1, "lives", 1));
    assertThat(Words.count("")).isEmpty();
  }

  @Property(tries = 200)
  void splittingATextChangesNoCount(
      @ForAll String text, @ForAll @IntRange(min = 1, max = 20) int n) {
    Map<String, Integer> sum = new HashMap<>();
    Words.split(text, n)
        .forEach(p -> Words.count(p).forEach((w, c) -> sum.merge(w, c, Integer::sum)));
    assertThat(sum).isEqualTo(Words.count(text));
    assertThat(String.join("", Words.split(text, n))).isEqualTo(text);
  }

  @Test
  void everyOwnerHasItsPart() {
    Map<Integer, Map<String, Integer>> parts = Words.byOwner(Map.of("a", 1, "b", 2), 3);
    assertThat(parts).containsOnlyKeys(1, 2, 3);
    assertThat(parts.get(Words.ownerOf("a", 3))).containsEntry("a", 1);
  }

  @Test
  void ownerCountsRepeatedAndCorruptedParts() {
    WordOwner owner = new WordOwner();
    owner.add(new Partial(0, Map.of("a", 2), 2));
    owner.add(new Partial(0, Map.of("a", 2), 2));
    owner.add(new Partial(1, Map.of("a", 2), 3));
    assertThat(owner.count("a")).isEqualTo(2);
    assertThat(owner.progress()).isEqualTo(new DemoMessages.Progress(1, 1, 1));
  }

  @Test
  void pagesHoldAllWordsOnce() {
    WordOwner owner = new WordOwner();
    Map<String, Integer> words = new HashMap<>();
    for (int i = 0; i < WordOwner.PAGE_WORDS + 1; i++) {
      words.put("w" + i, 1);
    }
    owner.add(new Partial(0, words, words.size()));
    Map<String, Integer> gathered = new HashMap<>(owner.page(0).counts());
    assertThat(owner.page(0).isLast()).isFalse();
    assertThat(owner.page(1).isLast()).isTrue();
    gathered.putAll(owner.page(1).counts());
    assertThat(gathered).isEqualTo(words);
  }

  @Test
  void readsFilesAndFoldersButNoHiddenOnes(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.txt"), "one");
    Files.writeString(folder.resolve("b.bin"), "two");
    Files.createDirectories(folder.resolve(".git"));
    Files.writeString(folder.resolve(".git/c.txt"), "three");
    Files.createDirectories(folder.resolve("target"));
    Files.writeString(folder.resolve("target/d.txt"), "four");
    assertThat(TextFiles.read(List.of(folder))).containsExactly("one");
    assertThat(TextFiles.read(List.of(folder.resolve("b.bin")))).containsExactly("two");
  }

  @Test
  void namesWhatCannotBeRead(@TempDir Path folder) {
    assertThatThrownBy(() -> TextFiles.read(List.of(folder.resolve("none"))))
        .isInstanceOf(DemoException.class)
        .hasMessageContaining("none");
    assertThatThrownBy(() -> TextFiles.read(List.of(folder))).hasMessageContaining("no text files");
  }
}
