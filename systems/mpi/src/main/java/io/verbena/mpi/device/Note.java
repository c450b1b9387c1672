// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

/**
 * Sixteen bytes that travel beside a message and are seen with its envelope, by probes, too: for
 * what the layer above has to say of the message before its bytes are taken.
 */
public record Note(long first, long second) {}
