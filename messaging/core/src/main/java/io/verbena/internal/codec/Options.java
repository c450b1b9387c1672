// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.function.ObjIntConsumer;

/** Generates the choice of a sealed interface's record by the class of a value. */
final class Options {

  private Options() {}

  /**
   * Compares classes: instanceof cannot name a class that is not accessible from this package.
   *
   * @param each generates code for one record and its index; must return
   */
  static void dispatch(
      CodeBuilder code,
      Assembly assembly,
      Shape.Choice choice,
      int value,
      String where,
      ObjIntConsumer<Shape.Product> each) {
    int type = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(value)
        .invokevirtual(CD_Object, "getClass", MethodTypeDesc.of(CD_Class))
        .astore(type);
    for (int tag = 0; tag < choice.options().size(); tag++) {
      Shape.Product option = choice.options().get(tag);
      Label next = code.newLabel();
      code.aload(type);
      assembly.constant(code, option.type(), Class.class);
      code.if_acmpne(next);
      each.accept(option, tag);
      code.labelBinding(next);
    }
    code.aload(value)
        .loadConstant(where)
        .invokestatic(
            Assembly.ENCODING,
            "notAnOption",
            MethodTypeDesc.of(
                Assembly.descOf(IllegalArgumentException.class), CD_Object, CD_String))
        .athrow();
  }
}
