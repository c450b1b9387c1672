// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.jspecify.annotations.Nullable;

/** What the elements of a buffer are. The codes are MPJ Express'. */
enum Base {
  /** Of LB and UB, which take no room. */
  NONE(-1, 0, null),
  /** Of the datatype that is none. */
  NULL(0, 0, null),
  BYTE(1, 1, byte.class),
  CHAR(2, 2, char.class),
  SHORT(3, 2, short.class),
  BOOLEAN(4, 1, boolean.class),
  INT(5, 4, int.class),
  LONG(6, 8, long.class),
  FLOAT(7, 4, float.class),
  DOUBLE(8, 8, double.class),
  PACKED(9, 1, byte.class),
  OBJECT(12, 0, null);

  final int code;
  final int bytes;
  final @Nullable Class<?> component;

  Base(int code, int bytes, @Nullable Class<?> component) {
    this.code = code;
    this.bytes = bytes;
    this.component = component;
  }

  boolean isInteger() {
    return switch (this) {
      case BYTE, CHAR, SHORT, INT, LONG -> true;
      case FLOAT, DOUBLE, BOOLEAN, PACKED, OBJECT, NONE, NULL -> false;
    };
  }

  boolean isNumber() {
    return isInteger() || this == FLOAT || this == DOUBLE;
  }
}
