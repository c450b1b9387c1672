// SPDX-License-Identifier: Apache-2.0
#include "job/kubernetes.h"

#include "job/contract.h"
#include "job/joining.h"

namespace verbena::job {
namespace {

constexpr const char* kStarter = "Kubernetes";
constexpr const char* kIndex = "JOB_COMPLETION_INDEX";
constexpr std::string_view kNumber = "{}";
/// Each pod has a network of its own, so all jobs may have one port.
constexpr uint16_t kPodPort = 20'000;

/// Where rank 0 is for this one, which may be rank 0.
base::Result<HostPort> placeOfFirst(const Place& place, const Variables& variables) {
  auto port = portFrom(variables, kPodPort);
  if (!port) return port.error();
  auto pattern = textOf(variables, kHosts);
  if (!pattern) return pattern.error();
  auto host = hostOf(0, *pattern);
  if (!host) return host.error();
  return HostPort{place.rank == 0 ? "" : *host, *port};
}

}  // namespace

base::Result<std::string> hostOf(uint32_t rank, const std::string& pattern) {
  size_t at = pattern.find(kNumber);
  if (at == std::string::npos) {
    return wrongVariable(kHosts, "in '" + pattern + "' nothing stands for a rank's number: {}");
  }
  return std::string(pattern).replace(at, kNumber.size(), std::to_string(rank));
}

bool hasKubernetesStarted(const Variables& variables) {
  return variables(kIndex) != nullptr;
}

base::Result<Place> placeFromKubernetes(const Variables& variables) {
  auto size = numberOf(variables, kSize, 1, kMostRanks);
  if (!size) return size.error();
  auto rank = numberOf(variables, kIndex, 0, *size - 1);
  if (!rank) return rank.error();
  auto id = textOf(variables, kId);
  if (!id) return id.error();
  Place place;
  place.rank = *rank;
  place.size = *size;
  place.id = jobNameFor("kubernetes " + *id);
  return place;
}

base::Result<Membership> joinKubernetes(const Variables& variables) {
  auto place = placeFromKubernetes(variables);
  if (!place) return place.error();
  return joinWithoutStore(std::move(*place), variables, kStarter, placeOfFirst);
}

}  // namespace verbena::job
