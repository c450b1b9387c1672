// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.Default;
import io.verbena.UnsupportedTypeException;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the value that a component has where a peer does not write it. */
final class Defaults {

  private Defaults() {}

  /**
   * The component's default, as its carrier.
   *
   * @param path names the component in messages
   * @throws UnsupportedTypeException if the declared default is no value of the component
   */
  static @Nullable Object of(RecordComponent component, Shape shape, String path) {
    Default declared = component.getAnnotation(Default.class);
    if (declared == null) {
      return shape instanceof Shape.Scalar scalar ? zero(scalar.kind()) : null;
    }
    try {
      return declared(shape, declared.value());
    } catch (IllegalArgumentException e) {
      throw new UnsupportedTypeException(
          path + ": @Default(\"" + declared.value() + "\") is no value of " + component.getType());
    }
  }

  private static Object zero(Shape.Kind kind) {
    return Array.get(Array.newInstance(kind.type(), 1), 0);
  }

  private static Object declared(Shape shape, String text) {
    return switch (shape) {
      case Shape.Scalar scalar -> primitive(scalar.kind(), text);
      case Shape.Box box -> primitive(box.kind(), text);
      case Shape.Text _ -> text;
      case Shape.Constant constant -> constant(constant, text);
      case Shape.Array array -> empty(text, Array.newInstance(array.element().type(), 0));
      case Shape.ListOf _ -> empty(text, List.of());
      case Shape.SetOf _ -> empty(text, Set.of());
      case Shape.MapOf _ -> empty(text, Map.of());
      case Shape.Maybe _ -> empty(text, Optional.empty());
      case Shape.Product _, Shape.Choice _ -> throw new IllegalArgumentException();
    };
  }

  private static Object primitive(Shape.Kind kind, String text) {
    return switch (kind) {
      case BOOLEAN -> bool(text);
      case BYTE -> Byte.valueOf(text);
      case SHORT -> Short.valueOf(text);
      case CHAR -> character(text);
      case INT -> Integer.valueOf(text);
      case LONG -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
    };
  }

  private static Boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException();
    }
    return Boolean.valueOf(text);
  }

  private static Character character(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException();
    }
    return text.charAt(0);
  }

  private static Object constant(Shape.Constant constant, String name) {
    for (Enum<?> value : constant.values()) {
      if (value != null && value.name().equals(name)) {
        return value;
      }
    }
    throw new IllegalArgumentException();
  }

  private static Object empty(String text, Object value) {
    if (!text.isEmpty()) {
      throw new IllegalArgumentException();
    }
    return value;
  }
}
