// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import java.time.Duration;

/** The end of this process because of a fault; by its status the launcher ends the job. */
final class Ending {

  /** How long the program's shutdown hooks may take: some wait for what never comes. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How long a rank that has failed may take to end, with its own words and status. */
  private static final Duration DEFERENCE = Duration.ofSeconds(5);

  private Ending() {}

  /** Says why, and ends. Does not return. */
  static void now(String why, int givenStatus) {
    say(why);
    exit(status(givenStatus));
  }

  /**
   * The same because another rank is lost. As a rule that one has failed, and the launcher ends the
   * job as soon as its process has ended: it is the one to be named then, not this. A program that
   * throws says goodbye first, while it leaves its world.
   */
  static void after(String why, int givenStatus) {
    say(why);
    try {
      Thread.sleep(DEFERENCE);
    } catch (InterruptedException e) {
      // the same at once
    }
    exit(status(givenStatus));
  }

  private static void say(String why) {
    System.out.flush();
    System.err.println("verbena: " + why);
  }

  private static void exit(int status) {
    Thread.ofPlatform().daemon().name("verbena-mpi-ending").start(() -> haltLater(status));
    System.exit(status);
  }

  /** What a process can end with, and is no end without a fault. */
  static int status(int given) {
    int status = given & 0xff;
    return status == 0 ? 1 : status;
  }

  private static void haltLater(int status) {
    try {
      Thread.sleep(PATIENCE);
    } catch (InterruptedException e) {
      // the same at once
    }
    Runtime.getRuntime().halt(status);
  }
}
