// SPDX-License-Identifier: Apache-2.0
/**
 * Lanes over TCP: one connection per pair of nodes, gathering writes straight from the lane, bytes
 * read straight into a replica of it. docs/protocol.md, "Segments".
 */
@NullMarked
package io.verbena.transport.tcp;

import org.jspecify.annotations.NullMarked;
