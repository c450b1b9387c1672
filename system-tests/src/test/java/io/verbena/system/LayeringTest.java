// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Arrays;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Dependencies point downwards only, as docs/architecture.md draws them. */
class LayeringTest {

  private static final String API = "io.verbena";
  private static final String SPI = "io.verbena.transport";
  private static final String HANDSHAKE = "io.verbena.transport.handshake..";
  private static final String REPLICA = "io.verbena.transport.replica..";
  private static final String EVENTS = "io.verbena.internal.event..";
  private static final String INTERNAL = "io.verbena.internal..";
  private static final String SHM = "io.verbena.transport.shm..";
  private static final String TCP = "io.verbena.transport.tcp..";
  private static final String RDMA = "io.verbena.transport.rdma..";
  private static final String NATIVES = "io.verbena.natives..";
  private static final String FABRIC = "io.verbena.fabric..";
  private static final String NODE_FABRIC = "io.verbena.nodefabric..";
  private static final String LAUNCH = "io.verbena.launch..";
  private static final String MPI = "io.verbena.mpi..";
  private static final String MPI_JAVA = "mpi.."; // of mpiJava, whose package is that
  private static final String KV = "io.verbena.kv.store..";
  private static final String[] KV_FROM_BELOW = {"base", "disk", "index", "log", "region"};
  private static final String TESTKIT = "io.verbena.testkit..";
  private static final String BENCH = "io.verbena.bench..";
  private static final String CLI = "io.verbena.cli..";
  private static final String MPI_BENCH = "io.verbena.bench.mpi.."; // measures it
  private static final String EXAMPLES = "io.verbena.examples..";

  private static final String[] CORE = {API, SPI, HANDSHAKE, REPLICA, INTERNAL};
  private static final String[] JDK = {"java..", "javax..", "jdk.jfr..", "com.sun.management.."};

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages(API, "mpi");

  @Test
  void seesEveryModule() {
    for (String layer :
        new String[] {
          API,
          SPI,
          INTERNAL,
          SHM,
          TCP,
          RDMA,
          NATIVES,
          FABRIC,
          NODE_FABRIC,
          LAUNCH,
          MPI,
          MPI_JAVA,
          KV,
          TESTKIT,
          BENCH,
          CLI,
          EXAMPLES
        }) {
      assertThat(OURS.that(resideInAnyPackage(layer))).as(layer).isNotEmpty();
    }
  }

  @Test
  void coreDependsOnTheJdkAlone() {
    classes().that(resideInAnyPackage(CORE)).should().onlyDependOnClassesThat(coreOr()).check(OURS);
  }

  @Test
  void transportInterfaceKnowsNothingOfMessages() {
    classes()
        .that(resideInAnyPackage(SPI, HANDSHAKE, REPLICA))
        .should()
        .onlyDependOnClassesThat(jdkOr(SPI, HANDSHAKE, REPLICA, EVENTS))
        .check(OURS);
  }

  @Test
  void transportsKnowTheTransportInterfaceAndNotEachOther() {
    for (String transport : new String[] {SHM, TCP, RDMA}) {
      classes()
          .that(resideInAnyPackage(transport))
          .should()
          .onlyDependOnClassesThat(jdkOr(transport, SPI, HANDSHAKE, REPLICA, NATIVES))
          .check(OURS);
    }
  }

  @Test
  void nativeLibraryIsCalledWithoutTheCore() {
    classes()
        .that(resideInAnyPackage(NATIVES))
        .should()
        .onlyDependOnClassesThat(jdkOr(NATIVES))
        .check(OURS);
  }

  @Test
  void fabricIsUsableWithoutMessages() {
    classes()
        .that(resideInAnyPackage(FABRIC))
        .should()
        .onlyDependOnClassesThat(jdkOr(FABRIC, NATIVES))
        .check(OURS);
  }

  @Test
  void fabricOfANodeKnowsNeitherTransportsNorTheNativeLibrary() {
    classes()
        .that(resideInAnyPackage(NODE_FABRIC))
        .should()
        .onlyDependOnClassesThat(jdkOr(NODE_FABRIC, API, SPI, FABRIC))
        .check(OURS);
  }

  @Test
  void jobsKnowMessagesAndTheFabricByTheirPublicInterfacesAlone() {
    classes()
        .that(resideInAnyPackage(LAUNCH))
        .should()
        .onlyDependOnClassesThat(jdkOr(LAUNCH, API, FABRIC, NATIVES))
        .check(OURS);
  }

  @Test
  void mpiKnowsNodesJobsAndTheFabricByTheirPublicInterfacesAlone() {
    classes()
        .that(resideInAnyPackage(MPI))
        .should()
        .onlyDependOnClassesThat(jdkOr(MPI, API, LAUNCH, FABRIC, NODE_FABRIC))
        .check(OURS);
  }

  @Test
  void theFaceOfMpiJavaKnowsMpiAloneAndIsKnownToPrograms() {
    classes()
        .that(resideInAnyPackage(MPI_JAVA))
        .should()
        .onlyDependOnClassesThat(jdkOr(MPI_JAVA, MPI))
        .check(OURS);
    noClasses()
        .that(not(resideInAnyPackage(MPI_JAVA, EXAMPLES, MPI_BENCH)))
        .should()
        .dependOnClassesThat(resideInAnyPackage(MPI_JAVA))
        .check(OURS);
  }

  @Test
  void theStoreNeedsTheJdkAlone() {
    classes()
        .that(resideInAnyPackage(KV))
        .should()
        .onlyDependOnClassesThat(jdkOr(KV, "com.sun.nio.file"))
        .check(OURS);
  }

  @Test
  void theStoresPackagesDependDownwards() {
    String root = "io.verbena.kv.store";
    for (int i = 0; i < KV_FROM_BELOW.length; i++) {
      String[] above = Arrays.copyOfRange(KV_FROM_BELOW, i + 1, KV_FROM_BELOW.length);
      String[] forbidden =
          Arrays.stream(concat(above, ""))
              .map(name -> name.isEmpty() ? root : root + "." + name)
              .toArray(String[]::new);
      noClasses()
          .that(resideInAnyPackage(root + "." + KV_FROM_BELOW[i]))
          .should()
          .dependOnClassesThat(resideInAnyPackage(forbidden))
          .check(OURS);
    }
  }

  @Test
  void internalsAreSeenByTheCoreAlone() {
    noClasses()
        .that(not(resideInAnyPackage(CORE)))
        .should()
        .dependOnClassesThat(resideInAnyPackage(INTERNAL))
        .check(OURS);
  }

  @Test
  void examplesUseThePublicInterfaceAlone() {
    classes()
        .that(resideInAnyPackage(EXAMPLES))
        .should()
        .onlyDependOnClassesThat(jdkOr(EXAMPLES, API, FABRIC, NODE_FABRIC, LAUNCH, MPI))
        .check(OURS);
  }

  @Test
  void conformanceSuiteAndBenchmarksDoNotReachUpwards() {
    noClasses()
        .that(resideInAnyPackage(TESTKIT))
        .should()
        .dependOnClassesThat(resideInAnyPackage(SHM, TCP, RDMA, BENCH, CLI, EXAMPLES))
        .check(OURS);
    noClasses()
        .that(resideInAnyPackage(BENCH))
        .should()
        .dependOnClassesThat(resideInAnyPackage(CLI, EXAMPLES, TESTKIT))
        .check(OURS);
  }

  /**
   * The public interface opens the door to the inside and the inside speaks its types: left out.
   */
  @Test
  void packagesAreFreeOfCycles() {
    slices().assignedFrom(packagesButThePublicInterface()).should().beFreeOfCycles().check(OURS);
  }

  @Test
  void nobodyUsesUnsafeOrInternalsOfTheJdk() {
    noClasses()
        .should()
        .dependOnClassesThat(resideInAnyPackage("sun..", "jdk.internal..", "jdk.unsupported.."))
        .check(OURS);
  }

  @Test
  void coreAndTransportsLogThroughSystemLogger() {
    noClasses()
        .that(resideInAnyPackage(API, INTERNAL, "io.verbena.transport.."))
        .should()
        .dependOnClassesThat(resideInAnyPackage("java.util.logging..", "org.slf4j.."))
        .check(OURS);
  }

  @Test
  void everyPackageIsNullMarked() {
    classes().should(resideInNullMarkedPackage()).check(OURS);
  }

  private static DescribedPredicate<JavaClass> coreOr(String... more) {
    return jdkOr(concat(CORE, more));
  }

  private static DescribedPredicate<JavaClass> jdkOr(String... packages) {
    return resideInAnyPackage(concat(concat(JDK, packages), "org.jspecify..", ""));
  }

  private static String[] concat(String[] some, String... more) {
    String[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  private static SliceAssignment packagesButThePublicInterface() {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return type.getPackageName().equals(API)
            ? SliceIdentifier.ignore()
            : SliceIdentifier.of(type.getPackageName());
      }

      @Override
      public String getDescription() {
        return "packages but " + API;
      }
    };
  }

  private static ArchCondition<JavaClass> resideInNullMarkedPackage() {
    return new ArchCondition<>("reside in a package that is @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean marked =
            type.getPackageName().isEmpty() || type.getPackage().isAnnotatedWith(NullMarked.class);
        events.add(
            new SimpleConditionEvent(
                type, marked, type.getName() + " resides in a package that is not @NullMarked"));
      }
    };
  }
}
