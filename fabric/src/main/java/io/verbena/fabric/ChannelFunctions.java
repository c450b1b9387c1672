// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static io.verbena.fabric.Functions.bind;
import static io.verbena.fabric.Functions.bindVoid;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code verbena/channel.h}. None of them is called as a critical one, though some
 * seldom do more than a load: each may do a round of its node, which posts to devices, takes locks
 * and gives memory back, and the JVM's safepoints would wait for that.
 */
final class ChannelFunctions {

  static final MethodHandle OPEN_READER =
      bind("vbn_reader_open", JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS);
  static final MethodHandle FREE_READER = bindVoid("vbn_reader_free", ADDRESS);
  static final MethodHandle PEEK =
      bind("vbn_reader_peek", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  static final MethodHandle RELEASE = bindVoid("vbn_reader_release", ADDRESS);
  static final MethodHandle PROBE = bind("vbn_reader_probe", JAVA_INT, ADDRESS, ADDRESS);
  static final MethodHandle POP =
      bind("vbn_reader_pop", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);
  static final MethodHandle DROP = bind("vbn_reader_drop", JAVA_INT, ADDRESS, ADDRESS);
  static final MethodHandle TELL = bindVoid("vbn_reader_tell", ADDRESS);
  static final MethodHandle READER_RING = bind("vbn_reader_ring", ADDRESS, ADDRESS, ADDRESS);
  static final MethodHandle READER_PEER = bind("vbn_reader_peer", JAVA_INT, ADDRESS);
  static final MethodHandle READER_RELEASED = bind("vbn_reader_released", JAVA_LONG, ADDRESS);
  static final MethodHandle READER_LOST =
      bindVoid("vbn_reader_lost_because", ADDRESS, ADDRESS, JAVA_LONG);

  static final MethodHandle OPEN_WRITER =
      bind("vbn_writer_open", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
  static final MethodHandle FREE_WRITER = bindVoid("vbn_writer_free", ADDRESS);
  static final MethodHandle MOST_IN_PLACE = bind("vbn_writer_most_in_place", JAVA_LONG, ADDRESS);
  static final MethodHandle CLAIM =
      bind("vbn_writer_claim", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);
  static final MethodHandle PUBLISH = bind("vbn_writer_publish", JAVA_INT, ADDRESS, JAVA_LONG);
  static final MethodHandle PUSH =
      bind("vbn_writer_push", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle FLUSH = bind("vbn_writer_flush", JAVA_INT, ADDRESS, JAVA_LONG);
  static final MethodHandle END = bind("vbn_writer_close", JAVA_INT, ADDRESS, JAVA_LONG);
  static final MethodHandle WRITER_RING = bind("vbn_writer_ring", ADDRESS, ADDRESS, ADDRESS);
  static final MethodHandle WRITER_PEER = bind("vbn_writer_peer", JAVA_INT, ADDRESS);
  static final MethodHandle IS_SHARED = bind("vbn_writer_is_shared", JAVA_INT, ADDRESS);
  static final MethodHandle PUBLISHED = bind("vbn_writer_published", JAVA_LONG, ADDRESS);
  static final MethodHandle WRITER_RELEASED = bind("vbn_writer_released", JAVA_LONG, ADDRESS);
  static final MethodHandle WRITER_LOST =
      bindVoid("vbn_writer_lost_because", ADDRESS, ADDRESS, JAVA_LONG);

  static final MethodHandle OPEN_CONNECTIONS =
      bind("vbn_connections_open", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle FREE_CONNECTIONS = bindVoid("vbn_connections_free", ADDRESS);
  static final MethodHandle LISTEN = bind("vbn_connections_listen", JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle ACCEPT =
      bind("vbn_connections_accept", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  static final MethodHandle CONNECT =
      bind("vbn_connections_connect", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);

  private ChannelFunctions() {}
}
