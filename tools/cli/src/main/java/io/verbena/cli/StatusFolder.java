// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files in which the nodes of this user tell how they fare; docs/top.md describes their layout.
 *
 * @param path the folder, which need not be there
 */
record StatusFolder(Path path) {

  private static final long NEVER = Long.MAX_VALUE;

  /** As nodes name their files. */
  private static final Pattern NAME = Pattern.compile("(?<pid>[0-9]{1,18})-.*");

  private static final byte[] MAGIC = "VERBTOP1".getBytes(StandardCharsets.US_ASCII);
  private static final int SEQUENCE_OFFSET = 8;
  private static final int LENGTH_OFFSET = 16;
  private static final int TEXT_OFFSET = 24;

  /** A writer that waits for a processor gets some time; one that died gets none. */
  private static final int YIELDS = 50;

  private static final int NAPS = 1_000;
  private static final long NAP_NS = 1_000_000;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt HALF =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SEQUENCE = WORD.varHandle();

  /** A node that runs writes once a second; one that does not for so long may be gone. */
  private static final long SILENT_MS = 5_000;

  /** A process's begin is counted from that of its host, which is told in whole seconds. */
  private static final long ROUNDING_MS = 2_000;

  /** The one that nodes use if nothing else is set. */
  static StatusFolder ofThisUser() throws IOException {
    Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    return new StatusFolder(Path.of("/dev/shm/verbena-" + uid + ".nodes"));
  }

  /** When the process began, in ms since 1970; {@link #NEVER} if there is none. */
  private static long begin(long pid) {
    return ProcessHandle.of(pid)
        .map(process -> process.info().startInstant().map(Instant::toEpochMilli).orElse(0L))
        .orElse(NEVER);
  }

  /** The nodes there are, by process and id; removes what processes that are gone have left. */
  List<NodeReport> reports(long nowMs) throws IOException {
    List<NodeReport> reports = new ArrayList<>();
    for (Path file : files()) {
      NodeReport report = read(file);
      if (report == null) {
        removeIfLeft(file, nowMs);
        continue;
      }
      boolean isSilent = nowMs - report.writtenMs() >= SILENT_MS;
      if (!isSilent || isWriterThere(report)) {
        reports.add(report);
      } else if (begin(report.pid()) == NEVER) {
        Files.deleteIfExists(file); // else a clock that was set may have misled us
      }
    }
    reports.sort(Comparator.comparing(NodeReport::pid).thenComparing(NodeReport::nodeId));
    return reports;
  }

  /** Its writer died before it had written it, or while it did. */
  private static void removeIfLeft(Path file, long nowMs) throws IOException {
    try {
      boolean isSilent = nowMs - Files.getLastModifiedTime(file).toMillis() >= SILENT_MS;
      if (isSilent && isNamedAfterNobody(file)) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      // its node has closed
    }
  }

  private static boolean isNamedAfterNobody(Path file) {
    Matcher name = NAME.matcher(file.getFileName().toString());
    return name.matches() && begin(Long.parseLong(name.group("pid"))) == NEVER;
  }

  /** A process that began after the node did has only got the number of the one that wrote. */
  private boolean isWriterThere(NodeReport report) {
    long begin = begin(report.pid());
    return begin != NEVER && begin - ROUNDING_MS <= report.startedMs();
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** What a file says; null if it is not such a file, or gone. */
  private @Nullable NodeReport read(Path file) {
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ))) {
      if (channel.size() < TEXT_OFFSET) {
        return null;
      }
      MemorySegment segment = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      byte[] magic = segment.asSlice(0, MAGIC.length).toArray(ValueLayout.JAVA_BYTE);
      return java.util.Arrays.equals(magic, MAGIC) ? parse(segment, tries(file)) : null;
    } catch (IOException | IllegalArgumentException | InternalError e) {
      return null; // somebody else's, half written, or removed while it was read
    }
  }

  private static int tries(Path file) {
    Matcher name = NAME.matcher(file.getFileName().toString());
    boolean hasWriter = name.matches() && begin(Long.parseLong(name.group("pid"))) != NEVER;
    return hasWriter ? YIELDS + NAPS : YIELDS;
  }

  private static @Nullable NodeReport parse(MemorySegment segment, int tries) {
    for (int i = 0; i < tries; i++) {
      long before = (long) SEQUENCE.getAcquire(segment, (long) SEQUENCE_OFFSET);
      int length = segment.get(HALF, LENGTH_OFFSET);
      if (before % 2 == 0 && length >= 0 && length <= segment.byteSize() - TEXT_OFFSET) {
        byte[] text = segment.asSlice(TEXT_OFFSET, length).toArray(ValueLayout.JAVA_BYTE);
        VarHandle.loadLoadFence(); // pairs with the writer's fence: an old sequence means old bytes
        if ((long) SEQUENCE.getOpaque(segment, (long) SEQUENCE_OFFSET) == before) {
          return NodeReport.parse(new String(text, StandardCharsets.UTF_8));
        }
      }
      if (i < YIELDS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(NAP_NS);
      }
    }
    return null; // its writer died while it wrote
  }
}
