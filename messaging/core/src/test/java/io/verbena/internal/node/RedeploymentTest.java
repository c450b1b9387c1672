// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An application server loads an application with this library, and another version of it later, by
 * class loaders of their own, and its threads outlive both.
 */
@Tag("timing")
class RedeploymentTest {

  private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(3);

  /** A message with a text. */
  public record Note(String text) {}

  @Test
  void nothingKeepsTheClassLoaderOnceItsNodesAreClosed() throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      loaders.add(useOnThisThread());
    }
    // The JDK keeps the last one softly: java.lang.runtime.ObjectMethods, which makes equals of
    // records, has a cache of one entry.
    useOnThisThread();
    long untilNs = System.nanoTime() + PATIENCE_NS;
    while (living(loaders) > 0 && System.nanoTime() - untilNs < 0) {
      System.gc();
      Thread.sleep(100); // idle threads of the library end some seconds later
    }
    assertThat(living(loaders)).isZero();
  }

  private static long living(List<WeakReference<ClassLoader>> loaders) {
    return loaders.stream().filter(loader -> loader.get() != null).count();
  }

  private static WeakReference<ClassLoader> useOnThisThread() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Method talk = loader.loadClass(RedeploymentTest.class.getName()).getDeclaredMethod("talk");
      talk.setAccessible(true);
      assertThat(talk.invoke(null)).isEqualTo("a text");
      return new WeakReference<>(loader);
    }
  }

  private static String talk() {
    NodeConfig config =
        NodeConfig.builder()
            .id(1)
            .cluster("redeployment")
            .transport("loopback")
            .types(MessageTypes.builder().add(1, Note.class).build())
            .build();
    CompletableFuture<String> heard = new CompletableFuture<>();
    try (Node node = Node.build(config)) {
      node.handle(Note.class, (note, from) -> heard.complete(note.text()));
      node.start();
      node.send(1, new Note("a text"));
      return heard.orTimeout(PATIENCE_NS, TimeUnit.NANOSECONDS).join();
    }
  }
}
