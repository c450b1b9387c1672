// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConfigException;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.VerbenaException;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.StillContext;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Here is no transport's jar: where a node listens is shown by transports that only say where. */
class TransportsTest {

  private final List<String> opened = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();
  private int given = 4000; // the next port for whoever takes any

  /** Where a transport is told to listen it does, unless the port is taken. */
  private final class Listening implements Transport {
    private final String name;
    private final String address;

    Listening(String name, String address) {
      this.name = name;
      this.address = address;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String address() {
      return address;
    }

    @Override
    public boolean canReach(int peer, String to) {
      return true;
    }

    @Override
    public void connect(int peer, String to, Duration timeout) throws IOException {
      throw new IOException("nothing is dialled here");
    }

    @Override
    public LaneMemory allocate(int peer, int laneId, long capacity) {
      throw new UnsupportedOperationException("nothing is sent here");
    }

    @Override
    public boolean readsInPlace() {
      return true;
    }

    @Override
    public ProgressLoop progress() {
      throw new UnsupportedOperationException("nothing is received here");
    }

    @Override
    public void close() {
      closed.add(name);
    }
  }

  /**
   * @param taken ports that are another process' in this transport's protocol
   */
  private final class Provider implements TransportProvider {
    private final String name;
    private final int preference;
    private final boolean listens;
    private final List<Integer> taken;

    Provider(String name, int preference, boolean listens, List<Integer> taken) {
      this.name = name;
      this.preference = preference;
      this.listens = listens;
      this.taken = taken;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int preference() {
      return preference;
    }

    @Override
    public boolean listens() {
      return listens;
    }

    @Override
    public List<ConfigKey> keys() {
      return List.of();
    }

    @Override
    public String unusableBecause() {
      return "";
    }

    @Override
    public String unencryptedBecause(TransportContext context) {
      return "";
    }

    @Override
    public Transport open(TransportContext context) throws IOException {
      String told = context.setting(new ConfigKey("listen", ConfigKey.Kind.TEXT, "", "", ""));
      opened.add(name + " at " + told);
      String address = told.endsWith(":0") ? told.replace(":0", ":" + given++) : told;
      if (taken.stream().anyMatch(port -> address.endsWith(":" + port))) {
        throw new IOException("cannot listen on " + address, new BindException("in use"));
      }
      return new Listening(name, listens ? address : "");
    }
  }

  private Transports transports(String listen, List<Integer> taken) {
    NodeConfig config = NodeConfig.builder().id(1).transport("auto").listen(listen).build();
    Transports[] made = {null};
    TransportContext context =
        new StillContext(0) {
          @Override
          public String setting(ConfigKey key) {
            return key.name().equals("listen") ? made[0].listen() : super.setting(key);
          }
        };
    List<TransportProvider> found =
        List.of(
            new Provider("near", 9, false, List.of()),
            new Provider("last", 1, true, taken),
            new Provider("first", 5, true, List.of()));
    made[0] = new Transports(context, config, found);
    return made[0];
  }

  @Test
  void allListenAtThePortThatTheFirstOneWasGiven() {
    Transports transports = transports("[::]:0", List.of());
    transports.open();
    assertThat(opened).containsExactly("first at [::]:0", "last at [::]:4000", "near at [::]:4000");
    assertThat(transports.names()).containsExactly("near", "first", "last");
    assertThat(transports.address()).isEqualTo("[::]:4000");
  }

  @Test
  void portThatIsTakenForAnotherTransportIsGivenBackForTheNext() {
    Transports transports = transports("a:0", List.of(4000, 4001));
    transports.open();
    assertThat(opened)
        .containsExactly(
            "first at a:0",
            "last at a:4000",
            "first at a:0",
            "last at a:4001",
            "first at a:0",
            "last at a:4002",
            "near at a:4002");
    assertThat(closed).containsExactly("first", "first");
    assertThat(transports.address()).isEqualTo("a:4002");
    transports.close();
    assertThat(closed).containsExactly("first", "first", "near", "first", "last");
  }

  @Test
  void nodeWhosePortsAreAllTakenSaysSo() {
    Transports transports = transports("a:0", IntStream.range(4000, 5000).boxed().toList());
    assertThatExceptionOfType(VerbenaException.class)
        .isThrownBy(transports::open)
        .withMessage("cannot start transport last: cannot listen on a:4015");
    transports.close();
    assertThat(closed).hasSize(16);
  }

  @Test
  void portThatWasChosenIsNotGivenUpForAnother() {
    Transports transports = transports("a:4000", List.of(4000));
    assertThatExceptionOfType(VerbenaException.class).isThrownBy(transports::open);
    assertThat(opened).containsExactly("near at a:4000", "first at a:4000", "last at a:4000");
  }

  @Test
  void autoWithoutAnyTransportIsRefusedWithWhatToAdd() {
    NodeConfig config = NodeConfig.builder().id(1).transport("auto").build();
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Node.open(config).close())
        .withMessageContaining("transport 'auto' found no transport")
        .withMessageContaining("verbena-transport-shm")
        .withMessageContaining("transport=loopback");
  }

  @Test
  void transportThatIsNotThereIsRefusedByName() {
    NodeConfig config = NodeConfig.builder().id(1).transport("pigeon").build();
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Node.open(config).close())
        .withMessageContaining("transport 'pigeon' is not there; found auto, loopback");
  }
}
