// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/** The same channels where the nodes share no memory, as between hosts. */
class ChannelByDeviceTest extends ChannelTest {

  @Override
  boolean isByDevice() {
    return true;
  }
}
