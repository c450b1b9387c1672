// SPDX-License-Identifier: Apache-2.0
#include "steering.h"

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <span>

namespace verbena::ip {
namespace {

using base::FileDescriptor;

int bpf(bpf_cmd command, bpf_attr& attributes) {
  return static_cast<int>(syscall(SYS_bpf, command, &attributes, sizeof attributes));
}

uint64_t addressOf(const void* memory) {
  return reinterpret_cast<uintptr_t>(memory);
}

/// struct bpf_insn on a little-endian host.
using Instruction = uint64_t;

constexpr Instruction make(unsigned code, unsigned to, unsigned from, int16_t offset,
                           int32_t value) {
  return code | to << 8 | from << 12 | uint64_t{static_cast<uint16_t>(offset)} << 16 |
         uint64_t{static_cast<uint32_t>(value)} << 32;
}
constexpr Instruction call(int function) {
  return make(BPF_JMP | BPF_CALL, 0, 0, 0, function);
}
constexpr Instruction copy(unsigned to, unsigned from) {
  return make(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}
constexpr Instruction kExit = make(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);

FileDescriptor load(std::span<const Instruction> program) {
  bpf_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
  attributes.insns = addressOf(program.data());
  attributes.insn_cnt = static_cast<uint32_t>(program.size());
  attributes.license = addressOf("Apache-2.0");
  return FileDescriptor(bpf(BPF_PROG_LOAD, attributes));
}

}  // namespace

FileDescriptor loadByProcessor() {
  constexpr Instruction kProgram[] = {call(BPF_FUNC_get_smp_processor_id), kExit};
  return load(kProgram);
}

/// The count lies in a map of one number. The kernel takes the rest of a division by the number of
/// queues.
FileDescriptor loadRoundRobin() {
  bpf_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.map_type = BPF_MAP_TYPE_ARRAY;
  attributes.key_size = sizeof(uint32_t);
  attributes.value_size = sizeof(uint64_t);
  attributes.max_entries = 1;
  FileDescriptor map(bpf(BPF_MAP_CREATE, attributes));  // the program keeps it
  if (!map) return map;
  const Instruction program[] = {
      // the key, 0, on the stack
      make(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, 0),
      copy(BPF_REG_2, BPF_REG_10),
      make(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4),
      make(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map.get()),
      0,  // the second half of the former
      call(BPF_FUNC_map_lookup_elem),
      // none: queue 0
      make(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 1, 0),
      kExit,
      make(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_1, 0, 0, 1),
      make(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1, 0, BPF_ADD | BPF_FETCH),
      copy(BPF_REG_0, BPF_REG_1),
      kExit,
  };
  return load(program);
}

}  // namespace verbena::ip
