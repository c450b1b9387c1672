// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.cli.Finding.Verdict;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code verbena doctor}. */
@Command(
    name = "doctor",
    description = "Looks at what on this machine matters to Verbena, and says what to change.",
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    List<Finding> findings = new Examination(HostFiles.ofThisHost()).findings();
    PrintWriter out = spec.commandLine().getOut();
    findings.forEach(finding -> out.println(line(finding)));
    out.println();
    findings.stream()
        .filter(finding -> !finding.advice().isEmpty())
        .forEach(finding -> out.println(finding.what() + ": " + finding.advice()));
    out.flush();
    boolean works = findings.stream().noneMatch(finding -> finding.verdict() == Verdict.BROKEN);
    return works ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private static String line(Finding finding) {
    return String.format(
        "%-22s %-4s  %s", finding.what(), finding.verdict().mark(), finding.found());
  }
}
