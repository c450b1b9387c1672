// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

/**
 * This rank among those that are measured.
 *
 * @param <M> memory, as it is handed over in each call
 */
interface Ranks<M> {

  /** A call that is made again and again. */
  interface Call {
    /** Makes it once. */
    void make(int root) throws Exception;
  }

  /** This rank. */
  int self();

  /** How many there are. */
  int count();

  /** Whether a message of rank 0 is there. */
  boolean hasMessage(int tag) throws Exception;

  /** Memory that is used in many calls. */
  M memory(Content content);

  /** Sends. */
  void send(M from, int to, int tag) throws Exception;

  /** Receives. */
  void receive(M into, int from, int tag) throws Exception;

  /**
   * A call of all.
   *
   * @param from what this rank gives; of {@link Operation#BCAST} also where it gets it
   */
  Call call(Operation operation, Content from, Content into);
}
