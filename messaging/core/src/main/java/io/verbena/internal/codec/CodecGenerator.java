// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import io.verbena.MessageHandler;
import io.verbena.Origin;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the codec of a type, its senders and the sinks that feed handlers, as hidden classes of
 * this package.
 *
 * <p>A sink has its own copy of the reading code: with the handler a constant beside it, the JIT
 * can inline both into one and need not create the record. So has a sender of the writing code:
 * what the JIT knows of a call in a program is which sender it calls, and a program has many types.
 */
final class CodecGenerator {

  private static final ClassDesc CODEC = Assembly.descOf(MessageCodec.class);
  private static final ClassDesc GENERATED = Assembly.descOf(GeneratedCodec.class);
  private static final ClassDesc PEERS = Assembly.descOf(PeersCodec.class);
  private static final ClassDesc PLAN = Assembly.descOf(CodecPlan.class);
  private static final ClassDesc SINK = Assembly.descOf(MessageSink.class);
  private static final ClassDesc HANDLER = Assembly.descOf(MessageHandler.class);
  private static final ClassDesc ORIGIN = Assembly.descOf(InboundOrigin.class);

  private static final ClassDesc TURN = Assembly.descOf(MessageTurn.class);
  private static final ClassDesc TAKER = Assembly.descOf(MessageTurn.Taker.class);

  private static final MethodTypeDesc STEP = MethodTypeDesc.of(CD_void, CD_long);
  private static final MethodTypeDesc READ =
      MethodTypeDesc.of(Assembly.RECORD, Assembly.SEGMENT, CD_long, CD_int);
  private static final MethodTypeDesc ACCEPT =
      MethodTypeDesc.of(CD_void, Assembly.SEGMENT, CD_long, CD_int, ORIGIN);
  private static final MethodTypeDesc NEW_CODEC =
      MethodTypeDesc.of(CD_void, CD_int, CD_Class, PLAN);
  private static final MethodType NEW_CODEC_TYPE =
      MethodType.methodType(void.class, int.class, Class.class, CodecPlan.class);

  /**
   * Generates the code by which a sink reads its record; segment, offset and length are in the
   * locals 1, 2 and 4.
   */
  private interface Reading {
    void emit(CodeBuilder code);
  }

  private CodecGenerator() {}

  static GeneratedCodec generate(
      int typeId, Class<? extends Record> type, MethodHandles.@Nullable Lookup lookup) {
    CodecPlan plan = CodecPlan.of(ShapeReader.read(type), lookup);
    Assembly assembly = new Assembly("Codec_" + simpleName(type), plan);
    byte[] bytes =
        ClassFile.of()
            .build(
                assembly.self(),
                made -> {
                  made.withSuperclass(GENERATED).withFlags(ClassFile.ACC_FINAL);
                  constructor(made, GENERATED, NEW_CODEC);
                  length(made, assembly);
                  write(made, assembly);
                  read(made, assembly);
                });
    return (GeneratedCodec) instance(bytes, assembly, NEW_CODEC_TYPE, typeId, type, plan);
  }

  /** A codec that reads what a peer's version of a type writes. */
  @SuppressWarnings("unchecked") // the root of a plan is a record
  static PeersCodec generateForPeers(int typeId, CodecPlan plan) {
    Class<? extends Record> type = (Class<? extends Record>) plan.root().type();
    Assembly assembly = new Assembly("Peers_" + simpleName(type), plan);
    byte[] bytes =
        ClassFile.of()
            .build(
                assembly.self(),
                made -> {
                  made.withSuperclass(PEERS).withFlags(ClassFile.ACC_FINAL);
                  constructor(made, PEERS, NEW_CODEC);
                  read(made, assembly);
                });
    return (PeersCodec) instance(bytes, assembly, NEW_CODEC_TYPE, typeId, type, plan);
  }

  static MessageSink sink(CodecPlan plan, MessageHandler<?> handler) {
    Assembly assembly = new Assembly("Sink_" + simpleName(plan.root().type()), plan);
    Reading reading =
        code -> code.aload(1).lload(2).iload(4).invokestatic(assembly.self(), "root", READ);
    byte[] bytes =
        ClassFile.of()
            .build(
                assembly.self(),
                made -> {
                  sinkBody(made, assembly, handler, reading);
                  root(made, assembly);
                });
    return ((MessageSink) instance(bytes, assembly, MethodType.methodType(void.class)))
        .handledBy(handler);
  }

  /** A sink whose codec was not generated; that codec and the handler are constants, too. */
  static MessageSink sink(MessageCodec codec, MessageHandler<?> handler) {
    CodecPlan none = new CodecPlan(new Shape.Product("", codec.type()), Map.of());
    Assembly assembly = new Assembly("Sink_" + simpleName(codec.type()), none);
    Reading reading =
        code -> {
          assembly.constant(code, codec, MessageCodec.class);
          code.aload(1).lload(2).iload(4).invokevirtual(CODEC, "read", READ);
        };
    byte[] bytes =
        ClassFile.of().build(assembly.self(), made -> sinkBody(made, assembly, handler, reading));
    return ((MessageSink) instance(bytes, assembly, MethodType.methodType(void.class)))
        .handledBy(handler);
  }

  // --- codecs

  private static void constructor(ClassBuilder made, ClassDesc parent, MethodTypeDesc type) {
    made.withMethodBody(
        INIT_NAME,
        type,
        0,
        code -> {
          code.aload(0);
          int slot = 1;
          for (ClassDesc parameter : type.parameterList()) {
            TypeKind kind = TypeKind.from(parameter);
            code.loadLocal(kind, slot);
            slot += kind.slotSize();
          }
          code.invokespecial(parent, INIT_NAME, type).return_();
        });
  }

  private static void length(ClassBuilder made, Assembly assembly) {
    LengthCode length = new LengthCode(assembly, false);
    made.withMethodBody(
        "length",
        MethodTypeDesc.of(CD_int, Assembly.RECORD),
        ClassFile.ACC_PUBLIC,
        code -> {
          code.aload(1).iconst_0();
          length.call(code, root(assembly));
          code.ireturn();
        });
    length.emitPending(made);
  }

  /**
   * If a message has exactly the length that it would have with ASCII texts alone, all its texts
   * are ASCII, because every other character takes more than one byte. So the code that writes need
   * not look at the texts again.
   */
  private static void write(ClassBuilder made, Assembly assembly) {
    LengthCode asciiLength = new LengthCode(assembly, true);
    PutCode put = new PutCode(assembly, false);
    PutCode putAscii = new PutCode(assembly, true);
    made.withMethodBody(
        "write",
        MethodTypeDesc.of(CD_void, Assembly.RECORD, Assembly.SEGMENT, CD_long, CD_int),
        ClassFile.ACC_PUBLIC,
        code -> {
          if (assembly.plan().hasText()) {
            Label other = code.newLabel();
            code.aload(1).iconst_0();
            asciiLength.call(code, root(assembly));
            code.iload(5).if_icmpne(other);
            writeRoot(code, assembly, putAscii);
            code.labelBinding(other);
          }
          writeRoot(code, assembly, put);
        });
    asciiLength.emitPending(made);
    put.emitPending(made);
    putAscii.emitPending(made);
  }

  private static void writeRoot(CodeBuilder code, Assembly assembly, PutCode put) {
    int end = code.allocateLocal(TypeKind.LONG);
    code.lload(3).iload(5).i2l().ladd().lstore(end);
    if (assembly.plan().hasText()) { // then the code would be in the method twice
      code.aload(1).aload(2).lload(3).lload(end);
      put.call(code, root(assembly));
    } else {
      put.emitHere(code, assembly.plan().root(), new PutCode.Slots(1, 2, 3, end));
      code.lload(3);
    }
    code.lload(end)
        .invokestatic(Assembly.ENCODING, "finish", MethodTypeDesc.of(CD_void, CD_long, CD_long))
        .return_();
  }

  private static void read(ClassBuilder made, Assembly assembly) {
    made.withMethodBody(
        "read",
        READ,
        ClassFile.ACC_PUBLIC,
        code ->
            code.aload(1).lload(2).iload(4).invokestatic(assembly.self(), "root", READ).areturn());
    root(made, assembly);
  }

  /** The method that reads a message: {@code static Record root(MemorySegment, long, int)}. */
  private static void root(ClassBuilder made, Assembly assembly) {
    GetCode get = new GetCode(assembly);
    made.withMethodBody(
        "root",
        READ,
        ClassFile.ACC_STATIC,
        code -> {
          get.root(code, assembly.plan().root());
          code.checkcast(Assembly.RECORD).areturn();
        });
    get.emitPending(made);
  }

  private static UnitCode.Unit root(Assembly assembly) {
    return UnitCode.Unit.of(assembly.plan().root(), "", false);
  }

  // --- sinks

  private static void sinkBody(
      ClassBuilder made, Assembly assembly, MessageHandler<?> handler, Reading reading) {
    made.withSuperclass(SINK).withFlags(ClassFile.ACC_FINAL);
    constructor(made, SINK, MTD_void);
    made.withMethodBody(
        "accept",
        ACCEPT,
        ClassFile.ACC_PUBLIC,
        code -> {
          int message = code.allocateLocal(TypeKind.REFERENCE);
          reading.emit(code);
          code.astore(message);
          handle(code, assembly, handler, message);
        });
  }

  /** The try covers the handler alone: if reading throws, the bytes are at fault. */
  private static void handle(
      CodeBuilder code, Assembly assembly, MessageHandler<?> handler, int message) {
    int origin = 5;
    Label start = code.newBoundLabel();
    assembly.constant(code, handler, MessageHandler.class);
    code.aload(message)
        .aload(origin)
        .invokeinterface(
            HANDLER,
            "handle",
            MethodTypeDesc.of(CD_void, Assembly.RECORD, Assembly.descOf(Origin.class)));
    Label end = code.newBoundLabel();
    code.return_();
    Label failed = code.newBoundLabel();
    code.exceptionCatchAll(start, end, failed);
    int thrown = code.allocateLocal(TypeKind.REFERENCE);
    code.astore(thrown)
        .aload(origin)
        .aload(thrown)
        .invokeinterface(ORIGIN, "handlerFailed", MethodTypeDesc.of(CD_void, CD_Throwable))
        .return_();
  }

  // --- senders

  /** Makes a class of senders for a type of fixed length, and with it one for each lane. */
  static Function<MessageTurn, MessageTurn.Taker> senders(CodecPlan plan) {
    Assembly assembly = new Assembly("Sender_" + simpleName(plan.root().type()), plan);
    byte[] bytes =
        ClassFile.of()
            .build(
                assembly.self(),
                made -> {
                  made.withSuperclass(TAKER).withFlags(ClassFile.ACC_FINAL);
                  constructor(made, TAKER, MethodTypeDesc.of(CD_void, TURN));
                  senderBody(made, assembly);
                });
    MethodHandle maker =
        maker(bytes, assembly, MethodType.methodType(void.class, MessageTurn.class));
    return turn -> (MessageTurn.Taker) call(maker, assembly, turn);
  }

  private static void senderBody(ClassBuilder made, Assembly assembly) {
    PutCode put = new PutCode(assembly, false);
    made.withMethodBody(
        "send",
        MethodTypeDesc.of(CD_void, Assembly.RECORD),
        ClassFile.ACC_PUBLIC,
        code -> send(code, assembly, put));
    put.emitPending(made);
  }

  private static void send(CodeBuilder code, Assembly assembly, PutCode put) {
    int turn = code.allocateLocal(TypeKind.REFERENCE);
    int at = code.allocateLocal(TypeKind.LONG);
    code.aload(0).getfield(TAKER, "turn", TURN).astore(turn);
    code.aload(turn).invokeinterface(TURN, "begin", MethodTypeDesc.of(CD_long)).lstore(at);
    Label start = code.newBoundLabel();
    code.aload(1);
    code.aload(turn).invokeinterface(TURN, "segment", MethodTypeDesc.of(Assembly.SEGMENT));
    code.lload(at);
    code.lload(at).loadConstant((long) assembly.plan().root().fixedBodyLength()).ladd();
    put.call(code, root(assembly));
    code.pop2();
    Label end = code.newBoundLabel();
    code.aload(turn).lload(at).invokeinterface(TURN, "publish", STEP).return_();
    code.exceptionCatchAll(start, end, code.newBoundLabel());
    int thrown = code.allocateLocal(TypeKind.REFERENCE);
    code.astore(thrown).aload(turn).lload(at).invokeinterface(TURN, "abort", STEP);
    code.aload(thrown).athrow();
  }

  // --- classes

  private static Object instance(
      byte[] bytes, Assembly assembly, MethodType constructor, Object... arguments) {
    return call(maker(bytes, assembly, constructor), assembly, arguments);
  }

  private static MethodHandle maker(byte[] bytes, Assembly assembly, MethodType constructor) {
    try {
      MethodHandles.Lookup made =
          MethodHandles.lookup().defineHiddenClassWithClassData(bytes, assembly.constants(), true);
      return made.findConstructor(made.lookupClass(), constructor);
    } catch (ReflectiveOperationException e) {
      throw cannotDefine(assembly, e);
    }
  }

  private static Object call(MethodHandle maker, Assembly assembly, Object... arguments) {
    try {
      return maker.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw cannotDefine(assembly, e);
    }
  }

  private static IllegalStateException cannotDefine(Assembly assembly, Throwable cause) {
    return new IllegalStateException(
        "cannot define the class generated for " + assembly.plan().root().name(), cause);
  }

  /** The name of the class in stack traces and profiles. */
  private static String simpleName(Class<?> type) {
    return type.getSimpleName().isEmpty() ? "Record" : type.getSimpleName();
  }
}
