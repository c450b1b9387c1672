// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.ClusterKey;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Versions;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that went to and fro on one channel, and the proofs over them.
 *
 * <p>A message is a header of {@link #HEADER_BYTES} and a body. A proof is the body's last 32
 * bytes; it covers the sender's role, every message before and its own message up to itself.
 * Without a key it is all zeros.
 */
final class Conversation {

  static final int HEADER_BYTES = 12;
  static final int MAGIC = 0x4E425256; // "VRBN" as it stands on the wire

  /** HELLO has the layout of the first version for good, so that every version understands it. */
  private static final int HELLO_VERSION = 1;

  private static final int TLS_HANDSHAKE = 22; // RFC 8446, 5.1: the first byte of a ClientHello
  private static final int TLS_MAJOR_VERSION = 3;
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final byte[] NO_PROOF = new byte[ClusterKey.PROOF_BYTES];

  private final Role role;
  private final ByteChannel channel;
  private final @Nullable ClusterKey key;
  private final Versions spoken;
  private final String whom;
  private final List<byte[]> transcript = new ArrayList<>();
  private int version; // agreed on, or 0
  private int heard; // the version of the message received last
  private boolean peerProved;
  private boolean over; // the far side knows, or is past listening

  Conversation(
      Role role, ByteChannel channel, @Nullable ClusterKey key, Versions spoken, String whom) {
    this.role = role;
    this.channel = channel;
    this.key = key;
    this.spoken = spoken;
    this.whom = whom;
  }

  /** The far side in words. */
  String whom() {
    return whom;
  }

  /** The version that both sides speak, once {@link #speak} has said so. */
  int version() {
    return version;
  }

  /** The version in the header of the message received last. */
  int heard() {
    return heard;
  }

  /** From here on both sides speak this version. */
  void speak(int agreed) {
    version = agreed;
  }

  // ---------------------------------------------------------------- sending

  /** Sends a message, with a proof if its kind has one. */
  void send(Kind kind, byte[] body) throws IOException {
    int bodyBytes = body.length + (kind.isProved ? ClusterKey.PROOF_BYTES : 0);
    if (bodyBytes > kind.maxBodyBytes) {
      throw new IllegalStateException(
          kind + " would have " + bodyBytes + " bytes; the limit is " + kind.maxBodyBytes);
    }
    ByteBuffer message =
        ByteBuffer.allocate(HEADER_BYTES + bodyBytes).order(ByteOrder.LITTLE_ENDIAN);
    int header = kind == Kind.HELLO || version == 0 ? HELLO_VERSION : version;
    message.putInt(MAGIC).put((byte) header).put((byte) kind.code).putShort((short) 0);
    message.putInt(bodyBytes).put(body);
    transcript.add(message.array());
    if (kind.isProved) {
      message.put(key == null ? NO_PROOF : key.proof(coveredByLast(role)));
    }
    write(message.flip());
  }

  private void write(ByteBuffer rest) throws IOException {
    while (rest.hasRemaining()) {
      channel.write(rest);
    }
  }

  /** Tells the far side why there will be no agreement, if it does not know yet. */
  IOException tell(IOException failure) {
    boolean worthTelling = failure instanceof RefusedException || peerProved;
    if (over || !worthTelling) {
      return failure;
    }
    over = true;
    Reason reason = failure instanceof RefusedException e ? e.reason() : Reason.CLOSING;
    try {
      send(Kind.REFUSE, new Refusal(reason, String.valueOf(failure.getMessage())).encode());
    } catch (IOException e) {
      failure.addSuppressed(e); // it is gone, then it need not be told
    }
    return failure;
  }

  /** Both sides know all there is to know: a failure from here on is not told. */
  void over() {
    over = true;
  }

  // ---------------------------------------------------------------- receiving

  /** Receives a message; its fields come without the proof, which {@link #checkProof} looks at. */
  BodyReader receive(Kind expected) throws IOException {
    ByteBuffer header = ByteBuffer.wrap(read(HEADER_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    Kind kind = checkHeader(header, expected);
    int bodyBytes = header.getInt(8);
    byte[] message = Arrays.copyOf(header.array(), HEADER_BYTES);
    byte[] body = read(bodyBytes);
    message = Arrays.copyOf(message, HEADER_BYTES + bodyBytes);
    System.arraycopy(body, 0, message, HEADER_BYTES, bodyBytes);
    transcript.add(message);
    int fields = kind.isProved ? bodyBytes - ClusterKey.PROOF_BYTES : bodyBytes;
    BodyReader reader = new BodyReader(kind.name(), Arrays.copyOf(body, fields));
    if (kind == Kind.REFUSE) {
      throw refused(reader);
    }
    return reader;
  }

  private Kind checkHeader(ByteBuffer header, Kind expected) throws RefusedException {
    if (header.get(0) == TLS_HANDSHAKE && header.get(1) == TLS_MAJOR_VERSION) {
      throw refusal(
          " encrypts, and this node does not; give both tls.certificate, tls.key and tls.ca, or"
              + " neither");
    }
    if (header.getInt(0) != MAGIC) {
      throw refusal(" does not speak Verbena; check address and port");
    }
    Kind kind = Kind.of(header.get(5) & 0xFF);
    checkVersion(header.get(4) & 0xFF, kind, expected);
    if (kind == null || (kind != expected && kind != Kind.REFUSE) || header.getShort(6) != 0) {
      throw refusal(
          " sent a message of kind "
              + (header.get(5) & 0xFF)
              + " where "
              + expected
              + " ("
              + expected.code
              + ") was due");
    }
    long bodyBytes = header.getInt(8) & 0xFFFF_FFFFL;
    int least = kind.isProved ? ClusterKey.PROOF_BYTES : 0;
    if (bodyBytes < least || bodyBytes > kind.maxBodyBytes) {
      throw refusal(
          " sent a "
              + kind
              + " of "
              + bodyBytes
              + " bytes; "
              + least
              + " to "
              + kind.maxBodyBytes
              + " are possible");
    }
    return kind;
  }

  /** A REFUSE is understood in every version: it may say that there is none in common. */
  private void checkVersion(int said, @Nullable Kind kind, Kind expected) throws RefusedException {
    heard = said;
    boolean isPossible =
        kind == Kind.REFUSE || (expected == Kind.HELLO ? said == HELLO_VERSION : isSpoken(said));
    if (!isPossible) {
      throw refusal(
          " speaks version "
              + said
              + " of the protocol, this node "
              + (version == 0 ? spoken : "version " + version + " with it")
              + "; run releases that have a version in common");
    }
  }

  private boolean isSpoken(int said) {
    return version == 0 ? spoken.contains(said) : said == version;
  }

  private RefusedException refusal(String what) {
    return new RefusedException(Reason.PROTOCOL, whom + what);
  }

  /** Reads exactly this many bytes; takes memory only for what really arrives. */
  private byte[] read(int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Math.min(length, CHUNK_BYTES));
    while (buffer.position() < length) {
      if (!buffer.hasRemaining()) {
        int larger = Math.min(length, 2 * buffer.capacity());
        buffer = ByteBuffer.allocate(larger).put(buffer.flip());
      }
      if (channel.read(buffer) < 0) {
        throw new EOFException(whom + " closed the channel in the middle of the handshake");
      }
    }
    return buffer.array();
  }

  /** The far side refused. Once it has proved itself, only a proved refusal is believed. */
  private IOException refused(BodyReader fields) throws IOException {
    over = true;
    Refusal refusal = Refusal.decode(fields);
    fields.end();
    if (peerProved && !lastIsProved()) {
      return new IOException(whom + " was cut off by a refusal that has no valid proof");
    }
    return new RefusedException(refusal.reason(), whom + " refused: " + refusal.text());
  }

  /** Checks the proof of the message received last. */
  void checkProof() throws RefusedException {
    if (!lastIsProved()) {
      throw new RefusedException(
          Reason.KEY,
          whom + " could not prove that it has this cluster's key; give all nodes the same one");
    }
    peerProved = true;
  }

  private boolean lastIsProved() {
    byte[] last = transcript.getLast();
    byte[] proof = Arrays.copyOfRange(last, last.length - ClusterKey.PROOF_BYTES, last.length);
    if (key == null) {
      return Arrays.equals(proof, NO_PROOF);
    }
    return key.accepts(proof, coveredByLast(role.other()));
  }

  /** What the proof in the transcript's last message covers. */
  private byte[][] coveredByLast(Role prover) {
    byte[][] parts = new byte[transcript.size() + 1][];
    parts[0] = prover.label();
    for (int i = 0; i < transcript.size(); i++) {
      parts[i + 1] = transcript.get(i);
    }
    byte[] last = transcript.getLast();
    parts[transcript.size()] = Arrays.copyOf(last, last.length - ClusterKey.PROOF_BYTES);
    return parts;
  }
}
