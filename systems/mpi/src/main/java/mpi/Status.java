// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Note;

/** What is known of a message that was received or found, or of a request that is done. */
public class Status {

  /** The sender's rank. */
  public int source;

  /** The message's tag. */
  public int tag;

  /** Which of several requests it belongs to, in the calls that have several. */
  public int index;

  /** How many of the receive's datatype there were; {@code MPI.UNDEFINED} if not a whole number. */
  public int count;

  /** How many bytes the message has; {@code MPI.UNDEFINED} beyond 2147483647. */
  public int countInBytes;

  /** How many elements of the base type there were. */
  public int numEls;

  private long bytes;
  private int objects = MPI.UNDEFINED; // of a message of objects
  private boolean isCancelled;

  /** The empty one: of no message. */
  public Status() {
    source = MPI.ANY_SOURCE;
    tag = MPI.ANY_TAG;
    index = MPI.UNDEFINED;
  }

  /** That of a message to be received with this datatype. */
  static Status of(io.verbena.mpi.device.Status message, Datatype type) {
    Status status = of(message);
    status.count = status.Get_count(type);
    status.numEls = status.Get_elements(type);
    return status;
  }

  /** That of a message of which nobody has said what it holds. */
  static Status of(io.verbena.mpi.device.Status message) {
    Status status = new Status();
    status.source = message.source();
    status.tag = message.tag();
    status.bytes = message.bytes();
    status.countInBytes = exact(message.bytes());
    Note note = message.note();
    if (note != null) {
      status.objects = (int) note.second();
    }
    return status;
  }

  static Status ofNobody() {
    Status status = new Status();
    status.source = MPI.PROC_NULL;
    return status;
  }

  static Status ofCancelled() {
    Status status = new Status();
    status.isCancelled = true;
    return status;
  }

  Status withIndex(int of) {
    index = of;
    return this;
  }

  private static int exact(long number) {
    return number == (int) number ? (int) number : MPI.UNDEFINED;
  }

  /**
   * How many of a datatype the message has, which should be that of the receive.
   *
   * @return {@code MPI.UNDEFINED} if not a whole number
   */
  public int Get_count(Datatype datatype) {
    int elements = Get_elements(datatype);
    long size = datatype.map.size();
    if (size == 0) {
      return bytes == 0 ? 0 : MPI.UNDEFINED;
    }
    return elements < 0 || elements % size != 0 ? MPI.UNDEFINED : (int) (elements / size);
  }

  /** How many elements of a datatype's base type the message has. */
  public int Get_elements(Datatype datatype) {
    MPIException.check(datatype != null, "datatype is null");
    if (datatype.isOfObjects()) {
      return bytes == 0 ? 0 : objects;
    }
    int elementBytes = datatype.base.bytes;
    return elementBytes == 0 || bytes % elementBytes != 0
        ? bytes == 0 ? 0 : MPI.UNDEFINED
        : exact(bytes / elementBytes);
  }

  /** Whether the request was cancelled; nothing else is known then. */
  public boolean Test_cancelled() {
    return isCancelled;
  }

  /** Does nothing: there is nothing to free but by the garbage collector. */
  public void free() {}
}
