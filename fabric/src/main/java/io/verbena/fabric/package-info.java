// SPDX-License-Identifier: Apache-2.0
/**
 * One-sided memory ({@code docs/fabric.md}): a {@link io.verbena.fabric.Fabric} is one node, a
 * {@link io.verbena.fabric.Region} memory of it, a {@link io.verbena.fabric.RegionKey} what others
 * need to operate on a part of that, over a {@link io.verbena.fabric.Link}. And channels ({@code
 * docs/channel.md}), whose ends are a {@link io.verbena.fabric.ChannelWriter} and a {@link
 * io.verbena.fabric.ChannelReader}.
 */
@NullMarked
package io.verbena.fabric;

import org.jspecify.annotations.NullMarked;
