// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS over a socket. The first read or write shakes hands, so that whoever bounds the time of the
 * node's own handshake bounds that of TLS as well. Afterwards every read leaves behind no more than
 * a part of a record: that the socket has no bytes means that there is nothing to read.
 */
final class TlsWire implements Wire {

  /** Looks at who the far side is. */
  interface Judge {
    /**
     * Does so before the first byte is written to it; TLS has found its certificate valid.
     *
     * @throws RefusedException if it is not who may be there
     */
    void judge(SSLEngine engine) throws IOException;
  }

  private enum State {
    /** Nothing was read or written. */
    NEW,
    /** TLS protects all that follows. */
    UP,
    /** The far side spoke without encryption: it is told why that will not do, in its own way. */
    PLAIN,
    /** TLS has failed. */
    BROKEN
  }

  /** What the JDK says when the far side has ended TLS, before the reason. */
  private static final String ALERT = "Received fatal alert: ";

  /** Four of the largest records that the JDK writes, which are a little over 16 KiB. */
  static final int CIPHER_BYTES = 68 * 1024;

  /** During the handshake: what it leaves has to fit into the first read of the loop. */
  private static final int READ_AHEAD_BYTES = 32 * 1024;

  private static final int DRAIN_BYTES = 64 * 1024;
  private static final int FIRST_RECORD_TYPE = 20; // change_cipher_spec
  private static final int LAST_RECORD_TYPE = 23; // application_data
  private static final int RECORD_HEADER_BYTES = 5;
  private static final int RECORD_LENGTH_AT = 3;

  private final SocketChannel socket;
  private final SSLEngine engine;
  private final Judge judge;
  private final String whom;
  private final LentBuffers buffers;
  private final ByteBuffer nothing = ByteBuffer.allocate(0);
  private volatile State state = State.NEW;
  private volatile boolean owesAnswer;

  // By who reads.
  private @Nullable ByteBuffer cipherIn; // being filled; null while nothing is in there
  private final ByteBuffer[] one = new ByteBuffer[1];
  private @Nullable IOException readFailure; // to be told yet
  private @Nullable ByteBuffer plain; // decrypted while blocking, and not yet asked for

  // By who writes.
  private final ByteBuffer[] oneOut = new ByteBuffer[1];
  private boolean judged;
  private @Nullable ByteBuffer cipherOut; // to be written; null while there is nothing to write

  /**
   * Makes one over a socket that is connected and blocks.
   *
   * @param whom the far side in words, for errors
   */
  TlsWire(SocketChannel socket, SSLEngine engine, Judge judge, String whom, LentBuffers buffers) {
    this.socket = socket;
    this.engine = engine;
    this.judge = judge;
    this.whom = whom;
    this.buffers = buffers;
  }

  @Override
  public SocketChannel socket() {
    return socket;
  }

  /**
   * What was read with the handshake and does not belong to it keeps as much memory as it needs.
   */
  @Override
  public void stopBlocking() throws IOException {
    Wire.super.stopBlocking();
    ByteBuffer early = plain;
    if (early != null) {
      plain =
          early.hasRemaining() ? ByteBuffer.allocate(early.remaining()).put(early).flip() : null;
    }
  }

  SSLEngine engine() {
    return engine;
  }

  // ---------------------------------------------------------------- reading

  @Override
  public int read(ByteBuffer to) throws IOException {
    one[0] = to;
    try {
      return (int) read(one, 0, 1);
    } finally {
      one[0] = nothing;
    }
  }

  @Override
  public long read(ByteBuffer[] to) throws IOException {
    return read(to, 0, to.length);
  }

  @Override
  public long read(ByteBuffer[] to, int offset, int length) throws IOException {
    shakeHandsIfNew();
    if (state == State.PLAIN) {
      return -1; // it is told, not listened to
    }
    try {
      return socket.isBlocking() ? readBlocking(to[offset]) : readAll(to, offset, length);
    } catch (SSLException e) {
      state = State.BROKEN;
      throw told(e);
    }
  }

  /** Reads what is there, as far as there is room for all of it. */
  private long readAll(ByteBuffer[] to, int offset, int length) throws IOException {
    long before = remaining(to, offset, length);
    if (plain != null) {
      takeEarly(to[offset]);
    }
    boolean ended = false;
    ByteBuffer in = borrowIn();
    try {
      boolean mayHaveMore = true;
      while (mayHaveMore && limitTo(remaining(to, offset, length), in)) {
        ended = readInto(in, remaining(to, offset, length) < before);
        mayHaveMore = !in.hasRemaining();
        in.flip();
        while (unwrap(in, to, offset, length)) {
          // there may be another record
        }
        in.compact();
      }
    } finally {
      settleIn(in);
    }
    long taken = before - remaining(to, offset, length);
    return taken == 0 && (ended || engine.isInboundDone()) ? -1 : taken;
  }

  /**
   * Reads once; returns whether nothing more will come.
   *
   * @param hasSome whether there are bytes already, which a failure must not take along: it is told
   *     by the next read
   */
  private boolean readInto(ByteBuffer in, boolean hasSome) throws IOException {
    if (readFailure != null) {
      throw readFailure;
    }
    try {
      return socket.read(in) < 0;
    } catch (IOException e) {
      if (!hasSome) {
        throw e;
      }
      readFailure = e; // a socket tells some of its failures once
      return true;
    }
  }

  /** Encrypted bytes need no more room than this once they are not; false if there is none. */
  private static boolean limitTo(long room, ByteBuffer in) {
    int limit = (int) Math.min(in.capacity(), room);
    if (limit <= in.position()) {
      return false;
    }
    in.limit(limit);
    return true;
  }

  private void takeEarly(ByteBuffer to) {
    ByteBuffer early = plain;
    if (early != null) {
      take(early, to);
      plain = early.hasRemaining() ? early : null;
    }
  }

  /** Waits for the next bytes; what a record has beyond what was asked for is kept. */
  private int readBlocking(ByteBuffer to) throws IOException {
    ByteBuffer early = plain;
    if (early == null) {
      early = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).limit(0);
      plain = early;
    }
    if (!early.hasRemaining() && !fill(early)) {
      return -1;
    }
    return take(early, to);
  }

  /** Waits for a record with bytes in it; false if there comes none any more. */
  private boolean fill(ByteBuffer early) throws IOException {
    early.clear();
    ByteBuffer[] into = {early};
    try {
      while (early.position() == 0) {
        if (!nextRecord(into) && !readMore()) {
          return false;
        }
      }
      return true;
    } finally {
      early.flip();
    }
  }

  /** Decrypts a record that was read already; false if there is no whole one. */
  private boolean nextRecord(ByteBuffer[] into) throws IOException {
    ByteBuffer in = cipherIn;
    if (in == null) {
      return unwrap(nothing, into, 0, 1);
    }
    in.flip();
    try {
      return unwrap(in, into, 0, 1);
    } finally {
      in.compact();
      settleIn(in);
    }
  }

  /** Waits for encrypted bytes; false if there come none any more. */
  private boolean readMore() throws IOException {
    ByteBuffer in = borrowIn();
    try {
      return !engine.isInboundDone() && socket.read(in.limit(READ_AHEAD_BYTES)) >= 0;
    } finally {
      settleIn(in);
    }
  }

  private ByteBuffer borrowIn() {
    ByteBuffer in = cipherIn;
    return in == null ? buffers.take() : in;
  }

  /** Keeps a buffer in which encrypted bytes are left. */
  private void settleIn(ByteBuffer in) {
    if (in.position() > 0) {
      cipherIn = in.limit(in.capacity());
    } else {
      cipherIn = null;
      buffers.giveBack(in);
    }
  }

  private static int take(ByteBuffer from, ByteBuffer to) {
    int length = Math.min(from.remaining(), to.remaining());
    to.put(to.position(), from, from.position(), length);
    to.position(to.position() + length);
    from.position(from.position() + length);
    return length;
  }

  /** Decrypts the next record; returns false if there is no whole one. */
  private boolean unwrap(ByteBuffer in, ByteBuffer[] to, int offset, int length)
      throws SSLException {
    SSLEngineResult result = engine.unwrap(in, to, offset, length);
    if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      runTasks();
    }
    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      owesAnswer = true;
    }
    return switch (result.getStatus()) {
      case OK -> result.bytesConsumed() > 0;
      case BUFFER_UNDERFLOW, CLOSED -> false;
      case BUFFER_OVERFLOW -> {
        requirePartial(in);
        yield false;
      }
    };
  }

  /**
   * The engine asks for room before it looks whether a record is whole. There is room for all that
   * is here, so this one is not.
   */
  private static void requirePartial(ByteBuffer in) throws SSLException {
    int bytes = in.remaining();
    if (bytes >= RECORD_HEADER_BYTES
        && bytes - RECORD_HEADER_BYTES
            >= Short.toUnsignedInt(in.getShort(in.position() + RECORD_LENGTH_AT))) {
      throw new SSLException("a record larger than TLS allows");
    }
  }

  private static long remaining(ByteBuffer[] buffers, int offset, int length) {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += buffers[i].remaining();
    }
    return sum;
  }

  // ---------------------------------------------------------------- writing

  @Override
  public int write(ByteBuffer from) throws IOException {
    oneOut[0] = from;
    try {
      return (int) write(oneOut, 0, 1);
    } finally {
      oneOut[0] = nothing;
    }
  }

  @Override
  public long write(ByteBuffer[] from) throws IOException {
    return write(from, 0, from.length);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    shakeHandsIfNew();
    if (state == State.PLAIN) {
      return socket.write(from, offset, length);
    }
    if (!judged) {
      judged = true; // also if it fails: the far side is told why
      judge.judge(engine);
    }
    long before = remaining(from, offset, length);
    long rest = before;
    while (flush() && rest > 0) {
      ByteBuffer out = buffers.take();
      try {
        rest = wrapAll(from, offset, length, out);
      } finally {
        cipherOut = out.flip();
      }
    }
    return before - rest;
  }

  /** Encrypts as many records as fit; returns what is left to encrypt. */
  private long wrapAll(ByteBuffer[] from, int offset, int length, ByteBuffer out)
      throws SSLException {
    int recordBytes = engine.getSession().getPacketBufferSize();
    long rest = remaining(from, offset, length);
    while (rest > 0 && out.remaining() >= recordBytes) {
      wrap(from, offset, length, out);
      rest = remaining(from, offset, length);
    }
    return rest;
  }

  private void wrap(ByteBuffer[] from, int offset, int length, ByteBuffer out) throws SSLException {
    SSLEngineResult result = engine.wrap(from, offset, length, out);
    if (result.getStatus() != Status.OK) {
      throw new SSLException("cannot encrypt: " + result.getStatus());
    }
    if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      runTasks();
    }
  }

  @Override
  public boolean flush() throws IOException {
    if (owesAnswer && cipherOut == null) {
      owesAnswer = false; // before the engine is asked: what comes later sets it again
      say();
    }
    return writeOut();
  }

  /** Lets the engine say what it has to. */
  private void say() throws SSLException {
    ByteBuffer out = buffers.take();
    try {
      if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        engine.wrap(nothing, out);
        owesAnswer = engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
      }
    } finally {
      cipherOut = out.flip();
    }
  }

  /** Writes what is encrypted; false if the socket takes no more. */
  private boolean writeOut() throws IOException {
    ByteBuffer out = cipherOut;
    if (out == null) {
      return true;
    }
    if (out.hasRemaining()) {
      socket.write(out);
    }
    if (out.hasRemaining()) {
      return false;
    }
    cipherOut = null;
    buffers.giveBack(out);
    return true;
  }

  @Override
  public boolean isFlushed() {
    return cipherOut == null && !owesAnswer;
  }

  @Override
  public boolean owesAnswer() {
    return owesAnswer;
  }

  // ---------------------------------------------------------------- shaking hands

  private void shakeHandsIfNew() throws IOException {
    switch (state) {
      case NEW -> shakeHands();
      case UP, PLAIN -> {}
      case BROKEN -> throw new IOException("encryption with " + whom + " has failed");
    }
  }

  private void shakeHands() throws IOException {
    state = State.BROKEN; // unless it gets to its end
    try {
      engine.beginHandshake();
      while (step()) {
        // the next one
      }
      state = State.UP;
    } catch (SSLException e) {
      sayWhy();
      throw told(e);
    }
  }

  /** Returns false once both sides are through. */
  private boolean step() throws IOException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> runTasks();
      case NEED_WRAP -> {
        say();
        writeFully();
      }
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrapHandshake();
      case FINISHED, NOT_HANDSHAKING -> {
        return false;
      }
    }
    return true;
  }

  private void runTasks() {
    Runnable task = engine.getDelegatedTask();
    while (task != null) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }

  private void writeFully() throws IOException {
    while (!writeOut()) {
      // the socket blocks
    }
  }

  private void unwrapHandshake() throws IOException {
    ByteBuffer[] into = {nothing};
    requireTls();
    if (!nextRecord(into) && engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
      if (!readMore()) {
        throw new IOException(whom + " closed the connection in the middle of TLS' handshake");
      }
    }
  }

  /** What a node without encryption says first is told from TLS by its first byte. */
  private void requireTls() throws RefusedException {
    ByteBuffer in = cipherIn;
    if (in == null) {
      return;
    }
    int type = in.get(0);
    if (type < FIRST_RECORD_TYPE || type > LAST_RECORD_TYPE) {
      state = State.PLAIN;
      throw new RefusedException(
          Reason.PROTOCOL,
          whom
              + " does not encrypt, and this node talks TLS alone; give both tls.certificate,"
              + " tls.key and tls.ca, or neither");
    }
  }

  /**
   * The engine's alert; then what still comes is read, lest the reset of it overtakes the alert.
   */
  private void sayWhy() {
    try {
      while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone()) {
        say();
        writeFully();
      }
      socket.shutdownOutput();
      ByteBuffer rest = borrowIn();
      for (int drained = 0; drained < DRAIN_BYTES; drained += rest.position()) {
        rest.clear();
        if (socket.read(rest) < 0) {
          return;
        }
      }
    } catch (IOException e) {
      // The far side finds out without words.
    }
  }

  private IOException told(SSLException e) {
    String words = String.valueOf(e.getMessage());
    if (words.contains(ALERT)) {
      String alert = words.substring(words.indexOf(ALERT) + ALERT.length());
      return new IOException(
          whom
              + " does not accept this node's certificate or TLS ("
              + alert
              + "); is the certificate valid, and its authority in tls.ca there?",
          e);
    }
    Throwable cause = e;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause(); // the innermost says what is wrong with which certificate
    }
    return new IOException("no encrypted connection with " + whom + ": " + cause.getMessage(), e);
  }
}
