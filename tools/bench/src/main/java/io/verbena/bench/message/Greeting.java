// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

/**
 * A request, answered with itself, by which two nodes get to know each other; it is not timed.
 *
 * @param number what the answer must have, too
 */
public record Greeting(long number) {}
