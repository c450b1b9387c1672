// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import java.util.List;

/** Blocks that are there already. */
record Listed(List<Layout> layouts) implements Blocks {

  Listed(Layout... layouts) {
    this(List.of(layouts));
  }

  @Override
  public int count() {
    return layouts.size();
  }

  @Override
  public Layout at(int member) {
    return layouts.get(member);
  }
}
