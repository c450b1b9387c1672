// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** YCSB's own client, which checks what it reads, and what it does not look at. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class YcsbTest {
  private static final int RECORDS = 2000;
  private static final int OPERATIONS = 5000;

  @TempDir private Path folder;

  @Test
  void theClientRunsUnmodifiedAndFindsItsData() throws Exception {
    assertThat(client("-load")).contains("[INSERT], Return=OK, " + RECORDS);
    String report = client("-t");
    assertThat(report)
        .contains("[VERIFY], Return=OK, ")
        .doesNotContain("UNEXPECTED_STATE", "ERROR", "NOT_FOUND", "BAD_REQUEST");
    long operations = 0;
    for (String kind : List.of("READ", "UPDATE", "INSERT", "SCAN", "READ-MODIFY-WRITE")) {
      long ok = count(report, "[" + kind + "], Operations, ");
      assertThat(ok).describedAs(kind).isPositive();
      operations += ok;
    }
    // a read with an update is counted three times
    assertThat(operations - 2 * count(report, "[READ-MODIFY-WRITE], Operations, "))
        .isEqualTo(OPERATIONS);
  }

  private static long count(String report, String label) {
    int at = report.indexOf(label);
    assertThat(at).describedAs(label + " in " + report).isNotNegative();
    return Long.parseLong(report.substring(at + label.length()).lines().findFirst().orElseThrow());
  }

  private String client(String phase) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "site.ycsb.Client",
                phase,
                "-threads",
                "3",
                "-db",
                StoreClient.class.getName()));
    Map<String, Object> properties = new HashMap<>();
    properties.put("workload", "site.ycsb.workloads.CoreWorkload");
    properties.put("recordcount", RECORDS);
    properties.put("operationcount", OPERATIONS);
    properties.put("dataintegrity", true);
    properties.put("readproportion", 0.3);
    properties.put("updateproportion", 0.3);
    properties.put("insertproportion", 0.1);
    properties.put("scanproportion", 0.1);
    properties.put("readmodifywriteproportion", 0.2);
    properties.put("requestdistribution", "zipfian");
    properties.put("verbena.kv.folder", folder);
    properties.put("verbena.kv.durability", "memory");
    properties.forEach((name, value) -> command.addAll(List.of("-p", name + "=" + value)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).describedAs(output).isZero();
    return output;
  }

  private static Map<String, ByteIterator> fields(String... namesAndContents) {
    Map<String, ByteIterator> fields = new HashMap<>();
    for (int i = 0; i < namesAndContents.length; i += 2) {
      byte[] content = namesAndContents[i + 1].getBytes(StandardCharsets.UTF_8);
      fields.put(namesAndContents[i], new ByteArrayByteIterator(content));
    }
    return fields;
  }

  private static Map<String, String> texts(Map<String, ByteIterator> fields) {
    Map<String, String> texts = new HashMap<>();
    fields.forEach((name, content) -> texts.put(name, content.toString()));
    return texts;
  }

  @Test
  void tablesAndFieldsAreApart() throws DBException {
    StoreClient client = client(Map.of("verbena.kv.folder", folder.toString()));
    try {
      assertThat(client.insert("t", "a", fields("x", "1", "y", "2"))).isEqualTo(Status.OK);
      assertThat(client.insert("u", "b", fields("x", "3"))).isEqualTo(Status.OK);
      assertThat(client.update("t", "a", fields("y", "4", "z", ""))).isEqualTo(Status.OK);
      assertThat(client.update("t", "b", fields("y", "4"))).isEqualTo(Status.NOT_FOUND);

      Map<String, ByteIterator> all = new HashMap<>();
      assertThat(client.read("t", "a", null, all)).isEqualTo(Status.OK);
      assertThat(texts(all)).isEqualTo(Map.of("x", "1", "y", "4", "z", ""));
      Map<String, ByteIterator> one = new HashMap<>();
      assertThat(client.read("t", "a", Set.of("y"), one)).isEqualTo(Status.OK);
      assertThat(texts(one)).isEqualTo(Map.of("y", "4"));

      Vector<HashMap<String, ByteIterator>> scanned = new Vector<>();
      assertThat(client.scan("t", "", 10, Set.of("x"), scanned)).isEqualTo(Status.OK);
      assertThat(scanned).hasSize(1);
      assertThat(texts(scanned.getFirst())).isEqualTo(Map.of("x", "1"));

      assertThat(client.delete("t", "a")).isEqualTo(Status.OK);
      assertThat(client.read("t", "a", null, all)).isEqualTo(Status.NOT_FOUND);
      assertThat(client.insert("t", "k".repeat(2000), fields())).isEqualTo(Status.BAD_REQUEST);
    } finally {
      client.cleanup();
    }
  }

  @Test
  void whatIsMissingOrWrongIsSaid() {
    assertThat(failure(Map.of())).contains("verbena.kv.folder is missing");
    assertThat(
            failure(
                Map.of("verbena.kv.folder", folder.toString(), "verbena.kv.cacheBytes", "1000")))
        .contains("cacheBytes is 1000; it may be 1 MiB to 4 TiB");
    assertThat(
            failure(Map.of("verbena.kv.folder", folder.toString(), "verbena.kv.tableBytes", "64M")))
        .contains("verbena.kv.tableBytes is '64M'; say a number without a unit");
    assertThat(
            failure(
                Map.of("verbena.kv.folder", folder.toString(), "verbena.kv.durability", "never")))
        .contains("verbena.kv.durability is 'never'; it may be memory, interval or sync");
    assertThat(
            failure(
                Map.of(
                    "verbena.kv.folder",
                    folder.toString(),
                    "verbena.kv.inlineLimit",
                    "4294967552")))
        .contains("inlineLimit is 2147483647; it may be 0 to 1024");
  }

  private static String failure(Map<String, String> properties) {
    try {
      client(properties).cleanup();
      return "";
    } catch (DBException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static StoreClient client(Map<String, String> properties) throws DBException {
    StoreClient client = new StoreClient();
    Properties all = new Properties();
    all.putAll(properties);
    client.setProperties(all);
    client.init();
    return client;
  }
}
