// SPDX-License-Identifier: Apache-2.0
#include "job/slurm.h"

#include <algorithm>

#include "job/contract.h"
#include "job/joining.h"
#include "job/node_list.h"

namespace verbena::job {
namespace {

constexpr const char* kStarter = "Slurm without PMIx";
constexpr const char* kProcess = "SLURM_PROCID";
constexpr const char* kStep = "SLURM_STEP_ID";
constexpr const char* kJob = "SLURM_JOB_ID";
constexpr const char* kTasks = "SLURM_STEP_NUM_TASKS";
constexpr const char* kTasksPerNode = "SLURM_STEP_TASKS_PER_NODE";
constexpr const char* kNodes = "SLURM_STEP_NODELIST";
constexpr const char* kNode = "SLURM_NODEID";
constexpr const char* kLocalId = "SLURM_LOCALID";
constexpr const char* kProcessors = "SLURM_CPUS_ON_NODE";
constexpr const char* kCluster = "SLURM_CLUSTER_NAME";

// Below the ports that Linux gives to who asks for any.
constexpr uint16_t kFirstPort = 20'000;
constexpr uint32_t kPorts = 10'000;
constexpr uint32_t kStepsApart = 16;

base::Result<std::string> nameOfJob(const Variables& variables) {
  auto job = textOf(variables, kJob);
  auto step = textOf(variables, kStep);
  if (!job || !step) return !job ? job.error() : step.error();
  const char* cluster = variables(kCluster);
  return jobNameFor("slurm " + std::string(cluster != nullptr ? cluster : "") + " " + *job + "." +
                    *step);
}

base::Result<uint32_t> localSizeFrom(const Variables& variables, uint32_t size) {
  auto text = textOf(variables, kTasksPerNode);
  if (!text) return text.error();
  auto counts = expandCounts(*text);
  if (!counts) return counts.error();
  if (counts->empty()) return wrongVariable(kTasksPerNode, "'" + *text + "' names no host");
  auto node = numberOf(variables, kNode, 0, static_cast<uint32_t>(counts->size()) - 1);
  if (!node) return node.error();
  uint32_t count = (*counts)[*node];
  if (count >= 1 && count <= size) return count;
  return wrongVariable(kTasksPerNode,
                       "'" + *text + "' does not fit " + std::to_string(size) + " ranks");
}

bool isOnOneHost(const Place& place) {
  return place.localSize == place.size;
}

base::Result<std::string> firstHost(const Variables& variables) {
  auto list = textOf(variables, kNodes);
  if (!list) return list.error();
  auto names = expandNodeList(*list);
  if (!names) return names.error();
  return names->front();
}

/// Where rank 0 is for this one, which may be rank 0.
base::Result<HostPort> placeOfFirst(const Place& place, const Variables& variables) {
  auto job = numberOf(variables, kJob, 0, UINT32_MAX);
  auto step = numberOf(variables, kStep, 0, UINT32_MAX);
  if (!job || !step) return !job ? job.error() : step.error();
  auto port = portFrom(variables, portOfStep(*job, *step));
  if (!port) return port.error();
  if (isOnOneHost(place)) return HostPort{place.hostAddress, *port};
  if (place.rank == 0) return HostPort{"", *port};
  auto host = firstHost(variables);
  if (!host) return host.error();
  return HostPort{*host, *port};
}

}  // namespace

uint16_t portOfStep(uint32_t job, uint32_t step) {
  uint64_t number = uint64_t{job} * kStepsApart + step;
  return static_cast<uint16_t>(kFirstPort + number % kPorts);
}

/// A batch script has a number, too, but runs in no step.
bool hasSlurmStarted(const Variables& variables) {
  return variables(kProcess) != nullptr && variables(kStep) != nullptr;
}

base::Result<Place> placeFromSlurm(const Variables& variables) {
  auto id = nameOfJob(variables);
  if (!id) return id.error();
  auto size = numberOf(variables, kTasks, 1, kMostRanks);
  if (!size) return size.error();
  auto rank = numberOf(variables, kProcess, 0, *size - 1);
  if (!rank) return rank.error();
  auto localSize = localSizeFrom(variables, *size);
  if (!localSize) return localSize.error();
  auto localRank = numberOf(variables, kLocalId, 0, *localSize - 1);
  if (!localRank) return localRank.error();
  uint32_t processors = UINT32_MAX;
  if (variables(kProcessors) != nullptr) {
    auto given = numberOf(variables, kProcessors, 1, UINT32_MAX);
    if (!given) return given.error();
    processors = *given;
  }
  Place place;
  place.rank = *rank;
  place.size = *size;
  place.localRank = *localRank;
  place.localSize = *localSize;
  place.oversubscribed = isOversubscribed(place, processors);
  place.id = *id;
  return place;
}

base::Result<Membership> joinSlurm(const Variables& variables) {
  auto place = placeFromSlurm(variables);
  if (!place) return place.error();
  return joinWithoutStore(std::move(*place), variables, kStarter, placeOfFirst);
}

}  // namespace verbena::job
