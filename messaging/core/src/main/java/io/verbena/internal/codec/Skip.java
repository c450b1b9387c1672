// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.util.ArrayList;
import java.util.List;

/**
 * How to skip a value that only the peer's version of a program knows. This side has no class for
 * it, so this is interpreted and not generated.
 */
sealed interface Skip {

  /** Allows two records that nest as deep as any may, with all that can lie between them. */
  int MAX_DEPTH = 2048;

  /** A primitive or an enum constant. */
  record Fixed(int bytes) implements Skip {}

  /** A boxed primitive: presence, then the value. */
  record Boxed(int bytes) implements Skip {}

  /** A text or an array: a count, then so many elements of equal size. */
  record Elements(int bytes) implements Skip {}

  /** A list, set or map: a count, then so many elements, or keys and values. */
  record Many(List<Skip> each) implements Skip {}

  /** An Optional. */
  record Maybe(Skip value) implements Skip {}

  /** A sealed interface; compared by identity because it may contain itself. */
  final class OneOf implements Skip {
    private final List<Body> options = new ArrayList<>();

    void add(Body option) {
      options.add(option);
    }
  }

  /** A record behind its presence byte; compared by identity because it may contain itself. */
  final class Body implements Skip {
    private int fixedPartBytes;
    private final List<Skip> variable = new ArrayList<>();

    /** Adds the next component. */
    void add(Skip component) {
      if (component instanceof Fixed(int bytes)) {
        fixedPartBytes += bytes;
      } else {
        variable.add(component);
      }
    }

    int fixedPartBytes() {
      return fixedPartBytes;
    }

    /** The components of variable length, as generated code holds them. */
    Skip[] variable() {
      return variable.toArray(Skip[]::new);
    }
  }

  /** The fewest bytes a value takes. */
  private int minBytes() {
    return this instanceof Fixed(int bytes) ? bytes : 1;
  }

  /** Skips one value of each kind. */
  static void all(Skip[] values, Input in, String where) {
    for (Skip value : values) {
      one(value, in, where, 0);
    }
  }

  private static void one(Skip what, Input in, String where, int depth) {
    if (depth > MAX_DEPTH) {
      throw Decoding.tooDeep(where);
    }
    switch (what) {
      case Fixed(int bytes) -> in.take(bytes, where);
      case Boxed(int bytes) -> in.take(Decoding.mark(in, 1, where) * bytes, where);
      case Elements(int bytes) -> elements(bytes, in, where);
      case Many(List<Skip> each) -> many(each, in, where, depth);
      case Maybe(Skip value) -> {
        if (Decoding.mark(in, 2, where) == 2) {
          one(value, in, where, depth + 1);
        }
      }
      case OneOf oneOf -> {
        int mark = Decoding.mark(in, oneOf.options.size(), where);
        if (mark > 0) {
          body(oneOf.options.get(mark - 1), in, where, depth);
        }
      }
      case Body body -> {
        if (Decoding.mark(in, 1, where) == 1) {
          body(body, in, where, depth);
        }
      }
    }
  }

  /** Skips elements, which are there: the count was compared with the bytes that are left. */
  private static void elements(int bytes, Input in, String where) {
    in.step(Math.max(0, Decoding.count(in, bytes, where)) * bytes);
  }

  private static void many(List<Skip> each, Input in, String where, int depth) {
    int minBytes = each.stream().mapToInt(Skip::minBytes).sum();
    int count = Decoding.count(in, minBytes, where);
    for (int i = 0; i < count; i++) {
      for (Skip value : each) {
        one(value, in, where, depth + 1);
      }
    }
  }

  private static void body(Body body, Input in, String where, int depth) {
    in.take(body.fixedPartBytes, where);
    for (Skip value : body.variable) {
      one(value, in, where, depth + 1);
    }
  }
}
