// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.express;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Message;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.SendRequest;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import mpjbuf.Buffer;
import mpjdev.Request;
import mpjdev.Status;
import xdev.Device;
import xdev.ProcessID;

/**
 * MPJ Express' device over ours, which belongs to the caller. A process' id holds its rank. Its
 * contexts are ours by the same numbers; the number and the type of a message's elements, which
 * probes tell of, travel as the note beside it.
 */
final class ExpressDevice implements Device {

  private static final long JOB = 0x5665_7262_656e_61L; // any, the same at all ranks

  private final io.verbena.mpi.device.Device device;
  private final ProcessID[] ids;
  private final Map<Integer, Context> contexts = new ConcurrentHashMap<>();
  private final Pending pending;

  ExpressDevice(io.verbena.mpi.device.Device device) {
    this.device = device;
    this.ids = new ProcessID[device.size()];
    for (int rank = 0; rank < ids.length; rank++) {
      ids[rank] = new ProcessID(new UUID(JOB, rank));
    }
    this.pending = new Pending(device);
  }

  @Override
  public ProcessID[] init(String[] arguments) {
    return ids.clone();
  }

  @Override
  public ProcessID id() {
    return ids[device.rank()];
  }

  /** Leaves the device open: the next program of this process may begin. */
  @Override
  public void finish() {}

  @Override
  public int getSendOverhead() {
    return 0;
  }

  @Override
  public int getRecvOverhead() {
    return 0;
  }

  // ---------------------------------------------------------------- sends

  @Override
  public Request isend(Buffer buffer, ProcessID to, int tag, int context) {
    return pending.add(begin(buffer, to, tag, context, false));
  }

  @Override
  public Request issend(Buffer buffer, ProcessID to, int tag, int context) {
    return pending.add(begin(buffer, to, tag, context, true));
  }

  @Override
  public void send(Buffer buffer, ProcessID to, int tag, int context) {
    begin(buffer, to, tag, context, false).iwait();
  }

  @Override
  public void ssend(Buffer buffer, ProcessID to, int tag, int context) {
    begin(buffer, to, tag, context, true).iwait();
  }

  private ExpressRequest begin(
      Buffer buffer, ProcessID to, int tag, int context, boolean isSynchronous) {
    Content content = Content.of(buffer);
    SendRequest send =
        device.send(context(context), rank(to), tag, content, isSynchronous, content.note());
    return new ExpressRequest(pending, send, () -> new Status(-1, tag, -1));
  }

  // ---------------------------------------------------------------- receives

  @Override
  public Request irecv(Buffer buffer, ProcessID from, int tag, int context, Status status) {
    return pending.add(begin(buffer, from, tag, context, status));
  }

  @Override
  public Status recv(Buffer buffer, ProcessID from, int tag, int context) {
    return begin(buffer, from, tag, context, new Status()).iwait();
  }

  private ExpressRequest begin(Buffer buffer, ProcessID from, int tag, int context, Status status) {
    Content content = Content.roomOf(buffer);
    ReceiveRequest receive = device.irecv(context(context), source(from), tag(tag), content);
    return new ExpressRequest(pending, receive, () -> received(receive, content, status));
  }

  private Status received(ReceiveRequest receive, Content content, Status status) {
    if (!receive.isCancelled()) {
      content.store();
      fill(status, receive.status());
    }
    return status;
  }

  private void fill(Status status, io.verbena.mpi.device.Status of) {
    status.srcID = ids[of.source()].uuid();
    status.tag = of.tag();
    Content.tell(of.note(), status);
  }

  // ---------------------------------------------------------------- probes

  @Override
  public Status probe(ProcessID from, int tag, int context) {
    return status(Waiting.on(() -> device.probe(context(context), source(from), tag(tag))));
  }

  /** Null if there is none. */
  @Override
  public Status iprobe(ProcessID from, int tag, int context) {
    return Waiting.on(() -> device.iprobe(context(context), source(from), tag(tag)))
        .map(this::status)
        .orElse(null);
  }

  /** For devices that are made of several processes; here {@code to} is this one. */
  @Override
  public Status iprobe(ProcessID from, ProcessID to, int tag, int context) {
    return iprobe(from, tag, context);
  }

  @Override
  public Status iprobeAndFetch(ProcessID from, ProcessID to, int tag, int context, Buffer buffer) {
    return Waiting.on(() -> device.improbe(context(context), source(from), tag(tag)))
        .map(message -> fetch(message, buffer))
        .orElse(null);
  }

  private Status fetch(Message message, Buffer buffer) {
    Content content = Content.roomOf(buffer);
    ReceiveRequest receive = device.irecv(message, content);
    return new ExpressRequest(pending, receive, () -> received(receive, content, new Status()))
        .iwait();
  }

  private Status status(io.verbena.mpi.device.Status of) {
    Status status = new Status();
    fill(status, of);
    return status;
  }

  @Override
  public Request peek() {
    return Waiting.on(pending::peek);
  }

  // ---------------------------------------------------------------- their numbers and ours

  private Context context(int id) {
    return contexts.computeIfAbsent(id, made -> Context.ofAll(made, ids.length));
  }

  private static int rank(ProcessID id) {
    return (int) id.uuid().getLeastSignificantBits();
  }

  private static int source(ProcessID id) {
    return id.uuid().equals(ANY_SRC.uuid()) ? io.verbena.mpi.device.Device.ANY_SOURCE : rank(id);
  }

  private static int tag(int tag) {
    return tag == ANY_TAG ? io.verbena.mpi.device.Device.ANY_TAG : tag;
  }
}
