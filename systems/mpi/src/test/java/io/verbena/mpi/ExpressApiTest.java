// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.filter.JavadocLikePackageFilter;
import japicmp.model.AccessModifier;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiChangeStatus;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import japicmp.model.JApiConstructor;
import japicmp.model.JApiField;
import japicmp.model.JApiHasAccessModifier;
import japicmp.model.JApiMethod;
import japicmp.model.JApiParameter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is public in the package {@code mpi} of MPJ Express 0.44 is in ours. */
class ExpressApiTest {

  private static final Path THEIRS = Path.of("/usr/share/mpj/lib/mpj.jar"); // Debian's libmpj-java

  /** What ours lacks on purpose: patterns of what is reported, each with why. */
  private static final Map<String, String> LACKS = new LinkedHashMap<>();

  static {
    LACKS.put(
        "class mpi\\.(Max|Min|Sum|Prod|Land|Lor|Lxor|Band|Bor|Bxor|Maxloc|Minloc)[A-Z]?\\w*",
        "how it computes: a class for each operation and type");
    LACKS.put("class mpi\\.\\w*(Packer|PackerFactory|Packer[A-Z]\\w*)", "how it packs");
    LACKS.put("class mpi\\.(BasicType|Contiguous|Indexed|Struct|Vector)", "its kinds of datatypes");
    LACKS.put("class mpi\\.(\\w+Intracomm|IntracommImpl|ProcTree|OpWorker)", "its collectives");
    LACKS.put("constructor .*\\(mpjdev\\..*", "made of its layer below, mpjdev");
    LACKS.put(
        "field mpi\\.(Comm\\.mpjdevComm|Group\\.(code|mpjdevGroup)|Request\\.req) FIELD_REMOVED",
        "what it has of its layer below");
    LACKS.put("method mpi\\.Comm\\.(Pack|Unpack)\\(.*mpjbuf\\.Buffer.*", "byte[] in mpiJava, too");
    LACKS.put("constructor mpi\\.Datatype\\(\\) .*", "abstract, for its kinds of datatypes");
    LACKS.put(
        "field mpi\\.MPI\\.(DEBUG|isOldSelected) FIELD_REMOVED", "of its log and its devices");
    LACKS.put(
        "field .* FIELD_NOW_FINAL", "a program reads it; nothing comes of it if it writes it");
  }

  @TempDir private Path folder;

  @Test
  void hasAllThatIsPublicInTheirs() throws IOException {
    assumeTrue(Files.isRegularFile(THEIRS), THEIRS + " is not there: MPJ Express");
    Path ours = folder.resolve("ours.jar");
    pack(ours);
    List<String> missing = missing(ours);
    assertThat(missing).as("without reason").filteredOn(each -> reason(each) == null).isEmpty();
    for (String pattern : LACKS.keySet()) {
      assertThat(missing).as(pattern + " is needed still").anyMatch(each -> each.matches(pattern));
    }
  }

  private static String reason(String missing) {
    return LACKS.entrySet().stream()
        .filter(each -> missing.matches(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static void pack(Path jar) throws IOException {
    URI place = URI.create("" + MPI.class.getProtectionDomain().getCodeSource().getLocation());
    Path ours = Path.of(place);
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file);
        Stream<Path> classes = Files.list(ours.resolve("mpi"))) {
      for (Path each : (Iterable<Path>) classes::iterator) {
        zip.putNextEntry(new ZipEntry(ours.relativize(each).toString()));
        Files.copy(each, zip);
      }
    }
  }

  private static List<String> missing(Path ours) {
    JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
    options.setAccessModifier(AccessModifier.PUBLIC);
    options.getFilters().getIncludes().add(new JavadocLikePackageFilter("mpi", true));
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    List<String> missing = new ArrayList<>();
    for (JApiClass each :
        new JarArchiveComparator(options)
            .compare(
                new JApiCmpArchive(THEIRS.toFile(), "0.44"),
                new JApiCmpArchive(ours.toFile(), "ours"))) {
      addMissing(each, missing);
    }
    return missing;
  }

  private static void addMissing(JApiClass type, List<String> missing) {
    String name = type.getFullyQualifiedName();
    if (type.getChangeStatus() == JApiChangeStatus.REMOVED) {
      missing.add("class " + name);
      return;
    }
    for (JApiConstructor each : type.getConstructors()) {
      addChanges("constructor " + name + parameters(each), each, missing);
    }
    for (JApiMethod each : type.getMethods()) {
      addChanges("method " + name + "." + each.getName() + parameters(each), each, missing);
    }
    for (JApiField each : type.getFields()) {
      addChanges("field " + name + "." + each.getName(), each, missing);
    }
  }

  private static String parameters(JApiBehavior of) {
    return of.getParameters().stream()
        .map(JApiParameter::getType)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /** Adds each change by which a program no longer compiles, or no longer links. */
  private static <T extends JApiCompatibility & JApiHasAccessModifier> void addChanges(
      String what, T of, List<String> missing) {
    if (!of.getAccessModifier().getOldModifier().equals(Optional.of(AccessModifier.PUBLIC))) {
      return;
    }
    for (JApiCompatibilityChange each : of.getCompatibilityChanges()) {
      if (!each.isBinaryCompatible() || !each.isSourceCompatible()) {
        missing.add(what + " " + each.getType());
      }
    }
  }
}
