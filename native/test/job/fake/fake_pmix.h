// SPDX-License-Identifier: Apache-2.0
//
// A libpmix whose clients are the threads of one process. It does what the test says.
#pragma once

#include <cstdint>

struct FakePmix {
  const char* version = "OpenPMIx 4.2.2, made up";
  uint32_t size = 1;
  uint32_t localSize = 1;
  int initStatus = 0;
  bool fenceEnds = true;
  bool keepsTexts = true;
  bool knowsPlaces = true;  ///< not of the second program of a rank
  uint32_t begun = 0;       ///< how many sessions
  uint32_t finished = 0;    ///< and how many of them have said goodbye
};

extern "C" {
/// What it is to do; and all that it knows is forgotten.
using FakePmixReset = FakePmix& (*)();
/// The rank that the calling thread is to be.
using FakePmixBe = void (*)(uint32_t rank);
}
