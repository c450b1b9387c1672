// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.IncompatibleMessageException;
import io.verbena.MalformedMessageException;
import io.verbena.RemoteHandlerException;
import io.verbena.UnregisteredTypeException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.InboundOrigin;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.MessageSink;
import io.verbena.internal.event.SlowHandlerEvent;
import io.verbena.internal.event.Words;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.FrameSink;
import io.verbena.internal.lane.ProtocolException;
import io.verbena.internal.lane.Reassembly;
import io.verbena.internal.metrics.LaneCounters;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What one incoming lane carries, and the lanes that go on for it: messages to handlers, answers to
 * requests.
 */
final class InboundStream implements FrameSink, LaneCounters, AutoCloseable {

  private final Session session;
  private final boolean inner;
  private final SinkTable sinks;
  private final InlineOrigin origin;
  private final Reassembly direct;
  private final Reassembly queued;
  private long messages; // by the reading thread; others may see it late
  private long payloadBytes;
  private long answers;

  /**
   * @param inner whether this is the peer's inner lane
   */
  InboundStream(Session session, boolean inner) {
    long maxMessageBytes = session.host().config().messageMaxBytes();
    this.session = session;
    this.inner = inner;
    this.sinks = session.host().sinks().of(session.peerTypes());
    this.origin = new InlineOrigin(session, inner);
    this.direct = new Reassembly(maxMessageBytes);
    this.queued = new Reassembly(maxMessageBytes);
  }

  @Override
  public long messages() {
    return messages;
  }

  @Override
  public long bytes() {
    return payloadBytes;
  }

  @Override
  public long answers() {
    return answers;
  }

  /** What large messages are put together in; others than the reading thread may see it late. */
  long memoryBytes() {
    return direct.memoryBytes() + queued.memoryBytes();
  }

  /** Frees what was being put together: the lane carries nothing any more. */
  @Override
  public void close() {
    direct.close();
    queued.close();
  }

  /** Messages wait for their handlers; what is said about others' requests and lanes does not. */
  @Override
  public boolean mustWait(int kind) {
    return switch (kind) {
      case Frame.MESSAGE, Frame.REQUEST, Frame.FRAGMENT ->
          inner ? session.takesNoRequests() : session.isPaused();
      default -> false;
    };
  }

  @Override
  public void broken(String reason) {
    session.broken(reason);
  }

  @Override
  public void frame(MemorySegment segment, long offset, long header) throws ProtocolException {
    int kind = Frame.kind(header);
    try {
      switch (kind) {
        case Frame.MESSAGE -> message(segment, offset, header);
        case Frame.REQUEST -> request(segment, offset, header);
        case Frame.REPLY -> reply(segment, offset, header);
        case Frame.ERROR -> error(segment, offset, header);
        case Frame.FRAGMENT -> fragment(segment, offset, header);
        case Frame.CONTROL -> session.control(Frame.typeId(header));
        case Frame.MOVED -> session.moved(this, Frame.typeId(header));
        default -> throw new ProtocolException("a frame of unknown kind " + kind);
      }
    } catch (MalformedMessageException e) {
      throw new ProtocolException("malformed: " + e.getMessage());
    } catch (IncompatibleMessageException e) {
      origin.handlerFailed(e); // the message was well formed, but this version has no words for it
    } catch (InternalError e) { // the memory below is not there any more
      throw e;
    } catch (Error e) { // of its codec; or its record, or a place in a queue, did not fit
      if (kind != Frame.MESSAGE && kind != Frame.REQUEST) {
        throw e;
      }
      origin.handlerFailed(e);
    }
  }

  private void message(MemorySegment segment, long offset, long header) throws ProtocolException {
    int typeId = Frame.typeId(header);
    int length = Frame.length(header) - Frame.HEADER_BYTES;
    if (inner) {
      throw new ProtocolException("a message of type " + typeId + " in the lane for answers");
    }
    messages++;
    payloadBytes += length;
    origin.pointAtMessage(typeId, length);
    MessageSink sink = sinkOf(typeId);
    if (sink == null) {
      session.noHandler(typeId);
      return;
    }
    watched(sink).accept(segment, offset + Frame.HEADER_BYTES, length, origin);
  }

  private void request(MemorySegment segment, long offset, long header) throws ProtocolException {
    int typeId = Frame.typeId(header);
    int length = bodyAfterCorrelation(header);
    long correlation = Frame.getLong(segment, offset + Frame.HEADER_BYTES);
    messages++;
    payloadBytes += length;
    origin.pointAtRequest(typeId, length, correlation);
    MessageSink sink = sinkOf(typeId);
    if (sink == null) {
      session.noHandler(typeId);
      session.answers().replyError(correlation, session.whyNoHandler(typeId));
      return;
    }
    if (inner && session.isInnerFull()) {
      session.answers().replyError(correlation, tooManyInner());
      return;
    }
    long body = offset + Frame.HEADER_BYTES + Frame.CORRELATION_BYTES;
    watched(sink).accept(segment, body, length, origin);
    origin.requestHandled();
  }

  private String tooManyInner() {
    Host host = session.host();
    return "node "
        + host.id()
        + " has as many requests of this node's handlers waiting for its own as it may: requests.max"
        + " is "
        + host.config().requestsMax()
        + ", pool.queue.bytes "
        + host.config().poolQueueBytes();
  }

  private @Nullable MessageSink sinkOf(int typeId) {
    @Nullable MessageSink[] table = sinks.current();
    MessageSink sink = typeId < table.length ? table[typeId] : null;
    return sink == null ? sinks.find(typeId) : sink;
  }

  /** The sink, with a watch if slow handlers are recorded. */
  private MessageSink watched(MessageSink sink) {
    return SlowHandlerEvent.isOn() ? new Watched(sink) : sink;
  }

  private final class Watched extends MessageSink {
    private final MessageSink sink;

    Watched(MessageSink sink) {
      this.sink = sink;
    }

    @Override
    public void accept(MemorySegment segment, long offset, int length, InboundOrigin from) {
      SlowHandlerEvent event = SlowHandlerEvent.start();
      sink.accept(segment, offset, length, from);
      SlowHandlerEvent.finish(event, session.host().id(), session.peer(), origin.typeId());
    }
  }

  private void reply(MemorySegment segment, long offset, long header) throws ProtocolException {
    int length = bodyAfterCorrelation(header);
    int typeId = Frame.typeId(header);
    MessageCodec codec = session.peerTypes().codec(typeId);
    if (codec == null && session.host().types().isView(typeId)) {
      throw new ProtocolException("a reply of type " + typeId + ", no record type");
    }
    messages++;
    payloadBytes += length;
    PendingRequest<?> request = take(Frame.getLong(segment, offset + Frame.HEADER_BYTES));
    if (request == null) {
      return;
    }
    if (codec == null) {
      fail(request, new UnregisteredTypeException(session.whyNoHandler(typeId)));
      return;
    }
    try {
      long body = offset + Frame.HEADER_BYTES + Frame.CORRELATION_BYTES;
      Record reply = codec.read(segment, body, length);
      answers++; // first: who has the reply finds it counted
      request.answer(reply);
    } catch (MalformedMessageException e) {
      fail(request, e);
      throw new ProtocolException("malformed: " + e.getMessage());
    } catch (IncompatibleMessageException e) {
      fail(request, e);
    } catch (RuntimeException | InternalError e) {
      failUnread(request, e);
      throw e;
    } catch (Error e) { // of its codec, or it did not fit: the link is as good as before
      failUnread(request, e);
    }
  }

  private void fail(PendingRequest<?> request, VerbenaException failure) {
    session.host().metrics().requestFailed();
    request.completeExceptionally(failure);
  }

  /** The request was taken from the table: nobody else can give it an outcome any more. */
  private void failUnread(PendingRequest<?> request, Throwable cause) {
    fail(
        request,
        new VerbenaException(
            "the reply of node " + session.peer() + " could not be read: " + Words.of(cause),
            cause));
  }

  private void error(MemorySegment segment, long offset, long header) throws ProtocolException {
    int length = bodyAfterCorrelation(header);
    PendingRequest<?> request = take(Frame.getLong(segment, offset + Frame.HEADER_BYTES));
    if (request == null) {
      return;
    }
    try {
      long body = offset + Frame.HEADER_BYTES + Frame.CORRELATION_BYTES;
      String reason = text(segment, body, length);
      fail(request, new RemoteHandlerException("node " + session.peer() + ": " + reason));
    } catch (RuntimeException | Error e) { // a long reason may find no memory
      failUnread(request, e);
      throw e;
    }
  }

  private static String text(MemorySegment segment, long offset, int length) {
    byte[] text = new byte[length];
    MemorySegment.copy(segment, offset, MemorySegment.ofArray(text), 0, length);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Takes the request this peer answers; another node's request stays where it is. */
  private @Nullable PendingRequest<?> take(long correlation) {
    PendingRequest<?> request = session.host().requests().take(correlation, session.connection());
    if (request == null) {
      session.host().metrics().lateReply();
    }
    return request;
  }

  private void fragment(MemorySegment segment, long offset, long header) throws ProtocolException {
    Reassembly reassembly = (Frame.flags(header) & Frame.QUEUED) != 0 ? queued : direct;
    MemorySegment whole = reassembly.add(segment, offset, header);
    if (whole != null) {
      try {
        frame(whole, 0, reassembly.innerHeader());
      } finally {
        reassembly.release();
      }
    }
  }

  private static int bodyAfterCorrelation(long header) throws ProtocolException {
    int length = Frame.length(header) - Frame.HEADER_BYTES - Frame.CORRELATION_BYTES;
    if (length < 0) {
      throw new ProtocolException(
          "a frame of kind "
              + Frame.kind(header)
              + " with "
              + Frame.length(header)
              + " bytes; it needs 16");
    }
    return length;
  }
}
