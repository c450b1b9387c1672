// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Optional;

/**
 * Generates the methods that measure: {@code int length$n(value, int depth)}. Their other form
 * presumes that all texts are ASCII, and so reads none.
 */
final class LengthCode extends UnitCode {

  private static final int VALUE = 0;
  private static final int DEPTH = 1;

  private final boolean ascii;

  LengthCode(Assembly assembly, boolean ascii) {
    super(assembly, ascii ? "asciiLength" : "length");
    this.ascii = ascii;
  }

  @Override
  MethodTypeDesc typeOf(Unit unit) {
    return MethodTypeDesc.of(CD_int, Assembly.descOf(unit.shape().carrier()), CD_int);
  }

  @Override
  void emit(CodeBuilder code, Unit unit) {
    if (unit.nullable()) {
      code.aload(VALUE).ifThen(Opcode.IFNULL, then -> then.iconst_1().ireturn());
    }
    switch (unit.shape()) {
      case Shape.Product product -> product(code, unit, product);
      case Shape.Choice choice -> choice(code, unit, choice);
      case Shape.ListOf list -> list(code, unit, list.element());
      case Shape.SetOf set -> set(code, unit, set.element());
      case Shape.MapOf map -> map(code, unit, map);
      case Shape.Maybe maybe -> maybe(code, unit, maybe.value());
      case Shape.Scalar _, Shape.Box _, Shape.Text _, Shape.Constant _, Shape.Array _ ->
          throw new AssertionError(unit);
    }
  }

  /** Replaces the value on the stack by the bytes it takes. */
  private void measure(CodeBuilder code, Shape shape, String where) {
    switch (shape) {
      case Shape.Scalar _ -> throw new AssertionError("primitives have a fixed length");
      case Shape.Constant constant -> code.pop().loadConstant(constant.fixedLength());
      case Shape.Box box -> {
        code.loadConstant(box.kind().sizeBytes());
        encoding(code, "lengthOfBox", CD_Object, CD_int);
      }
      case Shape.Text _ -> {
        code.loadConstant(where);
        encoding(code, ascii ? "lengthOfAscii" : "lengthOfText", CD_String, CD_String);
      }
      case Shape.Array array -> encoding(code, "lengthOf", Assembly.descOf(array.carrier()));
      case Shape.Product _,
          Shape.Choice _,
          Shape.ListOf _,
          Shape.SetOf _,
          Shape.MapOf _,
          Shape.Maybe _ -> {
        code.iload(DEPTH);
        call(code, Unit.of(shape, where, true));
      }
    }
  }

  private void product(CodeBuilder code, Unit unit, Shape.Product product) {
    if (unit.nullable()) {
      code.iconst_1().aload(VALUE).iload(DEPTH);
      call(code, unit.body());
      plus(code);
      code.ireturn();
      return;
    }
    if (product.recursive()) {
      code.iload(DEPTH).loadConstant(unit.where());
      encoding(code, "deeper", CD_int, CD_String);
      code.istore(DEPTH);
    }
    int typed = assembly.typed(code, product, VALUE);
    code.loadConstant(product.fixedPartLength());
    for (int i = 0; i < product.components().size(); i++) {
      Shape shape = product.components().get(i).shape();
      if (shape.fixedLength() < 0) {
        assembly.component(code, product, i, typed);
        measure(code, shape, whereOf(product, i));
        plus(code);
      }
    }
    code.ireturn();
  }

  private void choice(CodeBuilder code, Unit unit, Shape.Choice choice) {
    Options.dispatch(
        code,
        assembly,
        choice,
        VALUE,
        unit.where(),
        (option, _) -> {
          code.iconst_1().aload(VALUE).iload(DEPTH);
          call(code, Unit.of(option, "", false));
          plus(code);
          code.ireturn();
        });
  }

  private void list(CodeBuilder code, Unit unit, Shape element) {
    int sum = code.allocateLocal(TypeKind.INT);
    Loops.overList(
        code,
        VALUE,
        count -> startSum(code, sum, count),
        () -> addToSum(code, sum, element, unit.where()));
    code.iload(sum).ireturn();
  }

  private void set(CodeBuilder code, Unit unit, Shape element) {
    int sum = code.allocateLocal(TypeKind.INT);
    Loops.overSet(
        code,
        VALUE,
        unit.where(),
        count -> startSum(code, sum, count),
        () -> addToSum(code, sum, element, unit.where()));
    code.iload(sum).ireturn();
  }

  private void map(CodeBuilder code, Unit unit, Shape.MapOf map) {
    int sum = code.allocateLocal(TypeKind.INT);
    Loops.overMap(
        code,
        VALUE,
        unit.where(),
        count -> startSum(code, sum, count),
        () -> addToSum(code, sum, map.key(), unit.where() + ".key"),
        () -> addToSum(code, sum, map.value(), unit.where() + ".value"));
    code.iload(sum).ireturn();
  }

  private void maybe(CodeBuilder code, Unit unit, Shape value) {
    Label present = code.newLabel();
    ClassDesc optional = Assembly.descOf(Optional.class);
    code.aload(VALUE)
        .invokevirtual(optional, "isPresent", MethodTypeDesc.of(CD_boolean))
        .ifne(present)
        .iconst_1()
        .ireturn()
        .labelBinding(present)
        .iconst_1()
        .aload(VALUE)
        .invokevirtual(optional, "get", MethodTypeDesc.of(CD_Object));
    Assembly.castTo(code, Object.class, value.carrier());
    measure(code, value, unit.where());
    plus(code);
    code.ireturn();
  }

  /** The sum starts with the bytes of the count. */
  private static void startSum(CodeBuilder code, int sum, int count) {
    code.iload(count);
    encoding(code, "lengthOfCount", CD_int);
    code.istore(sum);
  }

  /** Measures the Object on the stack. */
  private void addToSum(CodeBuilder code, int sum, Shape shape, String where) {
    Assembly.castTo(code, Object.class, shape.carrier());
    measure(code, shape, where);
    code.iload(sum);
    plus(code);
    code.istore(sum);
  }

  private static void plus(CodeBuilder code) {
    encoding(code, "plus", CD_int, CD_int);
  }

  private static void encoding(CodeBuilder code, String method, ClassDesc... arguments) {
    code.invokestatic(Assembly.ENCODING, method, MethodTypeDesc.of(CD_int, List.of(arguments)));
  }
}
