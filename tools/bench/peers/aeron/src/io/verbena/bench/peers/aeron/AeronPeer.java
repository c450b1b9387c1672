// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.Peer;
import io.verbena.bench.peers.PeerOptions;
import io.verbena.bench.peers.PeerProcess;
import io.verbena.bench.peers.SendingEnd;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Aeron. Over IPC the receiver embeds the media driver and the sender uses it too; over UDP each
 * process embeds its own, as two hosts would.
 */
public final class AeronPeer implements Peer {

  static final int MESSAGES = 1001;
  static final int REPLIES = 1002;

  private static final int TERM_BYTES = 16 << 20;
  private static final int IPC_MTU_BYTES = 8192;
  private static final int UDP_MTU_BYTES = 65504; // the largest there is
  private static final int WANTED_SOCKET_BYTES = 2 << 20;
  private static final int DEFAULT_SOCKET_BYTES = 128 << 10;

  private AeronPeer() {}

  public static void main(String[] arguments) {
    PeerProcess.run(new AeronPeer(), arguments);
  }

  @Override
  public String version() {
    return "Aeron " + io.aeron.AeronVersion.VERSION;
  }

  @Override
  public String settings(PeerOptions options) {
    boolean isIpc = isIpc(options);
    String driver =
        isIpc
            ? "media driver embedded in the receiver, mtu %d".formatted(IPC_MTU_BYTES)
            : "media driver embedded in each process, mtu %d, socket buffers %d KiB"
                .formatted(UDP_MTU_BYTES, socketBytes() >> 10);
    String form =
        "%s, threading SHARED, term %d MiB, exclusive publication, tryClaim up to the mtu, above it offer and reassembly, threads spin %d times, then yield, then park";
    return form.formatted(driver, TERM_BYTES >> 20, spins(isIpc));
  }

  @Override
  public AutoCloseable openReceiver(PeerOptions options, Judge judge) {
    MediaDriver driver = launch(options);
    return new AeronReceiver(driver, options, judge);
  }

  @Override
  public SendingEnd openSender(PeerOptions options) {
    MediaDriver driver = isIpc(options) ? null : launch(options);
    return new AeronSender(driver, options);
  }

  private static MediaDriver launch(PeerOptions options) {
    boolean isIpc = isIpc(options);
    return MediaDriver.launchEmbedded(
        new MediaDriver.Context()
            .aeronDirectoryName(directory(options))
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.SHARED)
            .sharedIdleStrategy(idleStrategy(isIpc))
            .ipcTermBufferLength(TERM_BYTES)
            .publicationTermBufferLength(TERM_BYTES)
            .ipcMtuLength(IPC_MTU_BYTES)
            .mtuLength(UDP_MTU_BYTES)
            .socketSndbufLength(socketBytes())
            .socketRcvbufLength(socketBytes())
            .initialWindowLength(socketBytes())
            .termBufferSparseFile(false));
  }

  static boolean isIpc(PeerOptions options) {
    return options.text("channel").equals("ipc");
  }

  /** Where a driver and its clients meet. */
  static String directory(PeerOptions options) {
    String name = isIpc(options) ? "driver" : "driver-" + options.role();
    return Path.of(options.text("scratch"), name).toString();
  }

  static String channel(PeerOptions options, String portOption) {
    return isIpc(options) ? "aeron:ipc" : "aeron:udp?endpoint=127.0.0.1:" + options.text(portOption);
  }

  /** Spinning pays as long as every thread that does it has a core: two of ours, two of drivers. */
  private static int spins(boolean isIpc) {
    return Runtime.getRuntime().availableProcessors() >= (isIpc ? 2 : 4) ? 10_000 : 100;
  }

  static IdleStrategy idleStrategy(boolean isIpc) {
    return new BackoffIdleStrategy(spins(isIpc), 1000, 1_000, 1_000_000);
  }

  /** The kernel grants less than what is asked for; the driver refuses to start then. */
  private static int socketBytes() {
    return limit("rmem_max") >= WANTED_SOCKET_BYTES && limit("wmem_max") >= WANTED_SOCKET_BYTES
        ? WANTED_SOCKET_BYTES
        : DEFAULT_SOCKET_BYTES;
  }

  /** By lines: read byte by byte, such a file ends after the first. */
  private static long limit(String name) {
    try (var lines = Files.lines(Path.of("/proc/sys/net/core", name))) {
      return Long.parseLong(lines.findFirst().orElse("0").strip());
    } catch (java.io.IOException e) {
      return 0;
    }
  }
}
