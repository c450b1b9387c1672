// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.MalformedMessageException;
import io.verbena.MessageTypes;
import io.verbena.UnsupportedTypeException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records in a module of their own, which decides who may reach them. */
class AccessTest {

  private static final Map<String, String> SOURCES =
      Map.of(
          "module-info.java",
          "module shop { exports shop.api; opens shop.opened; exports shop.mine; }",
          "shop/api/Order.java",
          "package shop.api; public record Order(int id, String text) {}",
          "shop/api/Article.java",
          "package shop.api; public enum Article { " + constants(300) + " }",
          "shop/api/Shelf.java",
          "package shop.api; public record Shelf(Article article) {}",
          "shop/opened/Order.java",
          "package shop.opened; record Order(int id, String text) {}",
          "shop/closed/Order.java",
          "package shop.closed; public record Order(int id, String text) {}",
          "shop/mine/Order.java",
          "package shop.mine; record Order(int id, String text) {}",
          "shop/mine/Key.java",
          "package shop.mine; public class Key { public static"
              + " java.lang.invoke.MethodHandles.Lookup lookup() {"
              + " return java.lang.invoke.MethodHandles.lookup(); } }");

  @TempDir private Path directory;

  private ClassLoader shop = ClassLoader.getSystemClassLoader();

  @BeforeEach
  void compileAndLoadModule() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-d", directory.resolve("out").toString()));
    for (Map.Entry<String, String> source : SOURCES.entrySet()) {
      Path file = directory.resolve(source.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.getValue());
      arguments.add(file.toString());
    }
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(status).isZero();
    ModuleFinder finder = ModuleFinder.of(directory.resolve("out"));
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("shop"));
    shop =
        boot.defineModulesWithOneLoader(configuration, ClassLoader.getSystemClassLoader())
            .findLoader("shop");
  }

  private static String constants(int count) {
    return IntStream.range(0, count).mapToObj(i -> "A" + i).collect(Collectors.joining(", "));
  }

  @Test
  void enumsOfMoreThan255ConstantsTakeTwoBytes() throws ReflectiveOperationException {
    Class<? extends Record> shelf = shop.loadClass("shop.api.Shelf").asSubclass(Record.class);
    MessageCodec codec = TypeTable.of(MessageTypes.builder().add(1, shelf).build()).codecOf(shelf);
    assertThat(codec.fixedLength()).isEqualTo(2);
    byte[] last = Wire.bytes("2c 01");
    assertThat(Wire.decode(codec, last)).hasToString("Shelf[article=A299]");
    assertThat(Wire.encode(codec, Wire.decode(codec, last))).isEqualTo(last);
    assertThat(Wire.decode(codec, Wire.bytes("00 00"))).hasToString("Shelf[article=null]");
    assertThatThrownBy(() -> Wire.decode(codec, Wire.bytes("2d 01")))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("value 301");
  }

  @Test
  void exportedRecordsOfAnotherLoaderWork() throws ReflectiveOperationException {
    assertRoundTrip(MessageTypes.builder(), orderIn("shop.api"));
  }

  @Test
  void recordsOfAnOpenedPackageWork() throws ReflectiveOperationException {
    assertRoundTrip(MessageTypes.builder(), orderIn("shop.opened"));
  }

  @Test
  void recordsOfAClosedPackageAreRefusedWithTheClauseThatIsMissing()
      throws ReflectiveOperationException {
    Class<? extends Record> order = orderIn("shop.closed");
    assertThatThrownBy(() -> MessageTypes.builder().add(1, order))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("shop.closed.Order")
        .hasMessageContaining("opens shop.closed to io.verbena;")
        .hasMessageContaining("module-info of shop")
        .hasMessageContaining("MessageTypes.builder(MethodHandles.lookup())");
  }

  @Test
  void aLookupFromInsideTheModuleIsEnough() throws ReflectiveOperationException {
    Class<? extends Record> order = orderIn("shop.mine");
    assertThatThrownBy(() -> MessageTypes.builder().add(1, order))
        .isInstanceOf(UnsupportedTypeException.class);
    MethodHandles.Lookup key =
        (MethodHandles.Lookup) shop.loadClass("shop.mine.Key").getMethod("lookup").invoke(null);
    assertRoundTrip(MessageTypes.builder(key), order);
    assertRoundTrip(MessageTypes.builder(key), orderIn("shop.closed"));
  }

  private Class<? extends Record> orderIn(String packageName) throws ClassNotFoundException {
    return shop.loadClass(packageName + ".Order").asSubclass(Record.class);
  }

  private static void assertRoundTrip(MessageTypes.Builder builder, Class<? extends Record> type)
      throws ReflectiveOperationException {
    MessageCodec codec = TypeTable.of(builder.add(1, type).build()).codecOf(type);
    byte[] bytes = Wire.bytes("07 00 00 00 03" + Wire.hexOf("hi"));
    Record read = Wire.decode(codec, bytes);
    assertThat(read).hasToString("Order[id=7, text=hi]").isInstanceOf(type);
    assertThat(Wire.encode(codec, read)).isEqualTo(bytes);
  }
}
