// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.verbena.internal.memory.ProcessMemory;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Optional;

/**
 * Generates the methods that write: {@code long put$n(value, MemorySegment, long at, long end)}
 * returns the offset of the next value, and writes nothing at or after {@code end}. Their other
 * form is for messages all of whose texts are ASCII.
 */
final class PutCode extends UnitCode {

  /** The local variables that a method works with. */
  record Slots(int value, int segment, int at, int end) {
    private static final Slots OF_UNITS = new Slots(0, 1, 2, 4);
  }

  private static final ClassDesc PROCESS_MEMORY = Assembly.descOf(ProcessMemory.class);
  private static final MethodTypeDesc BASE_OF =
      MethodTypeDesc.of(Assembly.SEGMENT, Assembly.SEGMENT);
  private static final MethodTypeDesc OFFSET_OF =
      MethodTypeDesc.of(CD_long, Assembly.SEGMENT, CD_long, CD_long);
  private static final ClassDesc ENUM = Assembly.descOf(Enum.class);

  private final boolean ascii;
  private Slots slots = Slots.OF_UNITS;

  PutCode(Assembly assembly, boolean ascii) {
    super(assembly, ascii ? "putAscii" : "put");
    this.ascii = ascii;
  }

  @Override
  MethodTypeDesc typeOf(Unit unit) {
    return putType(Assembly.descOf(unit.shape().carrier()));
  }

  private static MethodTypeDesc putType(ClassDesc value) {
    return MethodTypeDesc.of(CD_long, value, Assembly.SEGMENT, CD_long, CD_long);
  }

  @Override
  void emit(CodeBuilder code, Unit unit) {
    if (unit.nullable()) {
      ifNullReturnMark(code);
    }
    switch (unit.shape()) {
      case Shape.Product product when unit.nullable() -> {
        mark(code, 1);
        callReturning(code, unit.body());
      }
      case Shape.Product product -> {
        body(code, product);
        code.lload(slots.at()).lreturn();
      }
      case Shape.Choice choice -> choice(code, unit, choice);
      case Shape.ListOf list -> list(code, unit, list.element());
      case Shape.SetOf set -> set(code, unit, set.element());
      case Shape.MapOf map -> map(code, unit, map);
      case Shape.Maybe maybe -> maybe(code, unit, maybe.value());
      case Shape.Scalar _, Shape.Box _, Shape.Text _, Shape.Constant _, Shape.Array _ ->
          throw new AssertionError(unit);
    }
  }

  /**
   * Writes the message within the method that is being generated, which has the slots given: a call
   * less than by {@link #call}.
   */
  void emitHere(CodeBuilder code, Shape.Product root, Slots here) {
    slots = here;
    body(code, root);
    slots = Slots.OF_UNITS;
  }

  /** Writes the components of fixed length, which come first; one check covers them all. */
  private void body(CodeBuilder code, Shape.Product product) {
    int typed = assembly.typed(code, product, slots.value());
    fixedPart(code, product, typed);
    for (int i = 0; i < product.components().size(); i++) {
      Shape shape = product.components().get(i).shape();
      if (shape.fixedLength() < 0) {
        assembly.component(code, product, i, typed);
        put(code, shape, whereOf(product, i));
      }
    }
  }

  private void fixedPart(CodeBuilder code, Shape.Product product, int typed) {
    int length = product.fixedPartLength();
    if (length == 0) {
      return;
    }
    room(code, length);
    int base = code.allocateLocal(TypeKind.REFERENCE);
    int start = code.allocateLocal(TypeKind.LONG);
    code.aload(slots.segment()).invokestatic(PROCESS_MEMORY, "baseOf", BASE_OF).astore(base);
    code.aload(slots.segment()).lload(slots.at()).loadConstant((long) length);
    code.invokestatic(PROCESS_MEMORY, "offsetOf", OFFSET_OF).lstore(start);
    long offset = 0;
    for (int i = 0; i < product.components().size(); i++) {
      Shape shape = product.components().get(i).shape();
      if (shape.fixedLength() >= 0) {
        assembly.component(code, product, i, typed);
        code.aload(base).lload(start).loadConstant(offset).ladd();
        putFixed(code, shape);
        offset += shape.fixedLength();
      }
    }
    advance(code, length);
  }

  /** Writes the value on the stack to the segment and the offset above it. */
  private static void putFixed(CodeBuilder code, Shape shape) {
    boolean constant = shape instanceof Shape.Constant;
    code.invokestatic(
        Assembly.ENCODING,
        constant ? "putConstant" + shape.fixedLength() : "put",
        MethodTypeDesc.of(
            CD_void,
            constant ? ENUM : Assembly.descOf(shape.carrier()),
            Assembly.SEGMENT,
            CD_long));
  }

  /** Writes the value on the stack and advances the offset. */
  private void put(CodeBuilder code, Shape shape, String where) {
    switch (shape) {
      case Shape.Scalar _ -> throw new AssertionError("primitives are in the fixed part");
      case Shape.Constant constant -> {
        room(code, constant.fixedLength());
        code.aload(slots.segment()).lload(slots.at());
        putFixed(code, constant);
        advance(code, constant.fixedLength());
      }
      case Shape.Box _ -> encoding(code, "putBox", shape);
      case Shape.Text _ -> encoding(code, ascii ? "putAscii" : "putText", shape);
      case Shape.Array _ -> encoding(code, "putArray", shape);
      case Shape.Product _,
          Shape.Choice _,
          Shape.ListOf _,
          Shape.SetOf _,
          Shape.MapOf _,
          Shape.Maybe _ -> {
        place(code);
        call(code, Unit.of(shape, where, true));
        code.lstore(slots.at());
      }
    }
  }

  private void choice(CodeBuilder code, Unit unit, Shape.Choice choice) {
    Options.dispatch(
        code,
        assembly,
        choice,
        slots.value(),
        unit.where(),
        (option, tag) -> {
          mark(code, tag + 1);
          callReturning(code, Unit.of(option, "", false));
        });
  }

  private void list(CodeBuilder code, Unit unit, Shape element) {
    Loops.overList(
        code,
        slots.value(),
        count -> putCount(code, count),
        () -> putObject(code, element, unit.where()));
    code.lload(slots.at()).lreturn();
  }

  private void set(CodeBuilder code, Unit unit, Shape element) {
    Loops.overSet(
        code,
        slots.value(),
        unit.where(),
        count -> putCount(code, count),
        () -> putObject(code, element, unit.where()));
    code.lload(slots.at()).lreturn();
  }

  private void map(CodeBuilder code, Unit unit, Shape.MapOf map) {
    Loops.overMap(
        code,
        slots.value(),
        unit.where(),
        count -> putCount(code, count),
        () -> putObject(code, map.key(), unit.where() + ".key"),
        () -> putObject(code, map.value(), unit.where() + ".value"));
    code.lload(slots.at()).lreturn();
  }

  private void maybe(CodeBuilder code, Unit unit, Shape value) {
    ClassDesc optional = Assembly.descOf(Optional.class);
    Label present = code.newLabel();
    code.aload(slots.value())
        .invokevirtual(optional, "isPresent", MethodTypeDesc.of(CD_boolean))
        .ifne(present);
    mark(code, 1);
    code.lload(slots.at()).lreturn().labelBinding(present);
    mark(code, 2);
    code.aload(slots.value()).invokevirtual(optional, "get", MethodTypeDesc.of(CD_Object));
    putObject(code, value, unit.where());
    code.lload(slots.at()).lreturn();
  }

  private void putObject(CodeBuilder code, Shape shape, String where) {
    Assembly.castTo(code, Object.class, shape.carrier());
    put(code, shape, where);
  }

  private void callReturning(CodeBuilder code, Unit unit) {
    code.aload(slots.value());
    place(code);
    call(code, unit);
    code.lreturn();
  }

  private void ifNullReturnMark(CodeBuilder code) {
    Label present = code.newLabel();
    code.aload(slots.value()).ifnonnull(present);
    mark(code, 0);
    code.lload(slots.at()).lreturn().labelBinding(present);
  }

  private void putCount(CodeBuilder code, int count) {
    code.iload(count);
    place(code);
    code.invokestatic(Assembly.ENCODING, "putCount", putType(CD_int)).lstore(slots.at());
  }

  private void mark(CodeBuilder code, int mark) {
    code.loadConstant(mark);
    place(code);
    code.invokestatic(Assembly.ENCODING, "putMark", putType(CD_int)).lstore(slots.at());
  }

  private void encoding(CodeBuilder code, String method, Shape shape) {
    place(code);
    code.invokestatic(Assembly.ENCODING, method, putType(Assembly.descOf(shape.carrier())))
        .lstore(slots.at());
  }

  private void place(CodeBuilder code) {
    code.aload(slots.segment()).lload(slots.at()).lload(slots.end());
  }

  private void room(CodeBuilder code, int length) {
    code.lload(slots.at())
        .loadConstant(length)
        .lload(slots.end())
        .invokestatic(
            Assembly.ENCODING, "room", MethodTypeDesc.of(CD_void, CD_long, CD_int, CD_long));
  }

  private void advance(CodeBuilder code, int length) {
    code.lload(slots.at()).loadConstant((long) length).ladd().lstore(slots.at());
  }
}
