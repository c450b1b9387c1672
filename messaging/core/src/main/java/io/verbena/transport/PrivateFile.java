// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a file that holds a secret has to be: its owner's alone. */
public final class PrivateFile {

  private static final Set<PosixFilePermission> OF_OTHERS =
      Collections.unmodifiableSet(
          EnumSet.range(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_EXECUTE));

  private PrivateFile() {}

  /**
   * Why a file keeps no secret, with what to do: a sentence that wants the file as its subject;
   * empty if none but its owner has access. File systems without such permissions have to be
   * trusted.
   *
   * @throws IOException if the file's permissions cannot be read
   */
  public static String exposure(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    return view == null || Collections.disjoint(view.readAttributes().permissions(), OF_OTHERS)
        ? ""
        : "is open to others than its owner; run 'chmod 600 " + file + "'";
  }
}
