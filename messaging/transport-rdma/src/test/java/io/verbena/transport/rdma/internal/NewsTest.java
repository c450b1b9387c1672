// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.natives.Struct;
import io.verbena.natives.Structs;
import io.verbena.transport.rdma.internal.News.Kind;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class NewsTest {

  private final Struct struct = Struct.allocate(Structs.NEWS, Arena.ofAuto());

  @Test
  void everyMemberArrives() {
    struct.setInt("kind", 1);
    struct.setLong("link", 1L << 40);
    struct.setLong("incarnation", -2);
    struct.setInt("peer", 0xFFFF);
    struct.setInt("dialled", 1);
    struct.setInt("refusal", News.REFUSED_CROSSED);
    setText("[fe80::1]:4711");
    assertThat(News.of(struct))
        .isEqualTo(
            new News(Kind.UP, 1L << 40, -2, 0xFFFF, true, News.REFUSED_CROSSED, "[fe80::1]:4711"));
  }

  /** {@code VBN_NEWS_UP}, {@code VBN_NEWS_DOWN}, {@code …_DIAL_FAILED}, {@code …_GONE}. */
  @Test
  void kindsHaveTheNumbersOfTheHeader() {
    assertThat(kindOf(1)).isEqualTo(Kind.UP);
    assertThat(kindOf(2)).isEqualTo(Kind.DOWN);
    assertThat(kindOf(3)).isEqualTo(Kind.DIAL_FAILED);
    assertThat(kindOf(4)).isEqualTo(Kind.GONE);
  }

  private Kind kindOf(int number) {
    struct.setInt("kind", number);
    return News.of(struct).kind();
  }

  @Test
  void textEndsWhereItEnds() {
    setText("a longer reason");
    setText("why");
    struct.setInt("kind", 2);
    assertThat(News.of(struct).text()).isEqualTo("why");
  }

  private void setText(String text) {
    struct.memory().setString(Structs.NEWS.byteOffset(groupElement("text")), text);
  }
}
