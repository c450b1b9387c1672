// SPDX-License-Identifier: Apache-2.0
//
// The few structures and numbers of PMIx (the PMIx Standard 3.0 to 5.0; its library has them the
// same in versions 3, 4 and 5) that are needed here, so that no header of it is needed to build.
#pragma once

#include <cstddef>
#include <cstdint>

namespace verbena::job::pmix {

using Status = int;
using Rank = uint32_t;

inline constexpr Status kSuccess = 0;
inline constexpr Rank kAllRanks = UINT32_MAX - 1;
inline constexpr uint8_t kToAll = 3;  ///< PMIX_GLOBAL

struct Process {
  char job[256];  ///< its namespace
  Rank rank;
};
static_assert(sizeof(Process) == 260);

enum Type : uint16_t {
  kBool = 1,
  kString = 3,
  kSize = 4,
  kInt = 6,
  kInt32 = 9,
  kInt64 = 10,
  kUint = 11,
  kUint16 = 13,
  kUint32 = 14,
  kUint64 = 15,
  kRank = 40
};

struct Value {
  uint16_t type;
  union {
    bool flag;
    char* string;
    int integer;
    int32_t int32;
    int64_t int64;
    uint16_t uint16;
    uint32_t uint32;
    uint64_t uint64;
    size_t size;
    uint64_t widest[3];  ///< as large as the largest that there may be
  };
};
static_assert(sizeof(Value) == 32 && offsetof(Value, flag) == 8);

struct Info {
  char key[512];
  uint32_t flags;
  Value value;
};
static_assert(sizeof(Info) == 552 && offsetof(Info, value) == 520);

inline constexpr const char* kCollect = "pmix.collect";
inline constexpr const char* kJobSize = "pmix.job.size";
inline constexpr const char* kLocalRankOf = "pmix.lrank";
inline constexpr const char* kLocalSizeOf = "pmix.local.size";

extern "C" {
using Done = void (*)(Status status, void* what);
using Init = Status (*)(Process* self, Info* infos, size_t count);
using Finalize = Status (*)(const Info* infos, size_t count);
using Get = Status (*)(const Process* of, const char* key, const Info* infos, size_t count,
                       Value** value);
using Put = Status (*)(uint8_t scope, const char* key, Value* value);
using Commit = Status (*)();
using FenceNb = Status (*)(const Process* processes, size_t processCount, const Info* infos,
                           size_t count, Done done, void* what);
using GetVersion = const char* (*)();
using ErrorString = const char* (*)(Status status);
}

}  // namespace verbena::job::pmix
