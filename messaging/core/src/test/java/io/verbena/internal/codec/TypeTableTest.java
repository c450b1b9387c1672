// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.MessageTypes;
import io.verbena.UnregisteredTypeException;
import org.junit.jupiter.api.Test;

class TypeTableTest {

  record Ping(long number) {}

  record Pong(long number) {}

  record Other() {}

  private final MessageTypes types =
      MessageTypes.builder()
          .add(0, Ping.class)
          .add(65_535, Pong.class)
          .addView(7, "raw samples")
          .build();
  private final TypeTable table = TypeTable.of(types);

  @Test
  void findsCodecsByIdAndByClass() {
    assertThat(table.codecOf(Ping.class).typeId()).isZero();
    assertThat(table.codecOf(Pong.class)).isSameAs(table.codec(65_535));
    assertThat(table.codecOf(Pong.class).type()).isEqualTo(Pong.class);
  }

  @Test
  void idsThatAreNotTakenHaveNoCodec() {
    assertThat(table.codec(1)).isNull();
    assertThat(table.codec(65_536)).isNull();
    assertThat(table.codec(-1)).isNull();
    assertThat(TypeTable.of(MessageTypes.builder().build()).codec(0)).isNull();
  }

  @Test
  void viewsHaveAnIdAndANameButNoCodec() {
    assertThat(table.isView(7)).isTrue();
    assertThat(table.codec(7)).isNull();
    assertThat(table.nameOf(7)).isEqualTo("raw samples");
    assertThat(table.isView(0)).isFalse();
    assertThat(table.isView(8)).isFalse();
  }

  @Test
  void unregisteredClassesAreNamedWithTheWayToRegisterThem() {
    assertThatThrownBy(() -> table.codecOf(Other.class))
        .isInstanceOf(UnregisteredTypeException.class)
        .hasMessageContaining(Other.class.getName())
        .hasMessageContaining(".add(<id>, Other.class)");
  }

  @Test
  void idsAndClassesAreTakenOnce() {
    assertThatThrownBy(() -> MessageTypes.builder().add(1, Ping.class).add(1, Pong.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Pong cannot have id 1: it belongs to")
        .hasMessageContaining("Ping");
    assertThatThrownBy(() -> MessageTypes.builder().add(1, Ping.class).add(2, Ping.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Ping cannot have id 2: it already has 1");
    assertThatThrownBy(() -> MessageTypes.builder().addView(1, "a").addView(1, "b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("view b cannot have id 1: it belongs to a");
  }

  @Test
  void idsAreUnsigned16BitNumbers() {
    assertThatThrownBy(() -> MessageTypes.builder().add(-1, Ping.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 to 65535");
    assertThatThrownBy(() -> MessageTypes.builder().add(65_536, Ping.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536");
    assertThatThrownBy(() -> MessageTypes.builder().addView(1, " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a name");
  }

  @Test
  void aBuilderThatGoesOnDoesNotChangeWhatItBuilt() {
    MessageTypes.Builder builder = MessageTypes.builder().add(1, Ping.class);
    TypeTable before = TypeTable.of(builder.build());
    builder.add(2, Pong.class);
    assertThat(before.codec(2)).isNull();
    assertThat(before.description()).doesNotContain("Pong");
  }

  @Test
  void thousandsOfTypesAreFoundApart() {
    // One class per id is what a large application has; views stand in for most of them here.
    MessageTypes.Builder builder = MessageTypes.builder().add(5_000, Ping.class);
    for (int id = 0; id < 5_000; id++) {
      builder.addView(id, "view " + id);
    }
    TypeTable large = TypeTable.of(builder.build());
    assertThat(large.nameOf(4_999)).isEqualTo("view 4999");
    assertThat(large.codecOf(Ping.class).typeId()).isEqualTo(5_000);
  }
}
