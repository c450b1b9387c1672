// SPDX-License-Identifier: Apache-2.0
#include "softnic/objects/faults.h"

#include <array>
#include <charconv>
#include <utility>

namespace verbena::softnic {
namespace {

constexpr std::array<std::pair<std::string_view, OperationKind>, 7> kKinds = {{
    {"send", OperationKind::Send},
    {"write", OperationKind::Write},
    {"read", OperationKind::Read},
    {"atomic", OperationKind::Atomic},
    {"datagram", OperationKind::Datagram},
    {"receive", OperationKind::Receive},
    {"any", OperationKind::Any},
}};

/// What a script may fail an operation with: everything but success.
constexpr std::array<std::pair<std::string_view, ibv_wc_status>, IBV_WC_TM_RNDV_INCOMPLETE>
    kStatuses = {{
        {"LOC_LEN_ERR", IBV_WC_LOC_LEN_ERR},
        {"LOC_QP_OP_ERR", IBV_WC_LOC_QP_OP_ERR},
        {"LOC_EEC_OP_ERR", IBV_WC_LOC_EEC_OP_ERR},
        {"LOC_PROT_ERR", IBV_WC_LOC_PROT_ERR},
        {"WR_FLUSH_ERR", IBV_WC_WR_FLUSH_ERR},
        {"MW_BIND_ERR", IBV_WC_MW_BIND_ERR},
        {"BAD_RESP_ERR", IBV_WC_BAD_RESP_ERR},
        {"LOC_ACCESS_ERR", IBV_WC_LOC_ACCESS_ERR},
        {"REM_INV_REQ_ERR", IBV_WC_REM_INV_REQ_ERR},
        {"REM_ACCESS_ERR", IBV_WC_REM_ACCESS_ERR},
        {"REM_OP_ERR", IBV_WC_REM_OP_ERR},
        {"RETRY_EXC_ERR", IBV_WC_RETRY_EXC_ERR},
        {"RNR_RETRY_EXC_ERR", IBV_WC_RNR_RETRY_EXC_ERR},
        {"LOC_RDD_VIOL_ERR", IBV_WC_LOC_RDD_VIOL_ERR},
        {"REM_INV_RD_REQ_ERR", IBV_WC_REM_INV_RD_REQ_ERR},
        {"REM_ABORT_ERR", IBV_WC_REM_ABORT_ERR},
        {"INV_EECN_ERR", IBV_WC_INV_EECN_ERR},
        {"INV_EEC_STATE_ERR", IBV_WC_INV_EEC_STATE_ERR},
        {"FATAL_ERR", IBV_WC_FATAL_ERR},
        {"RESP_TIMEOUT_ERR", IBV_WC_RESP_TIMEOUT_ERR},
        {"GENERAL_ERR", IBV_WC_GENERAL_ERR},
        {"TM_ERR", IBV_WC_TM_ERR},
        {"TM_RNDV_INCOMPLETE", IBV_WC_TM_RNDV_INCOMPLETE},
    }};

struct ActionForm {
  std::string_view name;
  FaultAction action;
  enum class Takes { Nothing, Status, Milliseconds } takes;
  enum class On { Connected, OneSided, Datagrams, All } on;
};
constexpr std::array<ActionForm, 11> kActions = {{
    {"fail", FaultAction::Fail, ActionForm::Takes::Status, ActionForm::On::All},
    {"delay", FaultAction::Delay, ActionForm::Takes::Milliseconds, ActionForm::On::Connected},
    {"rnr", FaultAction::NotReady, ActionForm::Takes::Milliseconds, ActionForm::On::Connected},
    {"drop", FaultAction::Drop, ActionForm::Takes::Nothing, ActionForm::On::Datagrams},
    {"duplicate", FaultAction::Duplicate, ActionForm::Takes::Nothing, ActionForm::On::Datagrams},
    {"reorder", FaultAction::Reorder, ActionForm::Takes::Nothing, ActionForm::On::Datagrams},
    {"device-fatal", FaultAction::DeviceFatal, ActionForm::Takes::Nothing, ActionForm::On::All},
    {"no-memory", FaultAction::NoMemory, ActionForm::Takes::Nothing, ActionForm::On::All},
    {"port-down", FaultAction::PortDown, ActionForm::Takes::Milliseconds, ActionForm::On::All},
    {"hold", FaultAction::Hold, ActionForm::Takes::Milliseconds, ActionForm::On::OneSided},
    {"stop", FaultAction::Stop, ActionForm::Takes::Nothing, ActionForm::On::OneSided},
}};

template <typename Table>
auto find(const Table& table, std::string_view word) {
  for (const auto& [name, value] : table) {
    if (name == word) return std::optional(value);
  }
  return decltype(std::optional(table[0].second))();
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// The part before `mark`, which is taken off `text` with the mark; all of it if there is none.
std::string_view takeUntil(std::string_view& text, char mark) {
  size_t at = text.find(mark);
  std::string_view part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return trim(part);
}

template <typename Number>
bool parseNumber(std::string_view text, Number& number) {
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size();
}

bool parseWhen(std::string_view text, uint64_t& first, uint64_t& last, double& probability) {
  if (text == "*") return true;
  if (text.starts_with('p')) {
    return parseNumber(text.substr(1), probability) && probability >= 0 && probability <= 1;
  }
  if (text.ends_with('+')) return parseNumber(text.substr(0, text.size() - 1), first) && first > 0;
  std::string_view rest = text;
  std::string_view from = takeUntil(rest, '-');
  if (!parseNumber(from, first) || first == 0) return false;
  last = first;
  return rest.empty() || (parseNumber(rest, last) && last >= first);
}

bool fits(ActionForm::On on, OperationKind kind, FaultAction action) {
  if (kind == OperationKind::Receive) {
    return action == FaultAction::Fail || action == FaultAction::NoMemory;
  }
  if (on == ActionForm::On::OneSided) {
    return kind == OperationKind::Write || kind == OperationKind::Read ||
           kind == OperationKind::Atomic;
  }
  if (kind == OperationKind::Any) return on != ActionForm::On::Datagrams;
  return on == ActionForm::On::All ||
         (kind == OperationKind::Datagram) == (on == ActionForm::On::Datagrams);
}

bool parseArgument(const ActionForm& form, std::string_view text, Fault& fault) {
  if (form.takes == ActionForm::Takes::Nothing) return text.empty();
  if (form.takes == ActionForm::Takes::Status) {
    std::optional<ibv_wc_status> status = find(kStatuses, text);
    if (status) fault.status = *status;
    return status.has_value();
  }
  double milliseconds = -1;
  bool good = parseNumber(text, milliseconds) && milliseconds >= 0 && milliseconds < 1e9;
  if (good) fault.durationNs = static_cast<uint64_t>(milliseconds * 1e6);
  return good;
}

bool parseAction(std::string_view text, OperationKind kind, Fault& fault) {
  std::string_view argument = text;
  std::string_view word = takeUntil(argument, '(');
  if (!argument.empty()) {
    if (!argument.ends_with(')')) return false;
    argument = trim(argument.substr(0, argument.size() - 1));
  }
  for (const ActionForm& form : kActions) {
    if (form.name != word) continue;
    fault.action = form.action;
    return fits(form.on, kind, form.action) && parseArgument(form, argument, fault);
  }
  return false;
}

/// splitmix64: every bit of the result depends on every bit of the input.
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

std::optional<FaultScript> FaultScript::parse(std::string_view text, std::string& error) {
  FaultScript script;
  while (!text.empty()) {
    std::string_view part = takeUntil(text, ';');
    if (part.empty()) continue;
    if (part.starts_with("seed=")) {
      if (parseNumber(part.substr(5), script.seed_)) continue;
      error = "the seed is not a number in \"" + std::string(part) + "\"";
      return std::nullopt;
    }
    Rule rule;
    if (!parseRule(part, rule, error)) return std::nullopt;
    script.rules_.push_back(rule);
  }
  return script;
}

bool FaultScript::parseRule(std::string_view text, Rule& rule, std::string& error) {
  std::string_view rest = text;
  std::string_view place = takeUntil(rest, ':');
  std::string_view when = takeUntil(rest, '=');
  std::string_view kindWord = takeUntil(place, '@');
  std::optional<OperationKind> kind = find(kKinds, kindWord);
  std::string wrong;
  if (!kind) {
    wrong = "kind";
  } else if (!place.empty() && !parseNumber(place, rule.qpPlace)) {
    wrong = "queue pair";
  } else if (!parseWhen(when, rule.first, rule.last, rule.probability)) {
    wrong = "count";
  } else if (rule.kind = *kind; !parseAction(trim(rest), *kind, rule.fault)) {
    wrong = "action";
  }
  if (!wrong.empty()) error = "unknown " + wrong + " in \"" + std::string(text) + "\"";
  return wrong.empty();
}

Fault FaultScript::choose(OperationKind kind, FaultCounts& counts) const {
  counts.ofRule.resize(rules_.size());
  Fault chosen;
  for (size_t i = 0; i < rules_.size(); i++) {
    const Rule& rule = rules_[i];
    bool any = rule.kind == OperationKind::Any && kind != OperationKind::Receive;
    if (!any && rule.kind != kind) continue;
    if (rule.qpPlace != 0 && rule.qpPlace != counts.qpPlace) continue;
    uint64_t count = ++counts.ofRule[i];  // also of rules behind the one that decides
    if (chosen.action == FaultAction::None && meets(rule, i, count, counts.qpPlace)) {
      chosen = rule.fault;
    }
  }
  return chosen;
}

bool FaultScript::meets(const Rule& rule, size_t index, uint64_t count, uint32_t qpPlace) const {
  if (count < rule.first || count > rule.last) return false;
  if (rule.probability >= 1) return true;
  uint64_t random = mix(mix(mix(seed_ + index) + qpPlace) + count);
  return static_cast<double>(random >> 11) * 0x1p-53 < rule.probability;
}

}  // namespace verbena::softnic
