// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.mpi.World;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceOptions;
import io.verbena.mpi.device.Ranks;
import io.verbena.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Ranks in this JVM. The classes of package {@code mpi} know one world, so each rank has its own of
 * them; programs and the values that are given to them are told by names and classes of the JDK.
 */
final class LoadedRanks implements AutoCloseable {

  private final Ranks ranks;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<OwnClasses> loaders = new ArrayList<>();

  /** Ranks that have begun as by {@code MPI.Init}. */
  LoadedRanks(int size) throws Exception {
    ranks = new Ranks(size, "shm", DeviceOptions.DEFAULTS);
    for (int rank = 0; rank < size; rank++) {
      loaders.add(new OwnClasses());
    }
    all(device -> call(loaders.get(device.rank()), LoadedRanks.class, "begin", World.of(device)));
  }

  /** Calls a static method of a class of this package at all ranks, and waits for all. */
  void run(Class<?> program, String name, Object... arguments) throws Exception {
    all(device -> call(loaders.get(device.rank()), program, name, arguments));
  }

  /** The first failure of one ends all, of whom some may wait for it. */
  private void all(Ranks.Program program) throws Exception {
    ExecutorCompletionService<Void> done = new ExecutorCompletionService<>(threads);
    List<Future<Void>> running = new ArrayList<>();
    for (int rank = 0; rank < loaders.size(); rank++) {
      Device device = ranks.of(rank);
      Callable<Void> call =
          () -> {
            program.run(device);
            return null;
          };
      running.add(done.submit(call));
    }
    try {
      for (int i = 0; i < running.size(); i++) {
        Future<Void> next = done.poll(Await.LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("a rank that has ended: they wait for each other").isNotNull();
        Ranks.join(next);
      }
    } finally {
      running.forEach(each -> each.cancel(true));
    }
  }

  @SuppressWarnings("unused") // called by its name
  static void begin(World world) {
    MPI.begin(() -> world, LoadedRanks.class);
  }

  private static void call(ClassLoader loader, Class<?> program, String name, Object... arguments)
      throws Exception {
    Thread.currentThread().setContextClassLoader(loader);
    Class<?> own = Class.forName(program.getName(), true, loader);
    Method found =
        Arrays.stream(own.getDeclaredMethods())
            .filter(method -> method.getName().equals(name))
            .filter(method -> method.getParameterCount() == arguments.length)
            .findFirst()
            .orElseThrow();
    found.setAccessible(true);
    try {
      found.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw new AssertionError("rank failed in " + name, e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    ranks.close();
  }

  /** The classes of package {@code mpi} once more; all others are everybody's. */
  private static final class OwnClasses extends ClassLoader {

    OwnClasses() {
      super(LoadedRanks.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
      if (!name.startsWith("mpi.")) {
        return super.loadClass(name, isResolved);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (file == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length, LoadedRanks.class.getProtectionDomain());
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
