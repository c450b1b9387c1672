// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The library that travels in the jar. A loader needs a file, so it is unpacked into a folder that
 * only this user may enter, and taken away as soon as it has been loaded: what is mapped stays, and
 * a killed process leaves nothing behind.
 */
final class PackedLibrary implements AutoCloseable {

  private final Path folder;
  private final Path file;

  private PackedLibrary(Path folder) {
    this.folder = folder;
    this.file = folder.resolve("libverbena.so");
  }

  /** Unpacks the library for this platform. */
  static PackedLibrary unpack() throws UnusableLibraryException {
    return unpack(resource());
  }

  static PackedLibrary unpack(String resource) throws UnusableLibraryException {
    try (InputStream packed = PackedLibrary.class.getResourceAsStream(resource)) {
      if (packed == null) {
        throw new UnusableLibraryException(
            "the native library is not in this build (" + resource + ")",
            NativeLibrary.HOW_TO_BUILD);
      }
      return unpack(packed);
    } catch (IOException e) {
      throw new UnusableLibraryException(
          "the native library cannot be unpacked into " + parentFolder() + ": " + e,
          "name a folder with room by -Djava.io.tmpdir=FOLDER",
          e);
    }
  }

  private static PackedLibrary unpack(InputStream packed) throws IOException {
    // Made with mode 0700: nobody else can put a library of theirs in its place.
    PackedLibrary library = new PackedLibrary(Files.createTempDirectory("verbena-native-"));
    try {
      Files.copy(packed, library.file);
      return library;
    } catch (IOException e) {
      library.close();
      throw e;
    }
  }

  /** Where it lies in the jar. */
  static String resource() {
    return "/META-INF/native/" + platform(System.getProperty("os.arch")) + "/libverbena.so";
  }

  /** The name CMake knows the platform by. */
  static String platform(String architecture) {
    return "linux-" + (architecture.equals("amd64") ? "x86_64" : architecture);
  }

  private static String parentFolder() {
    return System.getProperty("java.io.tmpdir");
  }

  Path file() {
    return file;
  }

  /** Takes the file away; what was loaded from it stays. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(folder);
  }
}
