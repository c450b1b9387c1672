// SPDX-License-Identifier: Apache-2.0
/**
 * What transports share that copy lanes: the reading node holds a replica of each of its peer's
 * rings, filled by the transport, and both tell each other of lanes by segments. docs/protocol.md,
 * "Segments".
 */
@NullMarked
package io.verbena.transport.replica;

import org.jspecify.annotations.NullMarked;
