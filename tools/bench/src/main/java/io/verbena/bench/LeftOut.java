// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

/**
 * A system that was not measured.
 *
 * @param system its name
 * @param reason why it cannot be used here, and what to do
 */
public record LeftOut(String system, String reason) {}
