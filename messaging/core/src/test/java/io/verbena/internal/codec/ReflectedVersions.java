// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.Default;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * What two versions of a message should be to each other, found out by reflection alone; and random
 * messages.
 */
final class ReflectedVersions {

  /** The other version has no words for a value. */
  static final class NoWordsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoWordsException(String what) {
      super(what);
    }
  }

  private ReflectedVersions() {}

  // ---------------------------------------------------------------- from one version to another

  /** The value of the type that stands for {@code value} in another version. */
  static Object project(Object value, Type to) {
    if (value == null) {
      return null;
    }
    if (to instanceof ParameterizedType generic) {
      return projectAll(value, generic.getActualTypeArguments());
    }
    Class<?> type = (Class<?>) to;
    if (type.isEnum()) {
      return constant(type, ((Enum<?>) value).name());
    }
    if (type.isSealed()) {
      return project(value, permitted(type, value.getClass().getSimpleName()));
    }
    return type.isRecord() ? record(value, type) : value;
  }

  private static Object projectAll(Object value, Type[] to) {
    return switch (value) {
      case List<?> list -> new ArrayList<>(list.stream().map(e -> project(e, to[0])).toList());
      case Set<?> set -> {
        Set<Object> all = new LinkedHashSet<>();
        set.forEach(e -> all.add(project(e, to[0])));
        requireSize(set.size(), all.size());
        yield Collections.unmodifiableSet(all);
      }
      case Map<?, ?> map -> {
        Map<Object, Object> all = new LinkedHashMap<>();
        map.forEach((k, v) -> all.put(project(k, to[0]), project(v, to[1])));
        requireSize(map.size(), all.size());
        yield Collections.unmodifiableMap(all);
      }
      case Optional<?> maybe -> maybe.map(e -> project(e, to[0]));
      default -> throw new AssertionError(value);
    };
  }

  private static void requireSize(int before, int now) {
    if (before != now) {
      throw new NoWordsException("elements that are equal");
    }
  }

  private static Object constant(Class<?> type, String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> ((Enum<?>) constant).name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoWordsException(name));
  }

  private static Class<?> permitted(Class<?> type, String name) {
    return Arrays.stream(type.getPermittedSubclasses())
        .filter(option -> option.getSimpleName().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoWordsException(name));
  }

  private static Object record(Object value, Class<?> type) {
    List<RecordComponent> theirs = List.of(value.getClass().getRecordComponents());
    List<Object> values = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      values.add(
          theirs.stream()
              .filter(other -> other.getName().equals(component.getName()))
              .findFirst()
              .map(other -> Optional.ofNullable(get(value, other)))
              .map(found -> project(found.orElse(null), component.getGenericType()))
              .orElseGet(
                  () ->
                      theirs.stream().anyMatch(o -> o.getName().equals(component.getName()))
                          ? null
                          : fallback(component)));
    }
    return construct(type, values);
  }

  private static Object fallback(RecordComponent component) {
    Class<?> type = component.getType();
    Default declared = component.getAnnotation(Default.class);
    if (declared == null) {
      return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }
    String text = declared.value();
    return switch (type.getSimpleName()) {
      case "int", "Integer" -> Integer.valueOf(text);
      case "long" -> Long.valueOf(text);
      case "byte" -> Byte.valueOf(text);
      case "short" -> Short.valueOf(text);
      case "char" -> text.charAt(0);
      case "double" -> Double.valueOf(text);
      case "boolean", "Boolean" -> Boolean.valueOf(text);
      case "String" -> text;
      case "int[]" -> new int[0];
      case "List" -> List.of();
      case "Set" -> Set.of();
      case "Map" -> Map.of();
      case "Optional" -> Optional.empty();
      default -> constant(type, text);
    };
  }

  private static Object get(Object value, RecordComponent component) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Object construct(Class<?> type, List<Object> values) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      return constructor.newInstance(values.toArray());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  // ---------------------------------------------------------------- random messages

  /** A value of a type; ever smaller the deeper it lies. */
  static Object random(Type type, SplittableRandom random, int depth) {
    if (type instanceof ParameterizedType generic) {
      return randomOf(generic, random, depth);
    }
    Class<?> raw = (Class<?>) type;
    if (!raw.isPrimitive() && random.nextInt(8) == 0 && depth > 0) {
      return null;
    }
    if (raw.isEnum()) {
      return pick(raw.getEnumConstants(), random);
    }
    if (raw.isSealed()) {
      return random(pick(raw.getPermittedSubclasses(), random), random, depth);
    }
    if (raw.isRecord()) {
      List<Object> values = new ArrayList<>();
      for (RecordComponent component : raw.getRecordComponents()) {
        values.add(random(component.getGenericType(), random, depth + 1));
      }
      return construct(raw, values);
    }
    return leaf(raw, random);
  }

  private static Object randomOf(ParameterizedType type, SplittableRandom random, int depth) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    Type[] of = type.getActualTypeArguments();
    int size = depth > 4 ? 0 : random.nextInt(random.nextInt(20) == 0 ? 200 : 4) >> (depth - 1);
    Supplier<Object> first = () -> random(of[0], random, depth + 1);
    return switch (((Class<?>) type.getRawType()).getSimpleName()) {
      case "List" -> fill(new ArrayList<>(), size, first);
      case "Set" -> new LinkedHashSet<>(fill(new ArrayList<>(), size, first));
      case "Map" -> {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
          map.put(first.get(), random(of[1], random, depth + 1));
        }
        yield map;
      }
      case "Optional" -> size == 0 ? Optional.empty() : Optional.ofNullable(first.get());
      default -> throw new AssertionError(type);
    };
  }

  private static List<Object> fill(List<Object> list, int size, Supplier<Object> element) {
    for (int i = 0; i < size; i++) {
      list.add(element.get());
    }
    return list;
  }

  private static <T> T pick(T[] all, SplittableRandom random) {
    return all[random.nextInt(all.length)];
  }

  private static Object leaf(Class<?> type, SplittableRandom random) {
    return switch (type.getSimpleName()) {
      case "int", "Integer" -> random.nextInt();
      case "long" -> random.nextLong();
      case "byte" -> (byte) random.nextInt();
      case "short" -> (short) random.nextInt();
      case "char" -> (char) random.nextInt('a', 'z');
      case "double", "Double" -> random.nextDouble();
      case "float" -> (float) random.nextDouble();
      case "boolean", "Boolean" -> random.nextBoolean();
      case "String" -> "ä€".repeat(random.nextInt(3)) + Long.toString(random.nextLong(), 36);
      case "int[]" -> random.ints(random.nextInt(5)).toArray();
      default -> throw new AssertionError(type);
    };
  }
}
