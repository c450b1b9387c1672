// SPDX-License-Identifier: Apache-2.0
/**
 * How two nodes get to know each other over a reliable byte stream before a link is theirs: who
 * they are, that both have the cluster key, that their types agree, and which session goes on.
 *
 * <p>The handshake knows no transport. {@link io.verbena.transport.handshake.Handshake} is the way
 * in; the bytes are described in docs/protocol.md, "Handshake".
 */
@NullMarked
package io.verbena.transport.handshake;

import org.jspecify.annotations.NullMarked;
