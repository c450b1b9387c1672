// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.grpc;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.internal.GrpcUtil;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.verbena.bench.peers.Answers;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.Peer;
import io.verbena.bench.peers.PeerOptions;
import io.verbena.bench.peers.PeerProcess;
import io.verbena.bench.peers.SendingEnd;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** gRPC over TCP: unary calls whose messages are byte arrays. */
public final class GrpcPeer implements Peer {

  private static final String SERVICE = "Bench";
  private static final int MAX_MESSAGE_BYTES = 32 << 20;

  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Echo"))
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private GrpcPeer() {}

  public static void main(String[] arguments) {
    PeerProcess.run(new GrpcPeer(), arguments);
  }

  @Override
  public String version() {
    return "gRPC " + GrpcUtil.getGrpcBuildVersion().getImplementationVersion();
  }

  @Override
  public String settings(PeerOptions options) {
    return "blocking unary calls, plaintext, Netty epoll, direct executors, byte-array marshaller";
  }

  @Override
  public AutoCloseable openReceiver(PeerOptions options, Judge judge) throws Exception {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(ECHO, ServerCalls.asyncUnaryCall((message, to) -> echo(message, to, judge)))
            .build();
    Server server =
        NettyServerBuilder.forAddress(address(options))
            .directExecutor()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .addService(service)
            .build()
            .start();
    return server::shutdownNow;
  }

  private static void echo(byte[] message, StreamObserver<byte[]> to, Judge judge) {
    judge.take(MemorySegment.ofArray(message), 0, message.length);
    to.onNext(message);
    to.onCompleted();
  }

  @Override
  public SendingEnd openSender(PeerOptions options) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(address(options))
            .usePlaintext()
            .directExecutor()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .build();
    return new Caller(channel, Answers.ofSize(options.sizeBytes()));
  }

  private static InetSocketAddress address(PeerOptions options) {
    return new InetSocketAddress("127.0.0.1", options.number("port"));
  }

  private record Caller(ManagedChannel channel, Answers answers) implements SendingEnd {
    @Override
    public boolean request(long stamp) {
      byte[] message = new byte[answers.sizeBytes()];
      answers.views().write(stamp, MemorySegment.ofArray(message), 0);
      byte[] answer = ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, message);
      return answers.isAnswer(stamp, MemorySegment.ofArray(answer), 0, answer.length);
    }

    @Override
    public void send(long stamp) {
      throw new UnsupportedOperationException("gRPC takes part in round trips only");
    }

    @Override
    public void flush() {}

    @Override
    public void close() throws InterruptedException {
      channel.shutdownNow().awaitTermination(1, TimeUnit.SECONDS);
    }
  }
}
