// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.kv;

import io.verbena.cli.demo.TextFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the demo writes: write number n puts a piece of real text, with n in front, under one of as
 * many keys as there are pieces. So whoever knows the pieces can tell of any value whether it is
 * right.
 */
final class DemoText {
  private static final int LINES_OF_LONG_PIECE = 20;

  private final List<String> pieces = new ArrayList<>();

  DemoText(List<Path> files) throws IOException {
    for (String text : TextFiles.read(files)) {
      List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
      for (int i = 0; i < lines.size(); i++) {
        boolean isLong = i % LINES_OF_LONG_PIECE == 0;
        int end = isLong ? Math.min(lines.size(), i + LINES_OF_LONG_PIECE) : i + 1;
        pieces.add(String.join("\n", lines.subList(i, end)));
      }
    }
  }

  int keys() {
    return pieces.size();
  }

  byte[] key(long write) {
    return String.format("piece %08d", write % keys()).getBytes(StandardCharsets.UTF_8);
  }

  byte[] value(long write) {
    return (write + " " + pieces.get((int) (write % keys()))).getBytes(StandardCharsets.UTF_8);
  }

  /** The number of the write that a value is from. */
  static long writeOf(byte[] value) {
    int end = 0;
    while (end < value.length && value[end] != ' ') {
      end++;
    }
    return Long.parseLong(new String(value, 0, end, StandardCharsets.UTF_8));
  }

  /** The last write of a key among those before a number; -1 if there is none. */
  long lastOf(int key, long writes) {
    return key >= writes ? -1 : key + (writes - 1 - key) / keys() * keys();
  }
}
