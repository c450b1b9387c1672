// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.net.URL;
import java.security.CodeSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which classes are made from messages: those on a list, and no others. */
final class ObjectFilter implements ObjectInputFilter {

  private static final String PROPERTY = "verbena.mpi.objects";

  private static final ObjectInputFilter JDK =
      Config.createFilter(
          "java.lang.*;java.util.*;java.util.concurrent.*;java.util.concurrent.atomic.*;"
              + "java.util.concurrent.locks.*;"
              + "java.math.*;java.time.*;java.time.chrono.*");

  private final ObjectInputFilter named;
  private final @Nullable URL home; // where the program's classes lie

  private ObjectFilter(String pattern, @Nullable URL home) {
    this.named = pattern.isBlank() ? info -> Status.UNDECIDED : Config.createFilter(pattern);
    this.home = home;
  }

  /**
   * The one of a program.
   *
   * @param main has called MPI.Init; null if that is not known
   */
  static ObjectFilter of(@Nullable Class<?> main) {
    return new ObjectFilter(System.getProperty(PROPERTY, ""), main == null ? null : home(main));
  }

  private static @Nullable URL home(Class<?> of) {
    CodeSource source = of.getProtectionDomain().getCodeSource();
    return source == null ? null : source.getLocation();
  }

  @Override
  public Status checkInput(FilterInfo info) {
    Class<?> type = info.serialClass();
    if (type == null) {
      return Status.UNDECIDED; // depth and size are the message's, which is here already
    }
    Status byName = named.checkInput(info);
    if (byName != Status.UNDECIDED) {
      return byName;
    }
    Class<?> element = element(type);
    boolean isAllowed =
        element.isPrimitive()
            || JDK.checkInput(info) == Status.ALLOWED
            || (home != null && isAtHome(element));
    return isAllowed ? Status.ALLOWED : Status.REJECTED;
  }

  private boolean isAtHome(Class<?> type) {
    URL its = home(type);
    return its != null && its.toString().equals(Objects.requireNonNull(home).toString());
  }

  private static Class<?> element(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    return element;
  }

  /** A stream of objects that a filter lets through. Knows the classes of the receiving thread. */
  static final class Stream extends ObjectInputStream {

    /** What a table with room to spare may have more than the bytes that describe it. */
    private static final long SPARE = 1 << 16;

    private final long mostElements;
    private @Nullable String rejected;

    Stream(InputStream bytes, ObjectFilter filter, int length) throws IOException {
      super(bytes);
      mostElements = SPARE + 16L * length;
      setObjectInputFilter(info -> look(info, filter));
    }

    private Status look(FilterInfo info, ObjectFilter filter) {
      if (info.arrayLength() > mostElements) {
        return Status.REJECTED; // it is longer than what is in the message can be
      }
      Status found = filter.checkInput(info);
      Class<?> type = info.serialClass();
      if (found == Status.REJECTED && type != null) {
        rejected = type.getName();
      }
      return found;
    }

    /** What is wrong if reading has failed. */
    MPIException failure(Throwable why) {
      return rejected == null
          ? new MPIException("objects of a message cannot be read: " + why, why)
          : new MPIException(
              "class %s of a message is on no list of allowed classes; add it: -D%s=%s"
                  .formatted(rejected, PROPERTY, rejected),
              why);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass of)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(of.getName(), false, Thread.currentThread().getContextClassLoader());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(of);
      }
    }
  }
}
