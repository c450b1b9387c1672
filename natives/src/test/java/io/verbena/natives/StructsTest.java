// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StructsTest {

  @TempDir private Path folder;

  @Test
  void membersLieWhereTheCCompilerPutsThem() throws Exception {
    Path source = Path.of("src", "test", "c", "layouts.c");
    Path program = CCompiler.compile(source, folder.resolve("layouts"));
    String inC = CCompiler.outputOf(List.of(program.toString()));
    String inJava =
        Stream.concat(Structs.ALL.stream(), FabricStructs.ALL.stream())
            .flatMap(StructsTest::lines)
            .collect(Collectors.joining("\n", "", "\n"));
    assertThat(inJava).isEqualTo(inC);
  }

  private static Stream<String> lines(StructLayout struct) {
    String name = struct.name().orElseThrow();
    return Stream.concat(
        Stream.of(name + " " + struct.byteSize()),
        struct.memberLayouts().stream().map(member -> name + "." + line(struct, member)));
  }

  private static String line(StructLayout struct, MemoryLayout member) {
    String name = member.name().orElseThrow();
    long offset = struct.byteOffset(PathElement.groupElement(name));
    return name + " " + offset + " " + member.byteSize();
  }
}
