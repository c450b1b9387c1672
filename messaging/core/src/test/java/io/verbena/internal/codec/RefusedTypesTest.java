// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.MessageTypes;
import io.verbena.UnsupportedTypeException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** Types that cannot be messages: registration names the component and the reason. */
class RefusedTypesTest {

  record Item(String name, BigDecimal price) {}

  record Order(int id, List<Item> items) {}

  record Priced(Map<String, Optional<Object>> prices) {}

  record Concrete(ArrayList<String> list) {}

  record Texts(String[] texts) {}

  record Grid(int[][] cells) {}

  record Raw(@SuppressWarnings("rawtypes") List list) {}

  record Generic<T>(T value) {}

  record RawGeneric(@SuppressWarnings("rawtypes") Generic value) {}

  record Endless<T>(T value, Endless<List<T>> next) {}

  record HoldsEndless(Endless<String> endless) {}

  interface Open {}

  record Opened(Open value) {}

  sealed interface Mixed permits Fine, Wrong {}

  record Fine() implements Mixed {}

  static final class Wrong implements Mixed {}

  record HoldsMixed(Mixed value) {}

  record GenericArray<T>(List<T>[] lists) {}

  record HoldsGenericArray(GenericArray<String> value) {}

  @Test
  void theComponentIsNamedWithItsPath() {
    refused(Order.class).hasMessageContaining("Order.items.price: java.math.BigDecimal is not");
    refused(Priced.class).hasMessageContaining("Priced.prices.value: java.lang.Object is not");
  }

  @Test
  void collectionsAreDeclaredByTheirInterfaces() {
    refused(Concrete.class)
        .hasMessageContaining("Concrete.list: java.util.ArrayList")
        .hasMessageContaining("List, Set or Map");
  }

  @Test
  void arraysAreOfPrimitives() {
    refused(Texts.class).hasMessageContaining("Texts.texts").hasMessageContaining("List");
    refused(Grid.class).hasMessageContaining("Grid.cells: int[][]");
    refused(HoldsGenericArray.class).hasMessageContaining("HoldsGenericArray.value.lists");
  }

  @Test
  void typeArgumentsAreKnown() {
    refused(Raw.class).hasMessageContaining("Raw.list").hasMessageContaining("type arguments");
    refused(Generic.class).hasMessageContaining("no type parameters");
    refused(RawGeneric.class).hasMessageContaining("without its type arguments");
    refused(HoldsEndless.class).hasMessageContaining("nest deeper");
  }

  @Test
  void interfacesAreSealedAndPermitRecordsOnly() {
    refused(Opened.class).hasMessageContaining("Opened.value").hasMessageContaining("not sealed");
    refused(HoldsMixed.class)
        .hasMessageContaining("HoldsMixed.value(Wrong)")
        .hasMessageContaining("not a record");
  }

  private static AbstractThrowableAssert<?, ?> refused(Class<? extends Record> type) {
    return assertThatThrownBy(() -> MessageTypes.builder().add(1, type))
        .isInstanceOf(UnsupportedTypeException.class);
  }
}
