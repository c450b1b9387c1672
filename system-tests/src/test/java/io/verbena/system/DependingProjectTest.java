// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A project of somebody else, outside this repository, that depends on Verbena: {@code mvn install}
 * of a copy of the sources, into a local repository of its own, is all that it gets.
 */
@Timeout(600)
class DependingProjectTest {

  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final Path NATIVE = Path.of("native", "target", "build", "jar");
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>verbena-bom</artifactId>\\s*<version>([^<]*)</version>");
  private static final Pattern MANAGED = Pattern.compile("<artifactId>([^<]*)</artifactId>");
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private static Path folder;
  private static MavenRun maven;
  private static String version;

  @BeforeAll
  @Timeout(600)
  static void installFromACopyOfTheSources() throws Exception {
    assumeTrue(MavenRun.isInstalled(), "no mvn on the PATH: apt-get install maven");
    Path copy = folder.resolve("copy");
    copySources(copy);
    version = first(VERSION, bom());
    maven = new MavenRun(folder);
    maven.run(
        copy,
        "-Dfast",
        "-Dnative.skip",
        "-Dmaven.test.skip=true",
        "-pl",
        "messaging/bom,messaging/verbena,messaging/transport-testkit,messaging/micrometer,fabric,node-fabric,launch/java,systems/mpi,systems/kv/store",
        "-am",
        "install");
  }

  @AfterAll
  static void forgetTheRepository() throws IOException {
    if (maven != null) {
      maven.close();
    }
  }

  /** All that is built for users, every module's pom, and the native library where it was built. */
  private static void copySources(Path copy) throws IOException {
    Files.walkFileTree(
        REPOSITORY,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            Path path = REPOSITORY.relativize(directory);
            boolean isOutput = path.endsWith("target") || path.endsWith(".git");
            return isOutput && !NATIVE.startsWith(path)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path path = REPOSITORY.relativize(file);
            boolean isOurs =
                Stream.of(
                        "messaging",
                        "natives",
                        "fabric",
                        "node-fabric",
                        "launch/java",
                        "systems/mpi",
                        "systems/kv")
                    .anyMatch(path::startsWith);
            boolean isSource = isOurs && path.toString().contains("src/main");
            if (isSource || path.endsWith("pom.xml") || path.startsWith(NATIVE)) {
              Files.createDirectories(copy.resolve(path).getParent());
              Files.copy(file, copy.resolve(path));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static String bom() throws IOException {
    return Files.readString(REPOSITORY.resolve("messaging/bom/pom.xml"));
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("%s in:%n%s", pattern, text).isTrue();
    return matcher.group(1);
  }

  static Stream<String> managedArtifacts() throws IOException {
    String managed =
        first(Pattern.compile("(?s)<dependencyManagement>(.*?)</dependencyMan"), bom());
    return MANAGED.matcher(managed).results().map(found -> found.group(1));
  }

  // ---------------------------------------------------------------- what is installed

  @ParameterizedTest
  @MethodSource("managedArtifacts")
  void jarLiesBesideItsSourcesJavadocAndBillOfMaterials(String artifact) throws IOException {
    Path place = maven.installed(artifact, version);
    for (String what : List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", ".pom")) {
      assertThat(place.resolve(artifact + "-" + version + what)).isNotEmptyFile();
    }
    assertThat(names(place, artifact, "")).contains("module-info.class");
    assertThat(names(place, artifact, "-sources")).contains("module-info.java");
    assertThat(names(place, artifact, "-javadoc")).contains("index.html");
  }

  @Test
  void javadocIsOfWhatIsExported() throws IOException {
    assertThat(names(maven.installed("verbena-core", version), "verbena-core", "-javadoc"))
        .contains("io.verbena/io/verbena/Node.html")
        .noneMatch(name -> name.contains("/internal/"));
  }

  private List<String> names(Path place, String artifact, String classifier) throws IOException {
    Path file = place.resolve(artifact + "-" + version + classifier + ".jar");
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream().map(Object::toString).toList();
    }
  }

  /** What is not said by an artifact itself it inherits from the parent, which is checked too. */
  @ParameterizedTest
  @MethodSource("managedArtifacts")
  void pomNamesAndDescribesItsArtifact(String artifact) throws IOException {
    assertThat(pom(artifact)).contains("<name>", "<description>", "<parent>", "verbena-parent");
  }

  @ParameterizedTest
  @MethodSource("pomsWithoutAParent")
  void pomHasWhatMavenCentralDemands(String artifact) throws IOException {
    assertThat(pom(artifact))
        .contains("<name>", "<description>", "<url>", "<license>", "<developer>")
        .contains("<scm", "<connection>", "<developerConnection>");
  }

  static Stream<String> pomsWithoutAParent() {
    return Stream.of("verbena-parent", "verbena-bom");
  }

  private String pom(String artifact) throws IOException {
    return Files.readString(
        maven.installed(artifact, version).resolve(artifact + "-" + version + ".pom"));
  }

  // ---------------------------------------------------------------- who depends on it

  @Test
  void fiveLinesOfThePomAreEnoughOnTheClassPath() throws Exception {
    assertThat(Readme.dependency().strip().lines()).hasSize(5);
    Path project = project("on-class-path", Readme.dependency(), "");
    Files.writeString(source(project, Readme.mainClass()), Readme.program());
    build(project);
    List<String> command =
        List.of(
            JAVA,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            "target/classes:" + classPath(project),
            Readme.mainClass());
    assertThat(MavenRun.command(project, command)).contains("Hello, you");
  }

  @Test
  void theBillOfMaterialsGivesTheVersionAndTheModulePathFindsEveryTransport() throws Exception {
    Path project = project("on-module-path", withoutVersion(Readme.dependency()), importOfTheBom());
    Files.writeString(
        source(project, "module-info"),
        "module hello {\n  requires io.verbena;\n  exports hello;\n}\n");
    Files.writeString(
        source(project, "hello/" + Readme.mainClass()), "package hello;\n" + Readme.program());
    build(project);
    List<String> command =
        List.of(
            JAVA,
            "--show-module-resolution",
            "--enable-native-access=io.verbena,io.verbena.natives,io.verbena.transport.shm,io.verbena.transport.rdma",
            "-p",
            "target/classes:" + classPath(project),
            "-m",
            "hello/hello." + Readme.mainClass());
    assertThat(MavenRun.command(project, command))
        .contains("Hello, you")
        .contains("binds io.verbena.transport.shm ")
        .contains("binds io.verbena.transport.tcp ")
        .contains("binds io.verbena.transport.rdma ")
        .doesNotContain("WARNING");
  }

  @Test
  void nativeLibraryIsInTheJarWhereItWasBuilt() throws IOException {
    assumeTrue(Files.isDirectory(REPOSITORY.resolve(NATIVE)), "the native part was not built");
    String artifact = "verbena-natives";
    assertThat(names(maven.installed(artifact, version), artifact, ""))
        .anyMatch(name -> name.matches("META-INF/native/.*/libverbena\\.so"));
  }

  private static String withoutVersion(String dependency) {
    return dependency.replaceFirst("<version>.*</version>", "");
  }

  private String importOfTheBom() {
    return """
    <dependencyManagement><dependencies><dependency>
      <groupId>io.verbena</groupId>
      <artifactId>verbena-bom</artifactId>
      <version>%s</version>
      <type>pom</type>
      <scope>import</scope>
    </dependency></dependencies></dependencyManagement>
    """
        .formatted(version);
  }

  private Path project(String name, String dependency, String more) throws IOException {
    Path project = Files.createDirectory(folder.resolve(name));
    Files.writeString(
        project.resolve("pom.xml"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>com.example</groupId>
          <artifactId>%s</artifactId>
          <version>1</version>
          <properties>
            <maven.compiler.release>25</maven.compiler.release>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          %s<dependencies>%s</dependencies>
          <build><pluginManagement><plugins>%s%s%s</plugins></pluginManagement></build>
        </project>
        """
            .formatted(
                name,
                more,
                dependency,
                plugin("maven-resources-plugin"),
                plugin("maven-compiler-plugin"),
                plugin("maven-dependency-plugin")));
    return project;
  }

  /** The version that this build itself uses: it has been fetched already. */
  private static String plugin(String name) throws IOException {
    String parent = Files.readString(REPOSITORY.resolve("pom.xml"));
    String used =
        first(
            Pattern.compile("<artifactId>" + name + "</artifactId>\\s*<version>([^<]*)</"), parent);
    return "<plugin><artifactId>%s</artifactId><version>%s</version></plugin>"
        .formatted(name, used);
  }

  private static Path source(Path project, String name) throws IOException {
    Path file = project.resolve("src/main/java/" + name + ".java");
    Files.createDirectories(file.getParent());
    return file;
  }

  private void build(Path project) throws Exception {
    maven.run(
        project, "compile", "dependency:build-classpath", "-Dmdep.outputFile=target/classpath");
  }

  private static String classPath(Path project) throws IOException {
    return Files.readString(project.resolve("target/classpath")).strip();
  }
}
