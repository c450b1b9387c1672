// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Generates one static method for each shape that has parts. A method is made when the first call
 * of it is generated, so that shapes may contain themselves.
 */
abstract class UnitCode {

  /**
   * What one method does.
   *
   * @param where names the component in messages
   * @param nullable for a record: whether a presence byte precedes the body
   */
  record Unit(Shape shape, String where, boolean nullable) {

    /** Records and sealed interfaces name themselves; where they are used does not matter. */
    static Unit of(Shape shape, String where, boolean nullable) {
      return switch (shape) {
        case Shape.Product product -> new Unit(shape, product.name(), nullable);
        case Shape.Choice choice -> new Unit(shape, choice.name(), true);
        default -> new Unit(shape, where, true);
      };
    }

    Unit body() {
      return new Unit(shape, where, false);
    }
  }

  protected final Assembly assembly;
  private final String prefix;
  private final Map<Unit, String> names = new HashMap<>();
  private final Deque<Unit> pending = new ArrayDeque<>();

  UnitCode(Assembly assembly, String prefix) {
    this.assembly = assembly;
    this.prefix = prefix;
  }

  abstract MethodTypeDesc typeOf(Unit unit);

  abstract void emit(CodeBuilder code, Unit unit);

  /** Calls the unit's method; its arguments are on the stack. */
  final void call(CodeBuilder code, Unit unit) {
    code.invokestatic(assembly.self(), nameOf(unit), typeOf(unit));
  }

  /** Generates the methods that are called so far, and those that they call. */
  final void emitPending(ClassBuilder type) {
    while (!pending.isEmpty()) {
      Unit unit = pending.remove();
      type.withMethodBody(
          nameOf(unit), typeOf(unit), ClassFile.ACC_STATIC, code -> emit(code, unit));
    }
  }

  private String nameOf(Unit unit) {
    return names.computeIfAbsent(
        unit,
        fresh -> {
          pending.add(fresh);
          return prefix + "$" + names.size();
        });
  }

  static String whereOf(Shape.Product product, int index) {
    return product.name() + "." + product.components().get(index).name();
  }
}
