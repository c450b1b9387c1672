// SPDX-License-Identifier: Apache-2.0
//
// Protection domains and memory regions.
#include <cerrno>

#include "conformance_test.h"

namespace verbena::conformance {
namespace {

using verbs::MemoryRegion;
using verbs::ProtectionDomain;
using verbs::ShareableMemory;

class Memory : public Conformance {
 protected:
  void SetUp() override {
    Conformance::SetUp();
    pd.emplace(must(ProtectionDomain::allocate(*context)));
  }

  std::optional<ProtectionDomain> pd;
};

TEST_F(Memory, OfTheDeviceIsZeroedAndPageAligned) {
  ShareableMemory memory = must(ShareableMemory::allocate(*context, 10000));
  EXPECT_GE(memory.bytes().size(), 10000U);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.bytes().data()) % 4096, 0U);
  for (std::byte byte : memory.bytes()) ASSERT_EQ(byte, std::byte{0});
}

TEST_F(Memory, IsRegisteredWithKeysOfItsOwn) {
  std::vector<std::byte> bytes(8192);
  MemoryRegion first = must(MemoryRegion::registerRange(*pd, bytes, kAllAccess));
  MemoryRegion second = must(MemoryRegion::registerRange(*pd, bytes, kAllAccess));
  EXPECT_EQ(first.address(), reinterpret_cast<uintptr_t>(bytes.data()));
  EXPECT_EQ(first.get()->length, bytes.size());
  EXPECT_NE(first.lkey(), second.lkey());
  EXPECT_NE(first.rkey(), second.rkey());
}

TEST_F(Memory, ThatMayBeWrittenRemotelyMustBeWritableLocally) {
  std::vector<std::byte> bytes(64);
  for (int access : {IBV_ACCESS_REMOTE_WRITE, IBV_ACCESS_REMOTE_ATOMIC}) {
    ibv_mr* region = pd->provider().reg_mr(pd->get(), bytes.data(), bytes.size(), access);
    int code = errno;
    EXPECT_EQ(region, nullptr) << "access " << access;
    EXPECT_EQ(code, EINVAL);
    if (region != nullptr) pd->provider().dereg_mr(region);
  }
}

TEST_F(Memory, MayBeRegisteredForReadingOnly) {
  std::vector<std::byte> bytes(64);
  EXPECT_TRUE(MemoryRegion::registerRange(*pd, bytes, 0));
  EXPECT_TRUE(MemoryRegion::registerRange(*pd, bytes, IBV_ACCESS_REMOTE_READ));
}

TEST_F(Memory, KeepsItsProtectionDomainFromGoing) {
  std::vector<std::byte> bytes(64);
  ibv_pd* raw = pd->provider().alloc_pd(context->get());
  ASSERT_NE(raw, nullptr);
  ibv_mr* region = pd->provider().reg_mr(raw, bytes.data(), bytes.size(), 0);
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(pd->provider().dealloc_pd(raw), EBUSY);
  EXPECT_EQ(pd->provider().dereg_mr(region), 0);
  EXPECT_EQ(pd->provider().dealloc_pd(raw), 0);
}

}  // namespace
}  // namespace verbena::conformance
