// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A generic type whose variables have been replaced. */
record BoundType(Type raw, List<Type> arguments, @Nullable Type owner)
    implements ParameterizedType {

  static BoundType of(ParameterizedType generic, UnaryOperator<Type> replacement) {
    List<Type> arguments =
        Arrays.stream(generic.getActualTypeArguments()).map(replacement).toList();
    return new BoundType(generic.getRawType(), arguments, generic.getOwnerType());
  }

  @Override
  public Type[] getActualTypeArguments() {
    return arguments.toArray(Type[]::new);
  }

  @Override
  public Type getRawType() {
    return raw;
  }

  @Override
  public @Nullable Type getOwnerType() {
    return owner;
  }

  @Override
  public String getTypeName() {
    return raw.getTypeName()
        + arguments.stream().map(Type::getTypeName).collect(Collectors.joining(", ", "<", ">"));
  }

  @Override
  public String toString() {
    return getTypeName();
  }
}
