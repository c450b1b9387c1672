// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.kv;

import io.verbena.kv.store.Store;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The process of the demo that writes until it is killed, and says after each write how many it has
 * done.
 */
public final class DemoWriter {
  private DemoWriter() {}

  /** Arguments: the store's folder, the number of the first write, files with text. */
  public static void main(String[] arguments) throws IOException {
    List<Path> files = Arrays.stream(arguments).skip(2).map(Path::of).toList();
    DemoText text = new DemoText(files);
    DataOutputStream out = new DataOutputStream(System.out);
    try (Store store = Store.open(Path.of(arguments[0]))) {
      for (long write = Long.parseLong(arguments[1]); ; write++) {
        store.put(text.key(write), text.value(write));
        out.writeLong(write + 1);
      }
    }
  }
}
