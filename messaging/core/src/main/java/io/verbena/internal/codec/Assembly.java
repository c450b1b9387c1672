// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/**
 * A class being generated: its name, and the objects it holds as constants. They are class data
 * read by dynamic constants, so the JIT treats them as it treats static finals.
 */
final class Assembly {

  static final ClassDesc OBJECT = ConstantDescs.CD_Object;
  static final ClassDesc SEGMENT = descOf(MemorySegment.class);
  static final ClassDesc INPUT = descOf(Input.class);
  static final ClassDesc ENCODING = descOf(Encoding.class);
  static final ClassDesc DECODING = descOf(Decoding.class);
  static final ClassDesc RECORD = descOf(Record.class);

  private static final DirectMethodHandleDesc CLASS_DATA_AT =
      ConstantDescs.ofConstantBootstrap(
          descOf(MethodHandles.class), "classDataAt", OBJECT, ConstantDescs.CD_int);

  private final ClassDesc self;
  private final CodecPlan plan;
  private final List<Object> constants = new ArrayList<>();

  Assembly(String name, CodecPlan plan) {
    this.self = ClassDesc.of(Assembly.class.getPackageName(), name);
    this.plan = plan;
  }

  ClassDesc self() {
    return self;
  }

  CodecPlan plan() {
    return plan;
  }

  List<Object> constants() {
    return constants;
  }

  static ClassDesc descOf(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /** Pushes an object that the generated class holds as a constant. */
  void constant(CodeBuilder code, Object value, Class<?> as) {
    constants.add(value);
    code.ldc(
        DynamicConstantDesc.ofNamed(
            CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, descOf(as), constants.size() - 1));
  }

  /**
   * Pushes a component of the record in the local {@code slot}.
   *
   * @param slot holds the record as its own class if access is direct, else as Object
   */
  void component(CodeBuilder code, Shape.Product product, int index, int slot) {
    Shape.Component component = product.components().get(index);
    Class<?> carrier = component.shape().carrier();
    switch (plan.accessTo(product)) {
      case Access.Direct _ -> {
        code.aload(slot)
            .invokevirtual(
                descOf(product.type()),
                component.name(),
                MethodTypeDesc.of(descOf(component.type())));
        castTo(code, component.type(), carrier);
      }
      case Access.Handles handles -> {
        constant(code, handles.accessors().get(index), MethodHandle.class);
        code.aload(slot);
        invokeExact(code, MethodTypeDesc.of(descOf(carrier), OBJECT));
      }
    }
  }

  /** Puts the Object in {@code slot} where {@link #component} wants it and returns that slot. */
  int typed(CodeBuilder code, Shape.Product product, int slot) {
    if (plan.accessTo(product) instanceof Access.Handles) {
      return slot;
    }
    int typed = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(slot).checkcast(descOf(product.type())).astore(typed);
    return typed;
  }

  static void invokeExact(CodeBuilder code, MethodTypeDesc type) {
    code.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", type);
  }

  /** Casts the value on the stack, unless it is a primitive or already of a subtype. */
  static void castTo(CodeBuilder code, Class<?> from, Class<?> to) {
    if (!to.isAssignableFrom(from)) {
      code.checkcast(descOf(to));
    }
  }
}
