// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

/**
 * A message whose body is exactly 8 bytes.
 *
 * @param stamp all there is room for
 */
public record Tiny8(long stamp) {}
