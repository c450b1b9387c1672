// SPDX-License-Identifier: Apache-2.0
#include "verbs/libibverbs.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace verbena::verbs {
namespace {

TEST(Libibverbs, SaysWhichPackagesToInstallWhenItIsMissing) {
  base::Result<Provider> loaded = loadLibibverbs("libibverbs-that-is-not-there.so.1");
  ASSERT_FALSE(loaded);
  std::string sentence = loaded.error().sentence();
  EXPECT_NE(sentence.find("cannot load libibverbs-that-is-not-there.so.1"), std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find("install libibverbs1"), std::string::npos) << sentence;
}

TEST(Libibverbs, RefusesALibraryWithoutTheVersionedSymbols) {
  base::Result<Provider> loaded = loadLibibverbs("libm.so.6");
  ASSERT_FALSE(loaded);
  std::string sentence = loaded.error().sentence();
  EXPECT_NE(sentence.find("it has no ibv_get_device_list@IBVERBS_1.1"), std::string::npos)
      << sentence;
}

TEST(Libibverbs, SetsEveryPointerOfTheProvider) {
  const base::Result<const Provider*>& loaded = libibverbs();
  if (!loaded) GTEST_SKIP() << loaded.error().sentence();
  std::array<void*, sizeof(Provider) / sizeof(void*)> pointers;
  static_assert(sizeof pointers == sizeof(Provider), "a provider holds pointers only");
  std::memcpy(pointers.data(), loaded.value(), sizeof pointers);
  for (size_t i = 0; i < pointers.size(); i++) EXPECT_NE(pointers[i], nullptr) << "member " << i;
}

TEST(Libibverbs, IsLoadedOnce) {
  const base::Result<const Provider*>& first = libibverbs();
  EXPECT_EQ(&first, &libibverbs());
}

}  // namespace
}  // namespace verbena::verbs
