// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** libverbena, loaded once for the whole process and never unloaded. */
public final class NativeLibrary {

  /** Names a file to load instead of the packed library. */
  public static final String PROPERTY = "verbena.native.library";

  /** {@code VBN_ABI_VERSION} of the header that this package was written to. */
  static final int ABI_VERSION = 2;

  static final String HOW_TO_BUILD =
      "build it with 'mvn -Dfast -DskipTests package', for which a C++ compiler and CMake must be"
          + " installed: apt-get install g++ cmake ninja-build";

  private static final Linker LINKER = Linker.nativeLinker();

  private final String origin;
  private final SymbolLookup symbols;
  private final DeviceFunctions devices;

  private NativeLibrary(String origin, SymbolLookup symbols) throws UnusableLibraryException {
    this.origin = origin;
    this.symbols = symbols;
    checkVersion();
    this.devices = new DeviceFunctions(this);
  }

  /** Whether the user has named a library to load. */
  public static boolean isNamed() {
    return System.getProperty(PROPERTY) != null;
  }

  /**
   * Whether the library can be used here.
   *
   * @return empty if it can, else a sentence that says what is missing and what to do
   */
  public static String unusableBecause() {
    return Loaded.ATTEMPT.unusableBecause();
  }

  /**
   * The library of this process.
   *
   * @throws IllegalStateException with the text of {@link #unusableBecause}, if it is not empty
   */
  public static NativeLibrary get() {
    NativeLibrary library = Loaded.ATTEMPT.library();
    if (library == null) {
      throw new IllegalStateException(unusableBecause());
    }
    return library;
  }

  /** The one attempt to load it, made when somebody first asks. */
  private static final class Loaded {
    static final Attempt ATTEMPT = Attempt.make(System.getProperty(PROPERTY));
  }

  /** What came of loading: the library, or why there is none. */
  record Attempt(@Nullable NativeLibrary library, String unusableBecause) {

    static Attempt make(@Nullable String named) {
      String denied =
          NativeAccess.deniedBecause(NativeLibrary.class, () -> MemorySegment.NULL.reinterpret(0));
      if (!denied.isEmpty()) {
        return new Attempt(null, denied);
      }
      try {
        return new Attempt(named == null ? openPacked() : openNamed(Path.of(named)), "");
      } catch (InvalidPathException e) {
        return new Attempt(null, PROPERTY + " is no file's name here: " + e.getMessage());
      } catch (UnusableLibraryException e) {
        return new Attempt(null, String.valueOf(e.getMessage()));
      }
    }
  }

  private static NativeLibrary openPacked() throws UnusableLibraryException {
    try (PackedLibrary packed = PackedLibrary.unpack()) {
      String origin = "the packed library " + PackedLibrary.resource();
      return new NativeLibrary(origin, load(packed.file(), origin));
    } catch (IOException e) {
      throw new UnusableLibraryException(
          "the unpacked native library cannot be removed: " + e.getMessage(),
          "name another folder by -Djava.io.tmpdir=FOLDER",
          e);
    }
  }

  static NativeLibrary openNamed(Path file) throws UnusableLibraryException {
    String origin = file + " (" + PROPERTY + ")";
    if (!Files.isReadable(file)) {
      throw new UnusableLibraryException(
          origin + " is not there or not readable",
          "name a libverbena.so that is, or leave the property out");
    }
    return new NativeLibrary(origin, load(file, origin));
  }

  private static SymbolLookup load(Path file, String origin) throws UnusableLibraryException {
    try {
      return SymbolLookup.libraryLookup(file.toAbsolutePath(), Arena.global());
    } catch (IllegalArgumentException e) {
      throw new UnusableLibraryException(
          origin + " cannot be loaded: " + loaderSays(file),
          "it must be built for this system, and lie where programs may run (no noexec mount)",
          e);
    }
  }

  /** The lookup does not tell the loader's reason, the other way to load a library does. */
  private static String loaderSays(Path file) {
    try {
      System.load(file.toAbsolutePath().toString());
      return "the loader did not say why";
    } catch (UnsatisfiedLinkError e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void checkVersion() throws UnusableLibraryException {
    MethodHandle version = function("vbn_abi_version", FunctionDescriptor.of(ValueLayout.JAVA_INT));
    int found = (int) Calls.call(version);
    if (found != ABI_VERSION) {
      throw new UnusableLibraryException(
          origin + " has version " + found + " of the C ABI, needed is " + ABI_VERSION,
          "build the library and the Java classes from one source tree: " + HOW_TO_BUILD);
    }
  }

  /** A function of the library, ready to be called. */
  MethodHandle function(String name, FunctionDescriptor shape) throws UnusableLibraryException {
    return symbols
        .find(name)
        .map(address -> LINKER.downcallHandle(address, shape))
        .orElseThrow(
            () ->
                new UnusableLibraryException(
                    origin + " has no function " + name + ": it is older, or not libverbena",
                    HOW_TO_BUILD));
  }

  /**
   * A function of this process' library.
   *
   * @throws IllegalStateException if it has none of that name
   */
  public static MethodHandle bind(String name, FunctionDescriptor shape) {
    try {
      return get().function(name, shape);
    } catch (UnusableLibraryException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  DeviceFunctions devices() {
    return devices;
  }

  /**
   * Why the last call of this thread failed. A virtual thread that was moved in between, which
   * takes more than luck, would get an empty text.
   */
  public String lastError() {
    return String.valueOf(Calls.text(devices.error));
  }
}
