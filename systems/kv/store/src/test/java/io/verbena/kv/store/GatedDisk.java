// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A disk on which the first thread to change a file can be held up, and that knows what was changed
 * when.
 */
final class GatedDisk implements Disk {
  private final Disk disk;
  private final Gate gate;

  /** What all folders share. */
  static final class Gate {
    volatile String heldName = "nothing";
    volatile String heldThread = ""; // what its name begins with
    private final AtomicBoolean holds = new AtomicBoolean(true);
    final CountDownLatch held = new CountDownLatch(1);
    final CountDownLatch open = new CountDownLatch(1);
    final AtomicBoolean closed = new AtomicBoolean();
    final AtomicBoolean changedAfterwards = new AtomicBoolean();

    /** Returns when a thread is held up; fails if this one ends without that. */
    void awaitHeld(Thread thread) {
      Crew.await("it is held up, or over", () -> held.getCount() == 0 || !thread.isAlive());
      assertThat(held.getCount()).as("whether %s was held up", thread).isZero();
    }

    void pass(String name) {
      if (name.endsWith(heldName)
          && Thread.currentThread().getName().startsWith(heldThread)
          && holds.getAndSet(false)) {
        held.countDown();
        try {
          open.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      if (closed.get()) {
        changedAfterwards.set(true);
      }
    }
  }

  GatedDisk(Disk disk, Gate gate) {
    this.disk = disk;
    this.gate = gate;
  }

  @Override
  public List<String> list() throws IOException {
    return disk.list();
  }

  @Override
  public DiskFile create(String name, Access access) throws IOException {
    gate.pass(name);
    return new File(disk.create(name, access), name);
  }

  @Override
  public DiskFile open(String name, Access access) throws IOException {
    return disk.open(name, access);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    gate.pass(from);
    disk.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    gate.pass(name);
    disk.delete(name);
  }

  @Override
  public void syncNames() throws IOException {
    disk.syncNames();
  }

  @Override
  public Disk folder(String name) throws IOException {
    return new GatedDisk(disk.folder(name), gate);
  }

  @Override
  public AutoCloseable lock(String name) throws IOException {
    return disk.lock(name);
  }

  @Override
  public long usableBytes() throws IOException {
    return disk.usableBytes();
  }

  @Override
  public String describe(String name) {
    return disk.describe(name);
  }

  /** Writes and syncs pass the gate under its name and {@code .write} or {@code .sync}. */
  private final class File implements DiskFile {
    private final DiskFile file;
    private final String name;

    File(DiskFile file, String name) {
      this.file = file;
      this.name = name;
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
      gate.pass(name + ".write");
      file.write(position, bytes);
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
      return file.read(position, into);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void sync() throws IOException {
      gate.pass(name + ".sync");
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
