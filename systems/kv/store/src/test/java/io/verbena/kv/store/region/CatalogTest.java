// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.kv.store.base.Health;
import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.Disk.Access;
import io.verbena.kv.store.disk.Folder;
import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogTest {
  @TempDir private Path folder;

  /** The next life's would be negative, or another life's. */
  @Test
  void numbersOfTheLastLifeArePositiveAndThereIsNoOtherOne() throws Exception {
    Disk disk = new Folder(folder);
    manifest(Catalog.MAX_EPOCH - 1).write(disk);
    assertThat(catalog(disk).newNumber()).isPositive();
    assertThat(Manifest.read(disk).epoch()).isEqualTo(Catalog.MAX_EPOCH);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> catalog(disk).newNumber())
        .withMessageContaining("8388607 lives, which is the limit");
  }

  private static Manifest manifest(int epoch) {
    return new Manifest(0, new byte[0], new byte[0], epoch, 0, 0, List.of(), List.of());
  }

  private static Catalog catalog(Disk disk) throws IOException {
    return new Catalog(
        disk,
        new Segments(disk, ".log", Access.LOG),
        new Segments(disk, ".index", Access.DIRECT),
        new Health(),
        Manifest.read(disk),
        List.of());
  }
}
