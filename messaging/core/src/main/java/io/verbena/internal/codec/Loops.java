// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static java.lang.constant.ConstantDescs.CD_Map;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Set;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Iterator;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Generates the loops over collections. {@code begin} gets the local that holds the size. The code
 * for each part finds that part on the stack as an Object.
 */
final class Loops {

  private static final ClassDesc LIST = ConstantDescs.CD_List;
  private static final ClassDesc ITERATOR = Assembly.descOf(Iterator.class);
  private static final ClassDesc ENTRY = Assembly.descOf(Map.Entry.class);

  private Loops() {}

  static void overList(CodeBuilder code, int value, IntConsumer begin, Runnable each) {
    int list = code.allocateLocal(TypeKind.REFERENCE);
    code.aload(value)
        .invokestatic(Assembly.ENCODING, "indexed", MethodTypeDesc.of(LIST, LIST))
        .astore(list);
    int count = size(code, list, LIST);
    begin.accept(count);
    counted(
        code,
        count,
        index -> {
          code.aload(list)
              .iload(index)
              .invokeinterface(LIST, "get", MethodTypeDesc.of(CD_Object, CD_int));
          each.run();
        });
  }

  static void overSet(CodeBuilder code, int value, String where, IntConsumer begin, Runnable each) {
    int count = size(code, value, CD_Set);
    begin.accept(count);
    code.aload(value).invokeinterface(CD_Set, "iterator", MethodTypeDesc.of(ITERATOR));
    iterate(code, count, where, each);
  }

  static void overMap(
      CodeBuilder code,
      int value,
      String where,
      IntConsumer begin,
      Runnable eachKey,
      Runnable eachValue) {
    int count = size(code, value, CD_Map);
    begin.accept(count);
    code.aload(value)
        .invokeinterface(CD_Map, "entrySet", MethodTypeDesc.of(CD_Set))
        .invokeinterface(CD_Set, "iterator", MethodTypeDesc.of(ITERATOR));
    int entry = code.allocateLocal(TypeKind.REFERENCE);
    iterate(
        code,
        count,
        where,
        () -> {
          code.checkcast(ENTRY).astore(entry);
          code.aload(entry).invokeinterface(ENTRY, "getKey", MethodTypeDesc.of(CD_Object));
          eachKey.run();
          code.aload(entry).invokeinterface(ENTRY, "getValue", MethodTypeDesc.of(CD_Object));
          eachValue.run();
        });
  }

  /** Counts from 0 up to the local {@code count}. */
  static void counted(CodeBuilder code, int count, IntConsumer each) {
    int index = code.allocateLocal(TypeKind.INT);
    Label next = code.newLabel();
    Label end = code.newLabel();
    code.iconst_0().istore(index).labelBinding(next);
    code.iload(index).iload(count).if_icmpge(end);
    each.accept(index);
    code.iinc(index, 1).goto_(next).labelBinding(end);
  }

  private static int size(CodeBuilder code, int collection, ClassDesc type) {
    int count = code.allocateLocal(TypeKind.INT);
    code.aload(collection).invokeinterface(type, "size", MethodTypeDesc.of(CD_int)).istore(count);
    return count;
  }

  /** Runs the iterator on the stack to its end, and checks that it had as many as announced. */
  private static void iterate(CodeBuilder code, int count, String where, Runnable each) {
    int iterator = code.allocateLocal(TypeKind.REFERENCE);
    int seen = code.allocateLocal(TypeKind.INT);
    Label next = code.newLabel();
    Label end = code.newLabel();
    code.astore(iterator).iconst_0().istore(seen).labelBinding(next);
    code.aload(iterator)
        .invokeinterface(ITERATOR, "hasNext", MethodTypeDesc.of(CD_boolean))
        .ifeq(end);
    code.aload(iterator).invokeinterface(ITERATOR, "next", MethodTypeDesc.of(CD_Object));
    each.run();
    code.iinc(seen, 1).goto_(next).labelBinding(end);
    code.iload(count)
        .iload(seen)
        .loadConstant(where)
        .invokestatic(
            Assembly.ENCODING, "sameCount", MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_String));
  }
}
