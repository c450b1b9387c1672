// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.MessageTypes;
import io.verbena.Node;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A program that is there in two versions: classes of the same names, each version in a class
 * loader of its own. The second has all that the first has, and more.
 */
public interface ProgramUnderTest {

  /** What only the second version can say. */
  enum What {
    /** A message of a type that the first version does not have. */
    NEW_TYPE,
    /** A constant that the first version's enum does not have. */
    NEW_CONSTANT,
    /** A record that the first version's sealed interface does not have. */
    NEW_RECORD
  }

  /** The messages of this version. */
  MessageTypes types();

  /** Answers the other nodes' messages and looks whether they are what they should be. */
  void serve(Node node);

  /** Sends a request that both versions understand and looks at the answer. */
  void ask(Node node, int to, long number) throws InterruptedException;

  /** Sends a one-way message that both versions understand. */
  void tell(Node node, int to, long number);

  /** How many one-way messages came, each in its turn. */
  long told();

  /** Sends a one-way message that the first version does not understand. */
  void say(Node node, int to, What what);

  /** Sends the same to several nodes at once. */
  void sayToAll(Node node, Collection<Integer> to, What what);

  /** Sends the same as a request. */
  void ask(Node node, int to, What what) throws InterruptedException;

  /** A new program of version 1 or 2. */
  static ProgramUnderTest ofVersion(int version) {
    return Compiled.LOADERS.computeIfAbsent(version, Compiled::compile).newProgram();
  }

  /** One version's classes. */
  final class Compiled {
    private static final ConcurrentMap<Integer, Compiled> LOADERS = new ConcurrentHashMap<>();
    private static final String NAME = "io.verbena.testkit.program.Program";

    private final ClassLoader loader;

    private Compiled(ClassLoader loader) {
      this.loader = loader;
    }

    private ProgramUnderTest newProgram() {
      try {
        return (ProgramUnderTest) loader.loadClass(NAME).getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the program cannot be started", e);
      }
    }

    private static Compiled compile(int version) {
      try {
        Path classes = Files.createTempDirectory("verbena-program-");
        try {
          compile(source(version), classes);
          URLClassLoader loader =
              new URLClassLoader(
                  new URL[] {classes.toUri().toURL()}, ProgramUnderTest.class.getClassLoader());
          Compiled made = new Compiled(loader);
          loadAll(loader, classes); // the files go
          return made;
        } finally {
          delete(classes);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String source(int version) throws IOException {
      String name = "program/Version" + version + ".txt";
      try (InputStream in = ProgramUnderTest.class.getResourceAsStream(name)) {
        return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
      }
    }

    private static void compile(String source, Path classes) {
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      List<String> options =
          List.of("-d", classes.toString(), "-cp", placeOf(Node.class) + ":" + placeOf(What.class));
      JavaFileObject file =
          new SimpleJavaFileObject(
              URI.create("string:///" + NAME.replace('.', '/') + ".java"),
              JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
              return source;
            }
          };
      if (!compiler.getTask(null, null, null, options, null, List.of(file)).call()) {
        throw new IllegalStateException("the program does not compile; see standard error");
      }
    }

    private static Path placeOf(Class<?> type) {
      try {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void loadAll(ClassLoader loader, Path classes) throws IOException {
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String path = classes.relativize(file).toString();
          loader.loadClass(path.replace(".class", "").replace('/', '.'));
        }
      } catch (ClassNotFoundException e) {
        throw new IOException(e);
      }
    }

    private static void delete(Path folder) throws IOException {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
