// SPDX-License-Identifier: Apache-2.0
/**
 * Short programs to learn from, best read in this order: {@link io.verbena.examples.Greeting},
 * {@link io.verbena.examples.PriceStream}, {@link io.verbena.examples.SlowConsumer}, {@link
 * io.verbena.examples.Restart}.
 *
 * <p>To be readable in one piece each of them opens its nodes in one process, over loopback. In a
 * real program every node lives in a process of its own; then the configuration says where the
 * others are:
 *
 * <pre>{@code
 * NodeConfig.builder().id(1).listen("10.0.0.1:7000").peer(2, "10.0.0.2:7000").types(types).build()
 * }</pre>
 */
@NullMarked
package io.verbena.examples;

import org.jspecify.annotations.NullMarked;
