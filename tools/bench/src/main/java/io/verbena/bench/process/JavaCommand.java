// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The command line of a JVM with the same modules, classes, heap, collector and properties of ours
 * as this one.
 */
public final class JavaCommand {

  private JavaCommand() {}

  /** The command up to the main class; its arguments follow. */
  public static List<String> ofThisJvm(Class<?> mainClass, List<String> jvmOptions) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ownOptions());
    command.addAll(jvmOptions);
    Module module = mainClass.getModule();
    command.add("--enable-native-access=" + (module.isNamed() ? ownModules() : "ALL-UNNAMED"));
    if (module.isNamed()) {
      command.add("--module-path");
      command.add(System.getProperty("jdk.module.path"));
      command.add("--add-modules");
      command.add("ALL-MODULE-PATH");
      command.add("--module");
      command.add(module.getName() + "/" + mainClass.getName());
    } else {
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add(mainClass.getName());
    }
    return command;
  }

  private static String ownModules() {
    return ModuleLayer.boot().modules().stream()
        .map(Module::getName)
        .filter(name -> name.startsWith("io.verbena"))
        .collect(Collectors.joining(","));
  }

  private static List<String> ownOptions() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-X") || option.startsWith("-Dverbena."))
        .toList();
  }
}
