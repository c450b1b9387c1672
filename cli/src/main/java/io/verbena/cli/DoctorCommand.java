// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Table;
import io.verbena.cli.Finding.Verdict;
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
    Table table = new Table("what", "", "found");
    StringBuilder advice = new StringBuilder();
    for (Finding finding : findings) {
      table.row(finding.what(), finding.verdict().mark(), finding.found());
      if (!finding.advice().isEmpty()) {
        advice.append(finding.what()).append(": ").append(finding.advice()).append('\n');
      }
    }
    spec.commandLine().getOut().println(table);
    spec.commandLine().getOut().print(advice);
    spec.commandLine().getOut().flush();
    boolean works = findings.stream().noneMatch(finding -> finding.verdict() == Verdict.BROKEN);
    return works ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }
}
