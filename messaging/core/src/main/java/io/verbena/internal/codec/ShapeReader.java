// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.UnsupportedTypeException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the shape of a record from its class, and refuses what cannot be encoded. */
final class ShapeReader {

  private static final int MAX_ENUM_CONSTANTS = 65_535;
  private static final int MAX_OPTIONS = 255;

  /** A class with the types that its type variables stand for. */
  private record Key(Class<?> type, List<String> arguments) {}

  private final Map<Key, Shape> known = new HashMap<>();
  private final Deque<Shape> open = new ArrayDeque<>();

  private ShapeReader() {}

  /**
   * The shape of a message type.
   *
   * @throws UnsupportedTypeException naming the component and the reason
   */
  static Shape.Product read(Class<? extends Record> type) {
    if (type.getTypeParameters().length > 0) {
      throw refused(
          type.getSimpleName(),
          "a message type has no type parameters, but "
              + type.getName()
              + " has; make it a"
              + " component of a record that fixes them");
    }
    return (Shape.Product) new ShapeReader().ofClass(type, Map.of(), type.getSimpleName());
  }

  private Shape of(Type type, Map<TypeVariable<?>, Type> bindings, String path) {
    return switch (type) {
      case Class<?> plain -> ofClass(plain, Map.of(), path);
      case ParameterizedType generic -> ofGeneric(generic, bindings, path);
      case WildcardType wildcard -> of(wildcard.getUpperBounds()[0], bindings, path);
      case TypeVariable<?> variable -> ofVariable(variable, bindings, path);
      case GenericArrayType array -> throw refused(path, arrayReason(array.getTypeName()));
      default -> throw refused(path, type.getTypeName() + " is not a type that has an encoding");
    };
  }

  private Shape ofVariable(
      TypeVariable<?> variable, Map<TypeVariable<?>, Type> bindings, String path) {
    Type bound = bindings.get(variable);
    if (bound == null) {
      throw refused(path, "the type that " + variable.getName() + " stands for is not known here");
    }
    return of(bound, Map.of(), path);
  }

  private Shape ofGeneric(
      ParameterizedType generic, Map<TypeVariable<?>, Type> bindings, String path) {
    Class<?> raw = (Class<?>) generic.getRawType();
    List<Type> arguments =
        Arrays.stream(generic.getActualTypeArguments())
            .map(argument -> bound(argument, bindings, path))
            .toList();
    if (raw == List.class) {
      return new Shape.ListOf(of(arguments.getFirst(), Map.of(), path));
    }
    if (raw == Set.class) {
      return new Shape.SetOf(of(arguments.getFirst(), Map.of(), path));
    }
    if (raw == Optional.class) {
      return new Shape.Maybe(of(arguments.getFirst(), Map.of(), path));
    }
    if (raw == Map.class) {
      return new Shape.MapOf(
          of(arguments.get(0), Map.of(), path + ".key"),
          of(arguments.get(1), Map.of(), path + ".value"));
    }
    Map<TypeVariable<?>, Type> inner = new LinkedHashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      inner.put(raw.getTypeParameters()[i], arguments.get(i));
    }
    return ofClass(raw, inner, path);
  }

  /** Replaces bound type variables, so that the result needs no bindings. */
  private static Type bound(Type type, Map<TypeVariable<?>, Type> bindings, String path) {
    return switch (type) {
      case TypeVariable<?> variable -> {
        Type found = bindings.get(variable);
        if (found == null) {
          throw refused(
              path, "the type that " + variable.getName() + " stands for is not known here");
        }
        yield found;
      }
      case WildcardType wildcard -> bound(wildcard.getUpperBounds()[0], bindings, path);
      case ParameterizedType generic -> BoundType.of(generic, a -> bound(a, bindings, path));
      default -> type;
    };
  }

  private Shape ofClass(Class<?> type, Map<TypeVariable<?>, Type> bindings, String path) {
    Optional<Shape> leaf = leaf(type);
    if (leaf.isPresent()) {
      return leaf.get();
    }
    if (type.isEnum()) {
      return constant(type, path);
    }
    if (type.isRecord()) {
      return product(type, bindings, path);
    }
    if (type.isInterface() && type.isSealed()) {
      return choice(type, bindings, path);
    }
    throw refused(path, reason(type));
  }

  private static Optional<Shape> leaf(Class<?> type) {
    if (type == String.class) {
      return Optional.of(new Shape.Text());
    }
    if (type.isArray()) {
      return Shape.Kind.ofPrimitive(type.getComponentType()).map(Shape.Array::new);
    }
    Optional<Shape> scalar = Shape.Kind.ofPrimitive(type).map(Shape.Scalar::new);
    return scalar.or(() -> Shape.Kind.ofBox(type).map(Shape.Box::new));
  }

  private static Shape constant(Class<?> type, String path) {
    List<Enum<?>> values = new ArrayList<>();
    for (Object value : type.getEnumConstants()) {
      values.add((Enum<?>) value);
    }
    if (values.size() > MAX_ENUM_CONSTANTS) {
      throw refused(
          path,
          type.getName() + " has " + values.size() + " constants; limit " + MAX_ENUM_CONSTANTS);
    }
    return new Shape.Constant(type, List.copyOf(values), false);
  }

  private Shape product(Class<?> type, Map<TypeVariable<?>, Type> bindings, String path) {
    if (type.getTypeParameters().length != bindings.size()) {
      throw refused(path, type.getName() + " is used without its type arguments");
    }
    Key key = new Key(type, names(bindings));
    Shape seen = known.get(key);
    if (seen != null) {
      markIfOpen(seen);
      return seen;
    }
    checkNesting(path);
    Shape.Product product = new Shape.Product(name(type, bindings), type);
    known.put(key, product);
    open.push(product);
    List<Shape.Component> components = new ArrayList<>();
    for (RecordComponent c : type.getRecordComponents()) {
      String at = path + "." + c.getName();
      Shape shape = of(c.getGenericType(), bindings, at);
      components.add(
          new Shape.Component(c.getName(), shape, c.getType(), Defaults.of(c, shape, at)));
    }
    open.pop();
    product.complete(components);
    return product;
  }

  /** Refuses a generic record that contains itself with ever larger arguments without end. */
  private void checkNesting(String path) {
    if (open.size() >= 64) {
      throw refused(path.substring(0, Math.min(200, path.length())), "types nest deeper than 64");
    }
  }

  /** A record that is met while it is being read contains itself, and so do all in between. */
  @SuppressWarnings("ReferenceEquality") // shapes that may be open are compared by identity
  private void markIfOpen(Shape seen) {
    if (!open.contains(seen)) {
      return;
    }
    for (Shape shape : open) {
      if (shape instanceof Shape.Product product) {
        product.markRecursive();
      }
      if (shape == seen) {
        return;
      }
    }
  }

  private Shape choice(Class<?> type, Map<TypeVariable<?>, Type> bindings, String path) {
    if (type.getTypeParameters().length != bindings.size()) {
      throw refused(path, type.getName() + " is used without its type arguments");
    }
    Key key = new Key(type, names(bindings));
    Shape seen = known.get(key);
    if (seen != null) {
      markIfOpen(seen);
      return seen;
    }
    Shape.Choice choice = new Shape.Choice(name(type, bindings));
    known.put(key, choice);
    open.push(choice);
    Map<Class<?>, Shape.Product> options = new LinkedHashMap<>();
    collectOptions(type, bindings, path, options);
    open.pop();
    if (options.size() > MAX_OPTIONS) {
      throw refused(path, type.getName() + " permits more than " + MAX_OPTIONS + " records");
    }
    choice.complete(List.copyOf(options.values()));
    return choice;
  }

  /** Permitted interfaces are replaced by what they permit; order is that of the declaration. */
  private void collectOptions(
      Class<?> type,
      Map<TypeVariable<?>, Type> bindings,
      String path,
      Map<Class<?>, Shape.Product> options) {
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      Map<TypeVariable<?>, Type> inner = argumentsOf(permitted, type, bindings, path);
      String at = path + "(" + permitted.getSimpleName() + ")";
      if (permitted.isInterface() && permitted.isSealed()) {
        collectOptions(permitted, inner, at, options);
      } else if (permitted.isRecord()) {
        options.put(permitted, (Shape.Product) product(permitted, inner, at));
      } else {
        throw refused(
            at, permitted.getName() + " is not a record, so " + type.getName() + " cannot be sent");
      }
    }
  }

  /** What the variables of a permitted type stand for, given those of the sealed interface. */
  private static Map<TypeVariable<?>, Type> argumentsOf(
      Class<?> permitted, Class<?> parent, Map<TypeVariable<?>, Type> bindings, String path) {
    Map<TypeVariable<?>, Type> found = new LinkedHashMap<>();
    for (TypeVariable<?> variable : permitted.getTypeParameters()) {
      Type value = parentArgument(permitted, parent, variable, bindings);
      if (value == null) {
        throw refused(
            path,
            "what "
                + variable.getName()
                + " of "
                + permitted.getName()
                + " stands for does not"
                + " follow from "
                + parent.getName());
      }
      found.put(variable, value);
    }
    return found;
  }

  private static @Nullable Type parentArgument(
      Class<?> permitted,
      Class<?> parent,
      TypeVariable<?> variable,
      Map<TypeVariable<?>, Type> bindings) {
    for (Type implemented : permitted.getGenericInterfaces()) {
      if (implemented instanceof ParameterizedType generic && generic.getRawType() == parent) {
        int index = Arrays.asList(generic.getActualTypeArguments()).indexOf(variable);
        return index < 0 ? null : bindings.get(parent.getTypeParameters()[index]);
      }
    }
    return null;
  }

  private static List<String> names(Map<TypeVariable<?>, Type> bindings) {
    return bindings.values().stream().map(Type::getTypeName).toList();
  }

  private static String name(Class<?> type, Map<TypeVariable<?>, Type> bindings) {
    if (bindings.isEmpty()) {
      return type.getName();
    }
    // Commas and brackets are not allowed, because they structure the description.
    return type.getName()
        + names(bindings).stream()
            .map(argument -> argument.replace(", ", "&"))
            .collect(Collectors.joining("&", "<", ">"));
  }

  private static String reason(Class<?> type) {
    if (type.isArray()) {
      return arrayReason(type.getTypeName());
    }
    if (type == List.class || type == Set.class || type == Map.class || type == Optional.class) {
      return type.getName() + " is used without its type arguments";
    }
    if (java.util.Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
      return type.getName()
          + " is not one of the collections that have an encoding; declare it as"
          + " List, Set or Map";
    }
    if (type.isInterface()) {
      return type.getName() + " is not sealed, so its implementations are not known";
    }
    return type.getName()
        + " is not a primitive, box, String, enum, primitive array, record, sealed interface of"
        + " records, List, Set, Map or Optional; replace it or give the message a hand-written"
        + " Codec";
  }

  private static String arrayReason(String typeName) {
    return typeName + " is not an array of primitives; declare it as List";
  }

  private static UnsupportedTypeException refused(String path, String reason) {
    return new UnsupportedTypeException(path + ": " + reason);
  }
}
