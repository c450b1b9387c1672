// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The predefined operations on floating-point numbers: {@code inout[b + i] = in[a + i] op inout[b +
 * i]}. One loop for each operation and type, so that the compiler turns each into vector
 * instructions.
 */
final class FloatKernels {

  private FloatKernels() {}

  /** As of numbers: zeros of both signs are equal, and what is no number is greater than all. */
  private static int order(double one, double other) {
    return one == other ? 0 : Double.compare(one, other);
  }

  static void apply(Op.Kind op, float[] in, int a, float[] inout, int b, int n) {
    switch (op) {
      case MAX -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = Math.max(in[a + i], inout[b + i]);
        }
      }
      case MIN -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = Math.min(in[a + i], inout[b + i]);
        }
      }
      case SUM -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] + inout[b + i];
        }
      }
      case PROD -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] * inout[b + i];
        }
      }
      case MAXLOC, MINLOC -> {
        for (int i = 0; i < n; i += 2) {
          int order = order(in[a + i], inout[b + i]);
          if (Op.takes(op, order, in[a + i + 1] < inout[b + i + 1])) {
            inout[b + i] = in[a + i];
            inout[b + i + 1] = in[a + i + 1];
          }
        }
      }
      case LAND, LOR, LXOR, BAND, BOR, BXOR -> throw Op.none(op, Base.FLOAT);
    }
  }

  static void apply(Op.Kind op, double[] in, int a, double[] inout, int b, int n) {
    switch (op) {
      case MAX -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = Math.max(in[a + i], inout[b + i]);
        }
      }
      case MIN -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = Math.min(in[a + i], inout[b + i]);
        }
      }
      case SUM -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] + inout[b + i];
        }
      }
      case PROD -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] * inout[b + i];
        }
      }
      case MAXLOC, MINLOC -> {
        for (int i = 0; i < n; i += 2) {
          int order = order(in[a + i], inout[b + i]);
          if (Op.takes(op, order, in[a + i + 1] < inout[b + i + 1])) {
            inout[b + i] = in[a + i];
            inout[b + i + 1] = in[a + i + 1];
          }
        }
      }
      case LAND, LOR, LXOR, BAND, BOR, BXOR -> throw Op.none(op, Base.DOUBLE);
    }
  }
}
