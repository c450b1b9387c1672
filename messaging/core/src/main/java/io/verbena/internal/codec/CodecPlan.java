// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the generator needs for one type: its shape, and the way to each record in it. */
record CodecPlan(Shape.Product root, Map<Shape.Product, Access> access, boolean isPeers) {

  /** A plan for reading and writing this side's version of a type. */
  CodecPlan(Shape.Product root, Map<Shape.Product, Access> access) {
    this(root, access, false);
  }

  /**
   * A plan for reading what a peer's version of the type writes.
   *
   * @param own this side's record for each record in {@code root}
   */
  CodecPlan forPeers(Shape.Product root, Map<Shape.Product, Shape.Product> own) {
    Map<Shape.Product, Access> found = new HashMap<>();
    own.forEach((peers, mine) -> found.put(peers, accessTo(mine)));
    return new CodecPlan(root, Map.copyOf(found), true);
  }

  static CodecPlan of(Shape.Product root, MethodHandles.@Nullable Lookup lookup) {
    Map<Shape.Product, Access> found = new HashMap<>();
    collect(root, lookup, found);
    return new CodecPlan(root, Map.copyOf(found));
  }

  Access accessTo(Shape.Product product) {
    return Objects.requireNonNull(access.get(product), product.name());
  }

  boolean hasText() {
    return hasText(root, new HashSet<>());
  }

  private static boolean hasText(Shape shape, Set<Shape> seen) {
    return switch (shape) {
      case Shape.Text _ -> true;
      case Shape.Product product ->
          seen.add(product)
              && product.components().stream().anyMatch(c -> hasText(c.shape(), seen));
      case Shape.Choice choice -> choice.options().stream().anyMatch(o -> hasText(o, seen));
      case Shape.ListOf list -> hasText(list.element(), seen);
      case Shape.SetOf set -> hasText(set.element(), seen);
      case Shape.MapOf map -> hasText(map.key(), seen) || hasText(map.value(), seen);
      case Shape.Maybe maybe -> hasText(maybe.value(), seen);
      case Shape.Scalar _, Shape.Box _, Shape.Constant _, Shape.Array _ -> false;
    };
  }

  private static void collect(
      Shape shape, MethodHandles.@Nullable Lookup lookup, Map<Shape.Product, Access> found) {
    switch (shape) {
      case Shape.Product product -> {
        if (!found.containsKey(product)) {
          found.put(product, Access.to(product, lookup));
          product.components().forEach(c -> collect(c.shape(), lookup, found));
        }
      }
      case Shape.Choice choice -> choice.options().forEach(o -> collect(o, lookup, found));
      case Shape.ListOf list -> collect(list.element(), lookup, found);
      case Shape.SetOf set -> collect(set.element(), lookup, found);
      case Shape.MapOf map -> {
        collect(map.key(), lookup, found);
        collect(map.value(), lookup, found);
      }
      case Shape.Maybe maybe -> collect(maybe.value(), lookup, found);
      case Shape.Scalar _, Shape.Box _, Shape.Text _, Shape.Constant _, Shape.Array _ -> {}
    }
  }
}
