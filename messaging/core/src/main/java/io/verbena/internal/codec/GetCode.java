// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static java.lang.constant.ConstantDescs.CD_Map;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Set;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.verbena.IncompatibleMessageException;
import io.verbena.MalformedMessageException;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Generates the methods that read: {@code value get$n(Input)}, and for the body of a record of
 * fixed length {@code value get$n(MemorySegment, long at)}, whose caller has checked the room.
 */
final class GetCode extends UnitCode {

  private static final int IN = 0;
  private static final int FIXED_SEGMENT = 0;
  private static final int FIXED_AT = 1;

  private static final ClassDesc ENUM = Assembly.descOf(Enum.class);
  private static final ClassDesc ENUMS = ENUM.arrayType();
  private static final ClassDesc OPTIONAL = Assembly.descOf(Optional.class);

  GetCode(Assembly assembly) {
    super(assembly, "get");
  }

  @Override
  MethodTypeDesc typeOf(Unit unit) {
    ClassDesc carrier = Assembly.descOf(unit.shape().carrier());
    return isFixedBody(unit)
        ? MethodTypeDesc.of(carrier, Assembly.SEGMENT, CD_long)
        : MethodTypeDesc.of(carrier, Assembly.INPUT);
  }

  private static boolean isFixedBody(Unit unit) {
    return !unit.nullable()
        && unit.shape() instanceof Shape.Product product
        && product.fixedBodyLength() >= 0;
  }

  @Override
  void emit(CodeBuilder code, Unit unit) {
    switch (unit.shape()) {
      case Shape.Product product when unit.nullable() -> nullable(code, unit, product);
      case Shape.Product product when isFixedBody(unit) -> {
        construct(code, product, FIXED_SEGMENT, FIXED_AT);
        code.areturn();
      }
      case Shape.Product product -> {
        body(code, product);
        code.areturn();
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
   * Reads the message in the MemorySegment, long and int in the locals 0, 1 and 3, and pushes it.
   *
   * <p>The code that makes an Input and the code that uses it are in one method. If one called the
   * other, the JIT could not remove the Input where it does not inline the call.
   */
  void root(CodeBuilder code, Shape.Product root) {
    if (root.fixedBodyLength() >= 0) {
      requireLength(code, root);
      construct(code, root, FIXED_SEGMENT, FIXED_AT);
      return;
    }
    code.new_(Assembly.INPUT).dup().aload(0).lload(1).iload(3);
    code.invokespecial(
        Assembly.INPUT,
        ConstantDescs.INIT_NAME,
        MethodTypeDesc.of(CD_void, Assembly.SEGMENT, CD_long, CD_int));
    code.astore(IN);
    body(code, root);
    code.aload(IN)
        .loadConstant(root.name())
        .invokevirtual(Assembly.INPUT, "finish", MethodTypeDesc.of(CD_void, CD_String));
  }

  private static void requireLength(CodeBuilder code, Shape.Product root) {
    Label right = code.newLabel();
    code.iload(3).loadConstant(root.fixedBodyLength()).if_icmpeq(right);
    code.loadConstant(root.name()).iload(3).loadConstant(root.fixedBodyLength());
    decoding(
        code,
        "wrongLength",
        Assembly.descOf(MalformedMessageException.class),
        CD_String,
        CD_int,
        CD_int);
    code.athrow().labelBinding(right);
  }

  // --- records

  private void nullable(CodeBuilder code, Unit unit, Shape.Product product) {
    Label present = code.newLabel();
    mark(code, 1, unit.where());
    code.ifne(present).aconst_null().areturn().labelBinding(present);
    bodyFromInput(code, product);
    code.areturn();
  }

  /** Reads a body with the Input in local 0, in either kind of method. */
  private void bodyFromInput(CodeBuilder code, Shape.Product product) {
    Unit body = Unit.of(product, "", false);
    if (isFixedBody(body)) {
      segment(code);
      take(code, product.fixedBodyLength(), product.name());
    } else {
      code.aload(IN);
    }
    call(code, body);
  }

  /** Pushes the record whose body comes next. */
  private void body(CodeBuilder code, Shape.Product product) {
    if (product.recursive()) {
      code.aload(IN).loadConstant(product.name());
      code.invokevirtual(Assembly.INPUT, "enter", MethodTypeDesc.of(CD_void, CD_String));
    }
    int segment = code.allocateLocal(TypeKind.REFERENCE);
    int at = code.allocateLocal(TypeKind.LONG);
    segment(code);
    code.astore(segment);
    take(code, product.fixedPartLength(), product.name());
    code.lstore(at);
    construct(code, product, segment, at);
    if (product.recursive()) {
      code.aload(IN).invokevirtual(Assembly.INPUT, "leave", MethodTypeDesc.of(CD_void));
    }
  }

  /** Pushes the components in their order and makes a record of them. */
  private void construct(CodeBuilder code, Shape.Product product, int segment, int at) {
    Access access = assembly.plan().accessTo(product);
    switch (access) {
      case Access.Direct _ -> code.new_(Assembly.descOf(product.type())).dup();
      case Access.Handles handles ->
          assembly.constant(code, handles.constructor(), MethodHandle.class);
    }
    int offset = 0;
    for (int i = 0; i < product.components().size(); i++) {
      Shape.Component component = product.components().get(i);
      String where = whereOf(product, i);
      if (!component.isWritten()) {
        fallback(code, component);
      } else if (component.shape().fixedLength() >= 0) {
        code.aload(segment).lload(at).loadConstant((long) offset).ladd();
        getFixed(code, component.shape(), where);
        offset += component.shape().fixedLength();
      } else {
        get(code, component.shape(), where);
      }
      if (access instanceof Access.Direct) {
        Assembly.castTo(code, component.shape().carrier(), component.type());
      }
    }
    invokeConstructor(code, product, access);
    skipSurplus(code, product);
  }

  /** Pushes the value of a component that the peer's version does not write. */
  private void fallback(CodeBuilder code, Shape.Component component) {
    Class<?> carrier = component.shape().carrier();
    switch (component.fallback()) {
      case null -> code.aconst_null();
      case Boolean value when carrier.isPrimitive() -> code.loadConstant(value ? 1 : 0);
      case Character value when carrier.isPrimitive() -> code.loadConstant((int) value);
      case Byte value when carrier.isPrimitive() -> code.loadConstant((int) value);
      case Short value when carrier.isPrimitive() -> code.loadConstant((int) value);
      case Integer value when carrier.isPrimitive() -> code.loadConstant((int) value);
      case Long value when carrier.isPrimitive() -> code.loadConstant((long) value);
      case Float value when carrier.isPrimitive() -> code.loadConstant((float) value);
      case Double value when carrier.isPrimitive() -> code.loadConstant((double) value);
      case Object value -> assembly.constant(code, value, carrier);
    }
  }

  /** Components that only the peer's version has come behind all those that both know. */
  private void skipSurplus(CodeBuilder code, Shape.Product product) {
    Skip[] values = product.surplus().variable();
    if (values.length > 0) {
      assembly.constant(code, values, Skip[].class);
      code.aload(IN).loadConstant(product.name());
      decoding(code, "skip", CD_void, Assembly.descOf(Skip[].class), Assembly.INPUT, CD_String);
    }
  }

  /** If a constructor throws, the bytes that it was given are malformed. */
  private void invokeConstructor(CodeBuilder code, Shape.Product product, Access access) {
    Label start = code.newBoundLabel();
    switch (access) {
      case Access.Direct _ ->
          code.invokespecial(
              Assembly.descOf(product.type()),
              ConstantDescs.INIT_NAME,
              MethodTypeDesc.of(
                  CD_void,
                  product.components().stream().map(c -> Assembly.descOf(c.type())).toList()));
      case Access.Handles _ ->
          Assembly.invokeExact(
              code,
              MethodTypeDesc.of(
                  CD_Object,
                  product.components().stream()
                      .map(c -> Assembly.descOf(c.shape().carrier()))
                      .toList()));
    }
    Label end = code.newBoundLabel();
    Label done = code.newLabel();
    code.goto_(done);
    Label handler = code.newBoundLabel();
    code.exceptionCatchAll(start, end, handler);
    int thrown = code.allocateLocal(TypeKind.REFERENCE);
    code.astore(thrown).loadConstant(product.name()).aload(thrown);
    decoding(
        code,
        product.isMissingSome() ? "constructorRefusedDefault" : "constructorThrew",
        Assembly.descOf(
            product.isMissingSome()
                ? IncompatibleMessageException.class
                : MalformedMessageException.class),
        CD_String,
        CD_Throwable);
    code.athrow().labelBinding(done);
  }

  // --- values

  /** Replaces segment and offset on the stack by the value there. */
  private void getFixed(CodeBuilder code, Shape shape, String where) {
    if (shape instanceof Shape.Constant constant) {
      assembly.constant(code, constant.values().toArray(Enum<?>[]::new), Enum[].class);
      code.loadConstant(where);
      decoding(
          code,
          (constant.isPeers() ? "peersConstant" : "constant") + constant.fixedLength(),
          ENUM,
          Assembly.SEGMENT,
          CD_long,
          ENUMS,
          CD_String);
    } else if (shape.carrier() == boolean.class) {
      code.loadConstant(where);
      decoding(code, "bool", CD_boolean, Assembly.SEGMENT, CD_long, CD_String);
    } else {
      code.invokestatic(
          Assembly.ENCODING,
          "get" + capital(shape.carrier()),
          MethodTypeDesc.of(Assembly.descOf(shape.carrier()), Assembly.SEGMENT, CD_long));
    }
  }

  /** Pushes the value that comes next. */
  private void get(CodeBuilder code, Shape shape, String where) {
    switch (shape) {
      case Shape.Scalar _ -> throw new AssertionError("primitives are in the fixed part");
      case Shape.Constant constant -> {
        segment(code);
        take(code, constant.fixedLength(), where);
        getFixed(code, constant, where);
      }
      case Shape.Box box -> leaf(code, "boxed" + capital(box.kind().type()), shape, where);
      case Shape.Text _ -> text(code, where);
      case Shape.Array array -> leaf(code, array.element().type() + "Array", shape, where);
      case Shape.Product _,
          Shape.Choice _,
          Shape.ListOf _,
          Shape.SetOf _,
          Shape.MapOf _,
          Shape.Maybe _ -> {
        code.aload(IN);
        call(code, Unit.of(shape, where, true));
      }
    }
  }

  /** Reads in steps; the last is not inlined everywhere, and so must not take the Input. */
  private static void text(CodeBuilder code, String where) {
    int bytes = code.allocateLocal(TypeKind.INT);
    code.aload(IN).loadConstant(where);
    decoding(code, "textLength", CD_int, Assembly.INPUT, CD_String);
    code.istore(bytes);
    segment(code);
    code.aload(IN)
        .iload(bytes)
        .invokevirtual(Assembly.INPUT, "step", MethodTypeDesc.of(CD_long, CD_int))
        .iload(bytes)
        .loadConstant(where);
    decoding(code, "text", CD_String, Assembly.SEGMENT, CD_long, CD_int, CD_String);
  }

  private static void leaf(CodeBuilder code, String method, Shape shape, String where) {
    code.aload(IN).loadConstant(where);
    decoding(code, method, Assembly.descOf(shape.carrier()), Assembly.INPUT, CD_String);
  }

  private void choice(CodeBuilder code, Unit unit, Shape.Choice choice) {
    int tag = code.allocateLocal(TypeKind.INT);
    mark(code, choice.tagCount(), unit.where());
    code.istore(tag);
    for (int i = 0; i < choice.options().size(); i++) {
      Label next = code.newLabel();
      code.iload(tag).loadConstant(choice.tag(i) + 1).if_icmpne(next);
      bodyFromInput(code, choice.options().get(i));
      code.areturn().labelBinding(next);
    }
    if (choice.tagCount() > choice.options().size()) {
      unknownOption(code, tag, unit.where());
    }
    code.aconst_null().areturn();
  }

  private static void unknownOption(CodeBuilder code, int tag, String where) {
    Label none = code.newLabel();
    code.iload(tag).ifeq(none).loadConstant(where).iload(tag);
    decoding(
        code,
        "unknownOption",
        Assembly.descOf(IncompatibleMessageException.class),
        CD_String,
        CD_int);
    code.athrow().labelBinding(none);
  }

  private void list(CodeBuilder code, Unit unit, Shape element) {
    int count = count(code, minLength(element), unit.where());
    int array = code.allocateLocal(TypeKind.REFERENCE);
    code.iload(count).anewarray(CD_Object).astore(array);
    Loops.counted(
        code,
        count,
        index -> {
          code.aload(array).iload(index);
          get(code, element, unit.where());
          code.aastore();
        });
    code.aload(array);
    decoding(code, "list", ConstantDescs.CD_List, CD_Object.arrayType());
    code.areturn();
  }

  private void set(CodeBuilder code, Unit unit, Shape element) {
    int count = count(code, minLength(element), unit.where());
    int set = newCollection(code, count, "newSet", CD_Set);
    Loops.counted(
        code,
        count,
        _ -> {
          code.aload(set);
          get(code, element, unit.where());
          code.loadConstant(unit.where());
          decoding(code, add(), CD_void, CD_Set, CD_Object, CD_String);
        });
    unmodifiable(code, set, "unmodifiableSet", CD_Set);
  }

  private void map(CodeBuilder code, Unit unit, Shape.MapOf shape) {
    int min = minLength(shape.key()) + minLength(shape.value());
    int count = count(code, min, unit.where());
    int map = newCollection(code, count, "newMap", CD_Map);
    Loops.counted(
        code,
        count,
        _ -> {
          code.aload(map);
          get(code, shape.key(), unit.where() + ".key");
          get(code, shape.value(), unit.where() + ".value");
          code.loadConstant(unit.where());
          decoding(code, add(), CD_void, CD_Map, CD_Object, CD_Object, CD_String);
        });
    unmodifiable(code, map, "unmodifiableMap", CD_Map);
  }

  private String add() {
    return assembly.plan().isPeers() ? "addPeers" : "add";
  }

  private void maybe(CodeBuilder code, Unit unit, Shape value) {
    int mark = code.allocateLocal(TypeKind.INT);
    Label notNull = code.newLabel();
    Label present = code.newLabel();
    mark(code, 2, unit.where());
    code.istore(mark).iload(mark).ifne(notNull).aconst_null().areturn().labelBinding(notNull);
    code.iload(mark).iconst_2().if_icmpeq(present);
    code.invokestatic(OPTIONAL, "empty", MethodTypeDesc.of(OPTIONAL)).areturn();
    code.labelBinding(present);
    get(code, value, unit.where());
    code.loadConstant(unit.where());
    decoding(code, "present", OPTIONAL, CD_Object, CD_String);
    code.areturn();
  }

  // --- parts

  /** The fewest bytes a value can take if it may be null. */
  private static int minLength(Shape shape) {
    return Math.max(1, shape.fixedLength());
  }

  /** Reads a count into a local; returns null from the method if there is no collection. */
  private static int count(CodeBuilder code, int minBytes, String where) {
    int count = code.allocateLocal(TypeKind.INT);
    Label present = code.newLabel();
    code.aload(IN).loadConstant(minBytes).loadConstant(where);
    decoding(code, "count", CD_int, Assembly.INPUT, CD_int, CD_String);
    code.istore(count).iload(count).ifge(present).aconst_null().areturn().labelBinding(present);
    return count;
  }

  private static int newCollection(CodeBuilder code, int count, String method, ClassDesc type) {
    int collection = code.allocateLocal(TypeKind.REFERENCE);
    code.iload(count);
    decoding(code, method, type, CD_int);
    code.astore(collection);
    return collection;
  }

  private static void unmodifiable(CodeBuilder code, int slot, String method, ClassDesc type) {
    code.aload(slot)
        .invokestatic(Assembly.descOf(Collections.class), method, MethodTypeDesc.of(type, type))
        .areturn();
  }

  private static void mark(CodeBuilder code, int max, String where) {
    code.aload(IN).loadConstant(max).loadConstant(where);
    decoding(code, "mark", CD_int, Assembly.INPUT, CD_int, CD_String);
  }

  private static void segment(CodeBuilder code) {
    code.aload(IN).getfield(Assembly.INPUT, "segment", Assembly.SEGMENT);
  }

  private static void take(CodeBuilder code, int bytes, String where) {
    code.aload(IN)
        .loadConstant(bytes)
        .loadConstant(where)
        .invokevirtual(Assembly.INPUT, "take", MethodTypeDesc.of(CD_long, CD_int, CD_String));
  }

  private static void decoding(
      CodeBuilder code, String method, ClassDesc result, ClassDesc... arguments) {
    code.invokestatic(Assembly.DECODING, method, MethodTypeDesc.of(result, List.of(arguments)));
  }

  private static String capital(Class<?> primitive) {
    String name = primitive.getName();
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}
