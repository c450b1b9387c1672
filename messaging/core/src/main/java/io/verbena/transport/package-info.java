// SPDX-License-Identifier: Apache-2.0
/**
 * The transport SPI: how ring bytes move between two nodes.
 *
 * <p>A transport knows nodes, lanes and stream positions; it knows nothing of messages. Third
 * parties add one by providing {@link io.verbena.transport.TransportProvider} as a service.
 */
@NullMarked
package io.verbena.transport;

import org.jspecify.annotations.NullMarked;
