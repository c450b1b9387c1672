// SPDX-License-Identifier: Apache-2.0
/**
 * What a node tells the JDK Flight Recorder. While nobody records an event, making and emitting it
 * costs about nothing: {@code begin} and {@code end} are empty, {@code shouldCommit} is a constant,
 * and the object does not escape.
 */
@NullMarked
package io.verbena.internal.event;

import org.jspecify.annotations.NullMarked;
