// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

/**
 * A value with its version: a number that no other write of the region has, and larger than that of
 * all writes before.
 *
 * @param value the caller's own copy
 */
public record Versioned(byte[] value, long version) {}
