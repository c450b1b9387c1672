// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
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
import io.verbena.bench.message.Views;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.Peer;
import io.verbena.bench.peers.PeerOptions;
import io.verbena.bench.peers.PeerProcess;
import io.verbena.bench.peers.SendingEnd;
import java.net.InetSocketAddress;

/** Netty over TCP with its native epoll transport: length-prefixed messages. */
public final class NettyPeer implements Peer {

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
    return "native epoll, one event loop in each process, TCP_NODELAY, pooled direct buffers, "
        + (options.hasReplies()
            ? "requests sent from the event loop"
            : "written from the event loop, flushed every %d messages or %d KiB"
                .formatted(NettySender.BATCH_MESSAGES, NettySender.BATCH_BYTES >> 10));
  }

  @Override
  public AutoCloseable openReceiver(PeerOptions options, Judge judge) throws Exception {
    EventLoopGroup loops = newLoops();
    boolean answers = options.hasReplies();
    new ServerBootstrap()
        .group(loops)
        .channel(EpollServerSocketChannel.class)
        .childOption(ChannelOption.TCP_NODELAY, true)
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
    AnswerTaker answers = new AnswerTaker(Views.ofSize(options.sizeBytes()), options.sizeBytes());
    Channel channel =
        new Bootstrap()
            .group(loops)
            .channel(EpollSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .handler(answers)
            .connect(address(options))
            .sync()
            .channel();
    return new NettySender(loops, channel, answers, options.sizeBytes());
  }

  private static EventLoopGroup newLoops() {
    return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  }

  private static InetSocketAddress address(PeerOptions options) {
    return new InetSocketAddress("127.0.0.1", options.number("port"));
  }
}
