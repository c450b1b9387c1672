// SPDX-License-Identifier: Apache-2.0
//
// MTCL's teams over Verbena: four processes broadcast, scatter, gather and exchange, with messages
// from a byte for each to several rings.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "verbena/mtcl.hpp"

namespace {

constexpr int kMembers = 4;
constexpr const char* kEveryone = "member0:member1:member2:member3";
constexpr const char* kRoot = "member0";
constexpr int kRounds = 20;
constexpr std::size_t kSizes[] = {kMembers, 4096, 1 << 20};  // of all parts together

using Bytes = std::vector<char>;

/// What one sends to another, or to all.
char letter(int from, int to, int round) {
  return static_cast<char>(1 + from + kMembers * to + kMembers * kMembers * (round % 7));
}

/// A part for each, from one.
Bytes partsOf(int from, std::size_t bytes, int round) {
  Bytes parts;
  for (int to = 0; to < kMembers; to++) {
    parts.insert(parts.end(), bytes / kMembers, letter(from, to, round));
  }
  return parts;
}

/// A part from each, to one.
Bytes partsFor(int to, std::size_t bytes, int round) {
  Bytes parts;
  for (int from = 0; from < kMembers; from++) {
    parts.insert(parts.end(), bytes / kMembers, letter(from, to, round));
  }
  return parts;
}

/// What a member gives in, and what it gets.
struct Exchange {
  Bytes sent;
  Bytes expected;
};

Exchange exchangeOf(MTCL::HandleType kind, int rank, std::size_t bytes, int round) {
  bool isRoot = rank == 0;
  switch (kind) {
    case MTCL::MTCL_BROADCAST: {
      Bytes all(bytes, letter(0, 0, round));
      return {isRoot ? all : Bytes(), all};
    }
    case MTCL::MTCL_SCATTER:
      return {isRoot ? partsOf(0, bytes, round) : Bytes(),
              Bytes(bytes / kMembers, letter(0, rank, round))};
    case MTCL::MTCL_GATHER:  // who gets nothing has room for it, too
      return {Bytes(bytes / kMembers, letter(rank, 0, round)),
              isRoot ? partsFor(0, bytes, round) : Bytes(bytes)};
    default: return {partsOf(rank, bytes, round), partsFor(rank, bytes, round)};
  }
}

/// How often what came was wrong.
int wrongIn(MTCL::HandleType kind) {
  MTCL::HandleUser team = MTCL::Manager::createTeam(kEveryone, kRoot, kind);
  if (!team.isValid()) return 1;
  int wrong = 0;
  for (int round = 0; round < kRounds; round++) {
    for (std::size_t bytes : kSizes) {
      Exchange exchange = exchangeOf(kind, team.getTeamRank(), bytes, round);
      Bytes got(exchange.expected.size());
      ssize_t came =
          team.sendrecv(exchange.sent.data(), exchange.sent.size(), got.data(), got.size());
      if (came <= 0 || got != exchange.expected) wrong++;
    }
  }
  team.close();
  return wrong;
}

int takePart(const std::string& name, const std::string& configuration) {
  MTCL::Manager::registerType<verbena::mtcl::ConnVerbena>("VERBENA");
  if (MTCL::Manager::init(name, configuration) != 0) return 1;
  int wrong = 0;
  for (MTCL::HandleType kind :
       {MTCL::MTCL_BROADCAST, MTCL::MTCL_SCATTER, MTCL::MTCL_GATHER, MTCL::MTCL_ALLTOALL}) {
    int some = wrongIn(kind);
    if (some != 0)
      std::fprintf(stderr, "%s: operation %d was wrong %d times\n", name.c_str(), kind, some);
    wrong += some;
  }
  MTCL::Manager::finalize(true);
  return wrong == 0 ? 0 : 1;
}

/// One listens, the others connect with it.
void describe(const std::string& path) {
  std::ofstream file(path);
  file << R"({"components" : [)";
  for (int member = 0; member < kMembers; member++) {
    file << (member == 0 ? "" : ",") << R"({"name" : "member)" << member
         << R"(", "host" : "localhost", "protocols" : ["VERBENA"])"
         << (member == 0 ? R"(, "listen-endpoints" : ["VERBENA:localhost:13591"])" : "") << "}";
  }
  file << "]}";
}

}  // namespace

int main() {
  char folder[] = "/tmp/mtcl-teams-XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  std::string configuration = std::string(folder) + "/teams.json";
  describe(configuration);
  for (int member = 0; member < kMembers; member++) {
    if (fork() == 0) _exit(takePart("member" + std::to_string(member), configuration));
  }
  int failures = 0;
  int status = 0;
  while (wait(&status) > 0) failures += status != 0 ? 1 : 0;
  unlink(configuration.c_str());
  rmdir(folder);
  std::printf("%d of %d processes got what was sent\n", kMembers - failures, kMembers);
  return failures == 0 ? 0 : 1;
}
