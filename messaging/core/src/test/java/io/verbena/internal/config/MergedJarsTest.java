// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.TransportProvider;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MergedJarsTest {

  private static final List<TransportProvider> NONE = List.of();

  /** Has a transport's class, as a jar has into which it was merged. */
  private static final class Merged extends ClassLoader {
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.equals("io.verbena.transport.tcp.TcpProvider")) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = ClassFile.of().build(ClassDesc.of(name), builder -> {});
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  @Test
  void transportThatNoServiceFileNamesIsNamed() {
    assertThat(MergedJars.fault(NONE, new Merged()))
        .startsWith("the classes of transport tcp are there, but no META-INF/services/io.verbena.");
  }

  @Test
  void keyOfSuchATransportIsNotTakenForASlip() {
    assertThat(fault("tcp.dead.after")).contains("transport tcp are there");
    assertThat(fault("shm.folder")).isEmpty();
    assertThat(fault("node.idd")).isEmpty();
  }

  @Test
  void slipInAKeyOfATransportThatWasFoundIsOne() {
    assertThat(fault("tcp.dead.aftr", "tcp.dead.after")).isEmpty();
  }

  private static String fault(String unknown, String... known) {
    return MergedJars.faultOfKey(unknown, Set.of(known), new Merged());
  }

  @Test
  void transportsThatAreNotThereAreNotMissed() {
    assertThat(MergedJars.fault(NONE, MergedJarsTest.class.getClassLoader())).isEmpty();
  }
}
