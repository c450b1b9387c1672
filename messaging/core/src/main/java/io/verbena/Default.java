// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value of a record's component in messages of peers whose version of the record does not have
 * it yet.
 *
 * <pre>{@code
 * record Order(String item, int amount, @Default("NORMAL") Priority priority, List<String> notes) {}
 * }</pre>
 *
 * <p>A component without it has the value that a field has which nobody assigned: 0, false or null.
 * The record's canonical constructor gets the value and may replace it.
 *
 * <p>A default that its component cannot have is refused when the type is registered.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {

  /**
   * The value in text: a number as Java's {@code valueOf} reads it, {@code true} or {@code false},
   * one character, a string as it is, the name of an enum constant. The empty text stands for an
   * empty {@code List}, {@code Set}, {@code Map}, {@code Optional} or array; other records and
   * sealed interfaces have no default but null.
   */
  String value();
}
