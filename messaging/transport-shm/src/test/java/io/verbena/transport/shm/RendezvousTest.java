// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How nodes come to a folder and leave it, and what the next one makes of leftovers. */
@Tag("timing")
class RendezvousTest {

  @TempDir private Path temporary;
  private Path root;

  @BeforeAll
  static void onLinux() {
    String why = new ShmTransportProvider().unusableBecause();
    assumeTrue(why.isEmpty(), why);
  }

  @BeforeEach
  void chooseRoot() {
    root = temporary.resolve("root");
  }

  private Rendezvous enter(String cluster, String name) throws IOException {
    return Rendezvous.enter(root, cluster, name);
  }

  /** What is in the root and below, folders included. */
  private List<String> found() {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> !path.equals(root))
          .map(path -> root.relativize(path).toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
  }

  /** A node that was killed left these. */
  private void leave(String cluster, String... files) throws IOException {
    Path folder = Files.createDirectories(root.resolve(cluster));
    for (Path made : List.of(root, folder)) {
      Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
    }
    for (String file : files) {
      Files.writeString(folder.resolve(file), "99999\n");
    }
  }

  // ---------------------------------------------------------------- coming and going

  @Test
  void foldersAndFilesAreForTheirOwnerOnly() throws IOException {
    try (Rendezvous here = enter("blue", "7")) {
      SharedFile.create(here.own("0.lane"), 8192).close();
      assertThat(permissions(root)).isEqualTo("rwx------");
      assertThat(permissions(root.resolve("blue"))).isEqualTo("rwx------");
      assertThat(permissions(root.resolve("blue/7.lock"))).isEqualTo("rw-------");
      assertThat(permissions(root.resolve("blue/7.0.lane"))).isEqualTo("rw-------");
      assertThat(Files.readString(root.resolve("blue/7.lock")).strip())
          .isEqualTo(Long.toString(ProcessHandle.current().pid()));
    }
  }

  /** A lane may be freed after its node has closed, when the next life of the node has begun. */
  @Test
  void whoHasLeftDeletesNoFileOfTheNextOne() throws IOException {
    Rendezvous former = enter("blue", "7");
    Path lane = former.own("0.lane");
    SharedFile.create(lane, 8192).close();
    former.delete(lane);
    assertThat(lane).doesNotExist();
    former.close();
    try (Rendezvous next = enter("blue", "7")) {
      SharedFile.create(next.own("0.lane"), 8192).close();
      former.delete(lane);
      assertThat(lane).exists();
    }
  }

  @Test
  void lastOneToLeaveTakesTheFolderAlong() throws IOException {
    Rendezvous one = enter("blue", "1");
    Rendezvous two = enter("blue", "2");
    Files.createFile(one.own("bell"));
    one.close();
    assertThat(found()).containsExactly("blue", "blue/2.lock");
    two.close();
    two.close();
    assertThat(found()).isEmpty();
    enter("blue", "1").close();
    assertThat(found()).isEmpty();
  }

  @Test
  void nameIsTakenOnceAndFreeAgainAfterwards() throws IOException {
    Rendezvous first = enter("blue", "1");
    assertThatIOException()
        .isThrownBy(() -> enter("blue", "1"))
        .withMessageContaining("is open in this process already");
    enter("red", "1").close();
    first.close();
    enter("blue", "1").close();
  }

  @Test
  void nameIsTheSameByWhateverPathTheFolderIsReached() throws IOException {
    try (Rendezvous here = enter("blue", "1")) {
      Path detour = root.resolve("../root");
      assertThatIOException()
          .isThrownBy(() -> Rendezvous.enter(detour, "blue", "1"))
          .withMessageContaining("in this process already");
      Rendezvous.enter(detour, "blue", "2").close();
      assertThat(found()).containsExactly("blue", "blue/1.lock");
      assertThat(here.socket()).hasFileName("1.sock");
    }
  }

  @Test
  void nameTooLongForASocketIsRefusedBeforeAnythingIsMade() {
    root = temporary.resolve("x".repeat(100));
    assertThatIOException()
        .isThrownBy(() -> enter("blue", "1"))
        .withMessageContaining("longer than the 107 bytes");
    assertThat(found()).isEmpty();
  }

  /** Folders are made and deleted all the time here: nobody may fall into the gap. */
  @Test
  void manyMayComeAndGoAtOnce() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Void>> all = new ArrayList<>();
      for (int id = 0; id < 4; id++) {
        String name = Integer.toString(id);
        all.add(threads.submit(comeAndGo(id % 2 == 0 ? "blue" : "red", name)));
      }
      for (Future<Void> one : all) {
        one.get();
      }
    }
    assertThat(found()).isEmpty();
  }

  private Callable<Void> comeAndGo(String cluster, String name) {
    return () -> {
      for (int i = 0; i < 200; i++) {
        try (Rendezvous here = enter(cluster, name)) {
          Files.createFile(here.own("bell"));
          assertThat(here.own("bell")).exists();
        }
      }
      return null;
    };
  }

  // ---------------------------------------------------------------- leftovers

  @Test
  void leftoversOfTheSameNameAreDeleted() throws IOException {
    leave("blue", "1.lock", "1.sock", "1.bell", "1.0.lane", "1.17.lane");
    try (Rendezvous here = enter("blue", "1")) {
      assertThat(found()).containsExactly("blue", "blue/1.lock");
      assertThat(here.own("bell")).doesNotExist();
    }
  }

  @Test
  void leftoversOfOtherNodesAndClustersAreSweptWithTheirFolders() throws IOException {
    leave("blue", "2.lock", "2.sock", "3-7000.lock", "3-7000.0.lane");
    leave("red", "4.lock", "4.bell");
    leave("green", "5.lock");
    enter("blue", "1").close();
    assertThat(found()).isEmpty();
  }

  @Test
  void filesOfTheLivingAreLeftAlone() throws IOException {
    try (Rendezvous living = enter("red", "2")) {
      Files.createFile(living.own("bell"));
      leave("red", "3.lock", "3.bell");
      enter("blue", "1").close();
      assertThat(found()).containsExactly("red", "red/2.bell", "red/2.lock");
    }
  }

  /** The folder may be one that its user has other things in. */
  @Test
  void whatNoNodeMadeIsLeftAlone() throws IOException {
    leave("project", "yarn.lock", "yarn.txt", "1.txt", "100000.lock");
    leave("empty");
    leave("blue", "2.lock", "2.notes");
    enter("blue", "1").close();
    assertThat(found())
        .containsExactly(
            "blue",
            "blue/2.notes",
            "empty",
            "project",
            "project/1.txt",
            "project/100000.lock",
            "project/yarn.lock",
            "project/yarn.txt");
  }

  // ---------------------------------------------------------------- strangers

  @ParameterizedTest
  @ValueSource(strings = {"rwxr-x---", "rwx---r--", "rwx----w-", "rwxrwxrwx"})
  void folderOpenToOthersIsRefusedNamingTheCommand(String permissions) throws IOException {
    leave("blue");
    for (Path folder : List.of(root.resolve("blue"), root)) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
      assertThatIOException()
          .isThrownBy(() -> enter("blue", "1"))
          .withMessageStartingWith(folder + " is open to others; set shm.directory to a folder")
          .withMessageEndingWith("run 'chmod 700 " + folder + "'");
    }
  }

  @Test
  void linkInPlaceOfAFolderIsRefused() throws IOException {
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
    Files.createSymbolicLink(root, elsewhere);
    assertThatIOException()
        .isThrownBy(() -> enter("blue", "1"))
        .withMessageContaining(root + " is no folder but a link");
    Files.delete(root);
    leave("red");
    Files.createSymbolicLink(root.resolve("blue"), elsewhere);
    assertThatIOException()
        .isThrownBy(() -> enter("blue", "1"))
        .withMessageContaining("is no folder but a link");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void linksAmongTheClustersAreNotFollowedBySweeping() throws IOException {
    leave("elsewhere", "1.lock", "1.bell");
    Path target = temporary.resolve("target");
    Files.move(root.resolve("elsewhere"), target);
    Files.createSymbolicLink(root.resolve("link"), target);
    enter("blue", "1").close();
    assertThat(target.resolve("1.bell")).exists();
    assertThat(root.resolve("link")).exists();
  }

  @Test
  void fileInPlaceOfAFolderIsRefused() throws IOException {
    Files.createFile(root);
    assertThatIOException()
        .isThrownBy(() -> enter("blue", "1"))
        .withMessageContaining(root + " is no folder");
  }

  @Test
  void folderOfSomebodyElseIsRefused() throws IOException {
    leave("blue");
    try {
      Files.setOwner(
          root.resolve("blue"),
          root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    } catch (IOException e) {
      assumeTrue(false, "only root can give a folder away: " + e);
    }
    assertThatIOException()
        .isThrownBy(() -> enter("blue", "1"))
        .withMessageContaining("blue belongs to nobody, this process to ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "../1.bell", "1", "1.", "1./x", "a.bell", "1.BELL", "1.a/b"})
  void fileNameOfAPeerThatLeadsElsewhereIsRefused(String name) throws IOException {
    try (Rendezvous here = enter("blue", "1")) {
      assertThatIOException().isThrownBy(() -> here.peers(name));
    }
  }
}
