// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A script in place of a native tool. */
public final class FakeTool {

  private FakeTool() {}

  /** Makes one in a folder. */
  public static Tool in(Path folder, String script) throws IOException {
    Path file =
        Files.createFile(
            folder.resolve("tool"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    return new Tool(file);
  }
}
