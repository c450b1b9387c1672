// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The predefined operations on integers: {@code inout[b + i] = in[a + i] op inout[b + i]}. One loop
 * for each operation and type, so that the compiler turns each into vector instructions.
 */
final class IntegerKernels {

  private IntegerKernels() {}

  static void apply(Op.Kind op, byte[] in, int a, byte[] inout, int b, int n) {
    switch (op) {
      case MAX -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (byte) Math.max(in[a + i], inout[b + i]);
        }
      }
      case MIN -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (byte) Math.min(in[a + i], inout[b + i]);
        }
      }
      case SUM -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (byte) (in[a + i] + inout[b + i]);
        }
      }
      case PROD -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (byte) (in[a + i] * inout[b + i]);
        }
      }
      case LAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 && inout[b + i] != 0 ? (byte) 1 : (byte) 0;
        }
      }
      case LOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 || inout[b + i] != 0 ? (byte) 1 : (byte) 0;
        }
      }
      case LXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (in[a + i] != 0) != (inout[b + i] != 0) ? (byte) 1 : (byte) 0;
        }
      }
      case BAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (byte) (in[a + i] & inout[b + i]);
        }
      }
      case BOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (byte) (in[a + i] | inout[b + i]);
        }
      }
      case BXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (byte) (in[a + i] ^ inout[b + i]);
        }
      }
      case MAXLOC, MINLOC -> {
        for (int i = 0; i < n; i += 2) {
          int order = Byte.compare(in[a + i], inout[b + i]);
          if (Op.takes(op, order, in[a + i + 1] < inout[b + i + 1])) {
            inout[b + i] = in[a + i];
            inout[b + i + 1] = in[a + i + 1];
          }
        }
      }
    }
  }

  static void apply(Op.Kind op, char[] in, int a, char[] inout, int b, int n) {
    switch (op) {
      case MAX -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (char) Math.max(in[a + i], inout[b + i]);
        }
      }
      case MIN -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (char) Math.min(in[a + i], inout[b + i]);
        }
      }
      case SUM -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (char) (in[a + i] + inout[b + i]);
        }
      }
      case PROD -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (char) (in[a + i] * inout[b + i]);
        }
      }
      case LAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 && inout[b + i] != 0 ? (char) 1 : (char) 0;
        }
      }
      case LOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 || inout[b + i] != 0 ? (char) 1 : (char) 0;
        }
      }
      case LXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (in[a + i] != 0) != (inout[b + i] != 0) ? (char) 1 : (char) 0;
        }
      }
      case BAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (char) (in[a + i] & inout[b + i]);
        }
      }
      case BOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (char) (in[a + i] | inout[b + i]);
        }
      }
      case BXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (char) (in[a + i] ^ inout[b + i]);
        }
      }
      case MAXLOC, MINLOC -> {
        for (int i = 0; i < n; i += 2) {
          int order = Character.compare(in[a + i], inout[b + i]);
          if (Op.takes(op, order, in[a + i + 1] < inout[b + i + 1])) {
            inout[b + i] = in[a + i];
            inout[b + i + 1] = in[a + i + 1];
          }
        }
      }
    }
  }

  static void apply(Op.Kind op, short[] in, int a, short[] inout, int b, int n) {
    switch (op) {
      case MAX -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (short) Math.max(in[a + i], inout[b + i]);
        }
      }
      case MIN -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (short) Math.min(in[a + i], inout[b + i]);
        }
      }
      case SUM -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (short) (in[a + i] + inout[b + i]);
        }
      }
      case PROD -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (short) (in[a + i] * inout[b + i]);
        }
      }
      case LAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 && inout[b + i] != 0 ? (short) 1 : (short) 0;
        }
      }
      case LOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 || inout[b + i] != 0 ? (short) 1 : (short) 0;
        }
      }
      case LXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (in[a + i] != 0) != (inout[b + i] != 0) ? (short) 1 : (short) 0;
        }
      }
      case BAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (short) (in[a + i] & inout[b + i]);
        }
      }
      case BOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (short) (in[a + i] | inout[b + i]);
        }
      }
      case BXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (short) (in[a + i] ^ inout[b + i]);
        }
      }
      case MAXLOC, MINLOC -> {
        for (int i = 0; i < n; i += 2) {
          int order = Short.compare(in[a + i], inout[b + i]);
          if (Op.takes(op, order, in[a + i + 1] < inout[b + i + 1])) {
            inout[b + i] = in[a + i];
            inout[b + i + 1] = in[a + i + 1];
          }
        }
      }
    }
  }

  static void apply(Op.Kind op, int[] in, int a, int[] inout, int b, int n) {
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
      case LAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 && inout[b + i] != 0 ? 1 : 0;
        }
      }
      case LOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 || inout[b + i] != 0 ? 1 : 0;
        }
      }
      case LXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (in[a + i] != 0) != (inout[b + i] != 0) ? 1 : 0;
        }
      }
      case BAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] & inout[b + i];
        }
      }
      case BOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] | inout[b + i];
        }
      }
      case BXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] ^ inout[b + i];
        }
      }
      case MAXLOC, MINLOC -> {
        for (int i = 0; i < n; i += 2) {
          int order = Integer.compare(in[a + i], inout[b + i]);
          if (Op.takes(op, order, in[a + i + 1] < inout[b + i + 1])) {
            inout[b + i] = in[a + i];
            inout[b + i + 1] = in[a + i + 1];
          }
        }
      }
    }
  }

  static void apply(Op.Kind op, long[] in, int a, long[] inout, int b, int n) {
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
      case LAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 && inout[b + i] != 0 ? 1 : 0;
        }
      }
      case LOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] != 0 || inout[b + i] != 0 ? 1 : 0;
        }
      }
      case LXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = (in[a + i] != 0) != (inout[b + i] != 0) ? 1 : 0;
        }
      }
      case BAND -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] & inout[b + i];
        }
      }
      case BOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] | inout[b + i];
        }
      }
      case BXOR -> {
        for (int i = 0; i < n; i++) {
          inout[b + i] = in[a + i] ^ inout[b + i];
        }
      }
      case MAXLOC, MINLOC -> {
        for (int i = 0; i < n; i += 2) {
          int order = Long.compare(in[a + i], inout[b + i]);
          if (Op.takes(op, order, in[a + i + 1] < inout[b + i + 1])) {
            inout[b + i] = in[a + i];
            inout[b + i + 1] = in[a + i + 1];
          }
        }
      }
    }
  }
}
