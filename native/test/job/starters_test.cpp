// SPDX-License-Identifier: Apache-2.0
//
// What Slurm and Kubernetes say of a rank's place. How such ranks meet: meeting_test.cpp.
#include "job/starters.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "job/contract.h"
#include "job/kubernetes.h"
#include "job/slurm.h"
#include "named_variables.h"

namespace verbena::job {
namespace {

/// Rank 5 of 7, which is the second of two on the third of four hosts.
Named ofSlurm() {
  return {{"SLURM_JOB_ID", "17"},
          {"SLURM_STEP_ID", "2"},
          {"SLURM_PROCID", "5"},
          {"SLURM_STEP_NUM_TASKS", "7"},
          {"SLURM_STEP_TASKS_PER_NODE", "2(x3),1"},
          {"SLURM_NODEID", "2"},
          {"SLURM_LOCALID", "1"}};
}

Named ofKubernetes() {
  return {{"JOB_COMPLETION_INDEX", "2"},
          {kSize, "3"},
          {kId, "8d2c1e0a-94be-4c6e-8e07-0c8f0e1f7a55"},
          {kHosts, "127.0.1.1{}"},
          {kInterface, "lo"}};
}

/// As nodes demand it (docs/configuration.md).
bool isNameOfACluster(const std::string& name) {
  return !name.empty() && name.size() <= 32 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

TEST(Slurm, SaysARanksPlace) {
  Named named = ofSlurm();
  auto place = placeFromSlurm(variables(named));
  ASSERT_TRUE(place) << place.error().sentence();
  EXPECT_EQ(place->rank, 5U);
  EXPECT_EQ(place->size, 7U);
  EXPECT_EQ(place->localRank, 1U);
  EXPECT_EQ(place->localSize, 2U);
  EXPECT_TRUE(isNameOfACluster(place->id)) << place->id;
}

TEST(Slurm, TellsJobsApartByClusterJobAndStep) {
  std::set<std::string> names;
  Named named = ofSlurm();
  names.insert(placeFromSlurm(variables(named))->id);
  for (const char* name : {"SLURM_CLUSTER_NAME", "SLURM_JOB_ID", "SLURM_STEP_ID"}) {
    named[name] = "3";
    names.insert(placeFromSlurm(variables(named))->id);
  }
  EXPECT_EQ(names.size(), 4U);
}

TEST(Slurm, SaysHowManyProcessorsThereAre) {
  Named named = ofSlurm();
  named["SLURM_CPUS_ON_NODE"] = "1";
  EXPECT_TRUE(placeFromSlurm(variables(named))->oversubscribed);
}

TEST(Slurm, WithoutAVariableIsRefusedByItsName) {
  for (const auto& [missing, value] : ofSlurm()) {
    Named named = ofSlurm();
    named.erase(missing);
    auto place = placeFromSlurm(variables(named));
    ASSERT_FALSE(place) << missing;
    EXPECT_NE(place.error().sentence().find("on " + missing + ": it is not set"), std::string::npos)
        << place.error().sentence();
  }
}

TEST(Slurm, WithAPlaceThatCannotBeIsRefused) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"SLURM_PROCID", "7"},
                                                        {"SLURM_LOCALID", "2"},
                                                        {"SLURM_NODEID", "4"},
                                                        {"SLURM_STEP_NUM_TASKS", "0"},
                                                        {"SLURM_STEP_TASKS_PER_NODE", "8(x4)"},
                                                        {"SLURM_STEP_TASKS_PER_NODE", "x"}}) {
    Named named = ofSlurm();
    named[name] = value;
    EXPECT_FALSE(placeFromSlurm(variables(named))) << name << value;
  }
}

TEST(Slurm, HasNotStartedABatchScript) {
  Named named = ofSlurm();
  EXPECT_TRUE(hasSlurmStarted(variables(named)));
  named.erase("SLURM_STEP_ID");
  EXPECT_FALSE(hasSlurmStarted(variables(named)));
}

TEST(Slurm, HasAnotherPortForAnotherStepBelowThoseForAnybody) {
  EXPECT_NE(portOfStep(1, 0), portOfStep(1, 1));
  EXPECT_NE(portOfStep(1, 0), portOfStep(2, 0));
  for (uint32_t job : {0U, 623U, 624U, UINT32_MAX}) {
    EXPECT_GE(portOfStep(job, 15), 20'000);
    EXPECT_LT(portOfStep(job, 15), 30'000);
  }
}

TEST(Slurm, ThatHandsOutNoKeySaysWhatToDo) {
  Named named = ofSlurm();
  named[kInterface] = "lo";
  auto joined = join(variables(named));
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.error().sentence(),
            "cannot find this process' place in its job on VERBENA_CLUSTER_KEY_FILE: Slurm without "
            "PMIx hands out no key: name a file that has one, the same for all ranks, and that "
            "only its user can read");
}

TEST(Kubernetes, SaysARanksPlace) {
  Named named = ofKubernetes();
  auto place = placeFromKubernetes(variables(named));
  ASSERT_TRUE(place) << place.error().sentence();
  EXPECT_EQ(place->rank, 2U);
  EXPECT_EQ(place->size, 3U);
  EXPECT_EQ(place->localSize, 1U);
  EXPECT_TRUE(isNameOfACluster(place->id)) << place->id;
  EXPECT_FALSE(place->oversubscribed);
}

TEST(Kubernetes, WithoutAVariableIsRefusedByItsName) {
  for (const char* missing : {kSize, kId}) {
    Named named = ofKubernetes();
    named.erase(missing);
    auto joined = join(variables(named));
    ASSERT_FALSE(joined) << missing;
    EXPECT_NE(joined.error().sentence().find(std::string("on ") + missing), std::string::npos);
  }
}

TEST(Kubernetes, NamesHostsByAPattern) {
  EXPECT_EQ(hostOf(0, "verbena-{}.verbena").value(), "verbena-0.verbena");
  EXPECT_EQ(hostOf(12, "{}").value(), "12");
  EXPECT_EQ(hostOf(0, "verbena").error().sentence(),
            "cannot find this process' place in its job on VERBENA_JOB_HOSTS: in 'verbena' nothing "
            "stands for a rank's number: {}");
}

TEST(Starters, AreAskedInTheOrderInWhichTheyCanBeWithinEachOther) {
  Named named = ofKubernetes();
  named.merge(ofSlurm());
  named[kInterface] = "lo";
  EXPECT_NE(join(variables(named)).error().sentence().find("Slurm without PMIx"),
            std::string::npos);
  named["PMIX_RANK"] = "0";
  named["PMIX_NAMESPACE"] = "1";
  named[kPmixLibrary] = "/no/such/libpmix";
  EXPECT_NE(join(variables(named)).error().sentence().find("PMIx on /no/such/libpmix"),
            std::string::npos);
  named[kRank] = "0";
  EXPECT_NE(join(variables(named)).error().sentence().find("PMIx on /no/such/libpmix"),
            std::string::npos)
      << "verbena-run takes the variables of others from its ranks: these came later";
  Named ofRun = ofKubernetes();
  ofRun[kRank] = "0";
  EXPECT_NE(join(variables(ofRun)).error().sentence().find(kLocalSize), std::string::npos);
}

TEST(Starters, GiveAJobOfOneRankAllItNeeds) {
  Named named = ofKubernetes();
  named["JOB_COMPLETION_INDEX"] = "0";
  named[kSize] = "1";
  auto joined = join(variables(named));
  ASSERT_TRUE(joined) << joined.error().sentence();
  EXPECT_EQ(joined->key, "");
  EXPECT_TRUE(isNameOfACluster(joined->place.id));
  ASSERT_TRUE(joined->bootstrap->publish({}));
  EXPECT_TRUE(joined->bootstrap->table().awaitAll(0));
}

TEST(Starters, ThatNobodyKnowsAreRefusedAndNamed) {
  for (const Named& named : {Named{{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}},
                             Named{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}},
                             Named{{"MV2_COMM_WORLD_SIZE", "9"}}, Named{{"PMIX_RANK", "0"}},
                             Named{{"PMIX_NAMESPACE", "x"}}}) {
    auto joined = join(variables(named));
    ASSERT_FALSE(joined) << named.begin()->first;
    std::string sentence = joined.error().sentence();
    EXPECT_NE(sentence.find("to run alone, unset it ('env -u " + named.rbegin()->first),
              std::string::npos)
        << sentence;
  }
}

TEST(Starters, MayHaveStartedNobodyElse) {
  for (const Named& named : {Named{}, Named{{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}}) {
    auto joined = join(variables(named));
    ASSERT_TRUE(joined) << joined.error().sentence();
    EXPECT_EQ(joined->place.size, 1U);
  }
}

}  // namespace
}  // namespace verbena::job
