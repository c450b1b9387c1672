// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.Version;
import io.verbena.bench.peers.Answers;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.Peer;
import io.verbena.bench.peers.PeerOptions;
import io.verbena.bench.peers.PeerProcess;
import io.verbena.bench.peers.SendingEnd;
import java.net.InetSocketAddress;

/** Netty over TCP with its native epoll transport: length-prefixed messages. */
public final class NettyPeer implements Peer {

  /** Pools; {@code -Dio.netty.allocator.type} chooses another. */
  private static final ByteBufAllocator ALLOCATOR = ByteBufAllocator.DEFAULT;

  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(1 << 20, 2 << 20);

  private NettyPeer() {}

  public static void main(String[] arguments) {
    PeerProcess.run(new NettyPeer(), arguments);
  }

  @Override
  public String version() {
    return "Netty " + Version.identify().get("netty-transport-classes-epoll").artifactVersion();
  }

  @Override
  public String settings(PeerOptions options) {
    return "native epoll, one event loop in each process, TCP_NODELAY, direct buffers of the "
        + ALLOCATOR.getClass().getSimpleName()
        + ", "
        + (options.hasReplies() ? "requests sent" : "messages " + form(options))
        + " within the event loop";
  }

  private static String form(PeerOptions options) {
    int batch = NettySender.batch(options.sizeBytes());
    return isJoined(options)
        ? "joined by hand, %d to a buffer, written".formatted(batch)
        : "written one by one, flushed every %d,".formatted(batch);
  }

  private static boolean isJoined(PeerOptions options) {
    return options.text("form").equals("joined");
  }

  @Override
  public AutoCloseable openReceiver(PeerOptions options, Judge judge) throws Exception {
    EventLoopGroup loops = newLoops();
    boolean answers = options.hasReplies();
    new ServerBootstrap()
        .group(loops)
        .channel(EpollServerSocketChannel.class)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.ALLOCATOR, ALLOCATOR)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new MessageTaker(judge, answers));
              }
            })
        .bind(address(options))
        .sync();
    return loops::shutdownGracefully;
  }

  @Override
  public SendingEnd openSender(PeerOptions options) throws Exception {
    EventLoopGroup loops = newLoops();
    AnswerTaker answers = new AnswerTaker(Answers.ofSize(options.sizeBytes()));
    Channel channel =
        new Bootstrap()
            .group(loops)
            .channel(EpollSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.ALLOCATOR, ALLOCATOR)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .handler(answers)
            .connect(address(options))
            .sync()
            .channel();
    return new NettySender(loops, channel, answers, options.sizeBytes(), isJoined(options));
  }

  private static EventLoopGroup newLoops() {
    return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  }

  private static InetSocketAddress address(PeerOptions options) {
    return new InetSocketAddress("127.0.0.1", options.number("port"));
  }
}
