// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "job/contract.h"

namespace verbena::launch {
namespace {

constexpr uint32_t kMostSeconds = 365 * 24 * 3600;

base::Error wrong(const std::string& option, const std::string& advice) {
  return base::Error{"take " + option, "", 0, advice};
}

base::Error noCommand() {
  return base::Error{"start a job", "", 0, "there is no command; see 'verbena-run --help'"};
}

base::Result<uint32_t> number(const std::string& option, const std::string& text, uint32_t least,
                              uint32_t most) {
  uint32_t value = 0;
  const char* end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure == std::errc{} && rest == end && value >= least && value <= most) return value;
  return wrong(option, "'" + text + "' is not between " + std::to_string(least) + " and " +
                           std::to_string(most));
}

/// What is being put together: the options, and the command whose options are read.
struct Parsed {
  Options options;
  Segment segment;
};

using Outcome = base::Result<void>;
using Apply = Outcome (*)(Parsed& parsed, const std::string& option, const std::string& value);

template <typename T>
Outcome setNumber(T& into, const std::string& option, const std::string& text, uint32_t least,
                  uint32_t most) {
  auto value = number(option, text, least, most);
  if (!value) return value.error();
  into = *value;
  return {};
}

Outcome setHosts(Options& options, base::Result<std::vector<Host>> hosts) {
  if (!hosts) return hosts.error();
  if (!options.hosts.empty()) return wrong("--host", "hosts are given once");
  options.hosts = *hosts;
  return {};
}

Outcome setOutput(Options& options, const std::string& value) {
  constexpr std::string_view kFiles = "files=";
  if (value == "merged") {
    options.output = OutputMode::merged;
  } else if (value == "tagged") {
    options.output = OutputMode::tagged;
  } else if (value.starts_with(kFiles) && value.size() > kFiles.size()) {
    options.output = OutputMode::files;
    options.outputFolder = value.substr(kFiles.size());
  } else {
    return wrong("--output", "'" + value + "' is none of merged, tagged and files=FOLDER");
  }
  return {};
}

Outcome addVariable(Command& command, const std::string& value) {
  size_t equals = value.find('=');
  if (equals == 0 || value.empty()) return wrong("--env", "'" + value + "' has no name");
  if (equals != std::string::npos) {
    command.variables.push_back(value);
    return {};
  }
  const char* own = std::getenv(value.c_str());
  if (own == nullptr) return wrong("--env", "the variable '" + value + "' is not set here");
  command.variables.push_back(value + "=" + own);
  return {};
}

template <typename T>
Outcome choose(T& into, const std::string& option, const std::string& value,
               std::initializer_list<std::pair<const char*, T>> choices) {
  std::string names;
  for (const auto& [name, meaning] : choices) {
    names.append(names.empty() ? "" : ", ").append(name);
    if (value != name) continue;
    into = meaning;
    return {};
  }
  return wrong(option, "'" + value + "' is none of " + names);
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

struct Row {
  std::array<const char*, 3> names;
  const char* value;  ///< what stands behind it, null if nothing does
  bool ofCommand;     ///< may stand before each command
  const char* help;
  Apply apply;
};

constexpr std::array kRows = {
    Row{{"-n", "-np", "--ranks"},
        "N",
        true,
        "how many ranks the command has: 1 to 65536. Without it as many as there are slots",
        [](Parsed& to, const std::string& option, const std::string& value) {
          return setNumber(to.segment.ranks, option, value, 1, job::kMostRanks);
        }},
    Row{{"--wdir"},
        "FOLDER",
        true,
        "the folder the command starts in; that of verbena-run",
        [](Parsed& to, const std::string&, const std::string& value) -> Outcome {
          to.segment.command.folder = value;
          return {};
        }},
    Row{{"--env", "-x"},
        "NAME[=VALUE]",
        true,
        "a variable that the command gets, with the value it has here or a new one; any number of\n"
        "times. On this host ranks have all variables of verbena-run, elsewhere those of a login,\n"
        "and everywhere those whose names begin with VERBENA_",
        [](Parsed& to, const std::string&, const std::string& value) {
          return addVariable(to.segment.command, value);
        }},
    Row{{"--host"},
        "NAME[:SLOTS],...",
        false,
        "the hosts, and how many ranks fit on each: 1. Without hosts those that Slurm has "
        "allocated,\n"
        "with its tasks as slots; else this one, where there is a slot for each processor",
        [](Parsed& to, const std::string&, const std::string& value) {
          return setHosts(to.options, parseHosts(value));
        }},
    Row{{"--hosts", "--hostfile"},
        "FILE",
        false,
        "the same, one a line: 'NAME', 'NAME:SLOTS' or 'NAME slots=SLOTS'; # begins a comment",
        [](Parsed& to, const std::string&, const std::string& value) {
          return setHosts(to.options, readHosts(value));
        }},
    Row{{"--map"},
        "by-slot|by-host",
        false,
        "by-slot fills a host before it goes to the next one (default), by-host goes round. When\n"
        "all slots are taken it begins anew",
        [](Parsed& to, const std::string& option, const std::string& value) {
          return choose<Mapping>(to.options.mapping, option, value,
                                 {{"by-slot", Mapping::bySlot}, {"by-host", Mapping::byHost}});
        }},
    Row{{"--bind"},
        "core|none",
        false,
        "core: each rank has a core of its host, in turn; none (default): any processor",
        [](Parsed& to, const std::string& option, const std::string& value) {
          return choose<bool>(to.options.bindToCores, option, value,
                              {{"core", true}, {"none", false}});
        }},
    Row{{"--output"},
        "MODE",
        false,
        "merged (default): whole lines as they come; tagged: the same behind '[RANK] ';\n"
        "files=FOLDER: rank.N.out and rank.N.err in a folder of this host",
        [](Parsed& to, const std::string&, const std::string& value) {
          return setOutput(to.options, value);
        }},
    Row{{"--input"},
        "first|all|none",
        false,
        "who reads the standard input: rank 0 (first, default), or each rank all of it, or none, "
        "and\n"
        "it is left to others: in a loop of a shell that reads lines itself",
        [](Parsed& to, const std::string& option, const std::string& value) {
          return choose<Readers>(
              to.options.readers, option, value,
              {{"first", Readers::first}, {"all", Readers::all}, {"none", Readers::none}});
        }},
    Row{{"--timeout"},
        "SECONDS",
        false,
        "the job is ended when it has lasted so long",
        [](Parsed& to, const std::string& option, const std::string& value) {
          return setNumber(to.options.timeoutSeconds, option, value, 1, kMostSeconds);
        }},
    Row{{"--start-timeout"},
        "SECONDS",
        false,
        "how long a host may take until it answers; 60",
        [](Parsed& to, const std::string& option, const std::string& value) {
          return setNumber(to.options.startTimeoutSeconds, option, value, 1, kMostSeconds);
        }},
    Row{{"--lost-after"},
        "SECONDS",
        false,
        "another host of which nothing is heard for so long is lost, and ends its ranks itself "
        "when\n"
        "it hears nothing of verbena-run; 30",
        [](Parsed& to, const std::string& option, const std::string& value) {
          return setNumber(to.options.lostAfterSeconds, option, value, 1, kMostSeconds);
        }},
    Row{{"--grace"},
        "SECONDS",
        false,
        "how long ranks have from SIGTERM to SIGKILL when the job is ended; 5",
        [](Parsed& to, const std::string& option, const std::string& value) {
          return setNumber(to.options.graceSeconds, option, value, 0, kMostSeconds);
        }},
    Row{{"--go-on"},
        nullptr,
        false,
        "a rank that fails does not end the job: the others hear of it, and go on",
        [](Parsed& to, const std::string&, const std::string&) -> Outcome {
          to.options.goesOn = true;
          return {};
        }},
    Row{{"--interface"},
        "NAME|NETWORK",
        false,
        "where ranks are to listen: at the address of an interface, or in a network "
        "(10.1.0.0/16).\n"
        "Without it 127.0.0.1 for a job on this host alone, else the address ssh has come by, or\n"
        "the first of a network that is up",
        [](Parsed& to, const std::string&, const std::string& value) -> Outcome {
          to.options.interface = value;
          return {};
        }},
    Row{{"--rsh"},
        "COMMAND",
        false,
        "in place of ssh: called with a host's name and one more word, a command for a shell "
        "there.\n"
        "Without it the variable VERBENA_RUN_RSH",
        [](Parsed& to, const std::string& option, const std::string& value) -> Outcome {
          to.options.remoteShell = wordsOf(value);
          if (to.options.remoteShell.empty()) return wrong(option, "it is empty");
          return {};
        }},
    Row{{"--remote-program"},
        "PATH",
        false,
        "where verbena-run lies on other hosts; where it lies here",
        [](Parsed& to, const std::string&, const std::string& value) -> Outcome {
          to.options.remoteProgram = value;
          return {};
        }},
    Row{{"-h", "--help"},
        nullptr,
        true,
        "this text",
        [](Parsed& to, const std::string&, const std::string&) -> Outcome {
          to.options.wantsHelp = true;
          return {};
        }},
};

/// Commands are parted by ':'. One that a command is to get is written '\\:', and so forth.
bool isEscapedColon(const std::string& word) {
  return word.size() > 1 && word.find_first_not_of('\\') == word.size() - 1 && word.back() == ':';
}

const Row* find(std::string_view name) {
  for (const Row& row : kRows) {
    for (const char* each : row.names) {
      if (each != nullptr && name == each) return &row;
    }
  }
  return nullptr;
}

class Parser {
 public:
  explicit Parser(std::span<const std::string> words) : words_(words) {}

  base::Result<Options> parse() {
    while (at_ < words_.size()) {
      auto read = parseSegment();
      if (!read) return read.error();
      if (parsed_.options.wantsHelp) return std::move(parsed_.options);
    }
    if (parsed_.options.segments.empty()) return noCommand();
    const char* shell = std::getenv("VERBENA_RUN_RSH");
    if (parsed_.options.remoteShell.empty() && shell != nullptr) {
      parsed_.options.remoteShell = wordsOf(shell);
    }
    return std::move(parsed_.options);
  }

 private:
  Outcome parseSegment() {
    parsed_.segment = {};
    while (at_ < words_.size() && words_[at_].starts_with('-')) {
      if (words_[at_] == "--") {
        at_++;
        break;
      }
      auto read = parseOption();
      if (!read) return read;
      if (parsed_.options.wantsHelp) return {};
    }
    Segment& segment = parsed_.segment;
    for (; at_ < words_.size() && words_[at_] != ":"; at_++) {
      segment.command.words.push_back(isEscapedColon(words_[at_]) ? words_[at_].substr(1)
                                                                  : words_[at_]);
    }
    bool isLast = at_ == words_.size();
    at_++;  // the colon
    if (segment.command.words.empty()) return noCommand();
    if (!segment.ranks && !(isLast && isFirst())) {
      return wrong("'" + segment.command.words[0] + "'",
                   "of several commands each needs its number of ranks, -n");
    }
    parsed_.options.segments.push_back(std::move(segment));
    if (!isLast && at_ == words_.size()) return wrong("':'", "there is no command behind it");
    return {};
  }

  Outcome parseOption() {
    std::string name = words_[at_++];
    std::optional<std::string> value;
    size_t equals = name.find('=');
    if (name.starts_with("--") && equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    const Row* row = find(name);
    if (row == nullptr) return wrong(name, "there is no such option; see 'verbena-run --help'");
    if (!row->ofCommand && !isFirst()) return wrong(name, "it stands before the first command");
    if (row->value == nullptr && value) return wrong(name, "it has no value");
    if (row->value != nullptr && !value) {
      if (at_ == words_.size()) return wrong(name, std::string("it needs a value: ") + row->value);
      value = words_[at_++];
    }
    return row->apply(parsed_, name, value.value_or(""));
  }

  bool isFirst() const { return parsed_.options.segments.empty(); }

  std::span<const std::string> words_;
  size_t at_ = 0;
  Parsed parsed_;
};

constexpr std::string_view kHead =
    "usage: verbena-run [options] [--] COMMAND [ARGUMENT...] [: [options] COMMAND ...]\n"
    "  Starts the ranks of a job: processes that know their number and each other\n"
    "  (docs/launch.md). Several commands with ':' between them are one job (one that a\n"
    "  command is to get is written '\\:'); ranks are numbered through.\n\n"
    "options; those with * may stand before each command, the others before the first:\n";

constexpr std::string_view kTail =
    "\nstandard input goes to rank 0 (--input). Output comes by whole lines, up to 64 KiB each, "
    "or, of a "
    "job\n"
    "  of one rank, as it is.\n"
    "signals: INT, TERM, HUP, QUIT, USR1, USR2, TSTP and CONT go to all ranks. The second of\n"
    "  INT, TERM, HUP and QUIT (Ctrl-C twice) kills them. After a first TERM ranks have --grace\n"
    "  to end; a first one of the others waits for them as long as they take.\n"
    "the end: the first rank that fails ends the job. No process that a rank has started\n"
    "  outlives the job, nor verbena-run, should that be killed.\n"
    "exit status:\n"
    "    0    all ranks ended with 0\n"
    "    1 .. the status of the first rank that failed; 128 and the number of the signal if it "
    "was\n"
    "         ended by one. 126 if a command cannot be run, 127 if it is not there\n"
    "    2    the command line is wrong\n"
    "    124  --timeout is over\n"
    "    125  a host does not answer or is lost, or output cannot be written\n"
    "    128 and the number of the signal after the second one\n";

void describe(std::ostringstream& out, const Row& row) {
  std::string names;
  for (const char* name : row.names) {
    if (name != nullptr) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  out << "  " << names << (row.value != nullptr ? std::string(" ") + row.value : "")
      << (row.ofCommand ? " *" : "") << "\n";
  std::istringstream lines(row.help);
  for (std::string line; std::getline(lines, line);) out << "      " << line << "\n";
}

}  // namespace

base::Result<Options> parseOptions(std::span<const std::string> words) {
  return Parser(words).parse();
}

std::string helpText() {
  std::ostringstream text;
  text << kHead;
  for (const Row& row : kRows) describe(text, row);
  text << kTail;
  return text.str();
}

}  // namespace verbena::launch
