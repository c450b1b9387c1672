// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.UnsupportedTypeException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How generated code, which is in this package, reaches the members of a user's record. */
sealed interface Access {

  /** By name: all members are public, exported and visible from this package. */
  record Direct() implements Access {}

  /**
   * Through method handles that are constants of the generated class.
   *
   * @param constructor takes the carriers of the components, returns Object
   * @param accessors each takes Object and returns the carrier of its component
   */
  record Handles(MethodHandle constructor, List<MethodHandle> accessors) implements Access {}

  /**
   * Finds the way to a record's members.
   *
   * @throws UnsupportedTypeException if there is none; its text says what to open
   */
  static Access to(Shape.Product product, MethodHandles.@Nullable Lookup lookup) {
    return isDirect(product) ? new Direct() : handles(product, lookup);
  }

  private static boolean isDirect(Shape.Product product) {
    return isReachable(product.type())
        && product.components().stream().allMatch(c -> isReachable(c.type()));
  }

  private static boolean isReachable(Class<?> type) {
    if (type.isPrimitive()) {
      return true;
    }
    if (type.isArray()) {
      return isReachable(type.componentType());
    }
    return Modifier.isPublic(type.getModifiers())
        && !type.isHidden()
        && type.getModule().isExported(type.getPackageName(), readingModule(type))
        && isSameClassHere(type);
  }

  /** This module, after it was made to read the type's module. */
  private static Module readingModule(Class<?> type) {
    return Access.class.getModule().addReads(type.getModule());
  }

  private static boolean isSameClassHere(Class<?> type) {
    try {
      return Class.forName(type.getName(), false, Access.class.getClassLoader()) == type;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** One way to a lookup that may find the members. */
  interface Way {
    MethodHandles.Lookup lookup() throws IllegalAccessException;
  }

  private static Handles handles(Shape.Product product, MethodHandles.@Nullable Lookup given) {
    Class<?> type = product.type();
    readingModule(type);
    MethodHandles.Lookup own = MethodHandles.lookup();
    List<Way> ways = new ArrayList<>();
    if (given != null) {
      ways.add(() -> MethodHandles.privateLookupIn(type, given));
      ways.add(() -> given);
    }
    ways.add(() -> MethodHandles.privateLookupIn(type, own));
    ways.add(() -> own);
    List<IllegalAccessException> refusals = new ArrayList<>();
    for (Way way : ways) {
      try {
        return find(product, way.lookup());
      } catch (IllegalAccessException e) {
        refusals.add(e);
      }
    }
    throw refused(type, refusals.getFirst());
  }

  private static Handles find(Shape.Product product, MethodHandles.Lookup lookup)
      throws IllegalAccessException {
    Class<?> type = product.type();
    List<Shape.Component> components = product.components();
    Class<?>[] declared = components.stream().map(Shape.Component::type).toArray(Class<?>[]::new);
    Class<?>[] carriers =
        components.stream().map(c -> c.shape().carrier()).toArray(Class<?>[]::new);
    try {
      MethodHandle constructor =
          lookup.findConstructor(type, MethodType.methodType(void.class, declared));
      List<MethodHandle> accessors = new ArrayList<>();
      for (Shape.Component component : components) {
        accessors.add(
            lookup
                .findVirtual(type, component.name(), MethodType.methodType(component.type()))
                .asType(MethodType.methodType(component.shape().carrier(), Object.class)));
      }
      return new Handles(
          constructor.asType(MethodType.methodType(Object.class, carriers)), accessors);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(
          type + " lacks what every record has: " + Arrays.toString(declared), e);
    }
  }

  private static UnsupportedTypeException refused(Class<?> type, IllegalAccessException why) {
    Module module = type.getModule();
    String clause = "opens %s to io.verbena;".formatted(type.getPackageName());
    UnsupportedTypeException failure =
        new UnsupportedTypeException(
            "%s: its constructor and accessors are not accessible (%s); add '%s' to the module-info"
                    .formatted(type.getName(), why.getMessage(), clause)
                + " of "
                + (module.isNamed() ? module.getName() : "its module")
                + ", make it public in an exported package, or use"
                + " MessageTypes.builder(MethodHandles.lookup())");
    failure.initCause(why);
    return failure;
  }
}
