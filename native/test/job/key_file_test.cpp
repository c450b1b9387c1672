// SPDX-License-Identifier: Apache-2.0
#include "job/key_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace verbena::job {
namespace {

class KeyFiles : public ::testing::Test {
 protected:
  KeyFiles() {
    std::string pattern = std::filesystem::temp_directory_path() / "vbn-key-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~KeyFiles() override { std::filesystem::remove_all(folder_); }

  std::string with(const std::string& text, mode_t mode) {
    std::string path = folder_ + "/key";
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }

  std::string folder_;
};

TEST_F(KeyFiles, AreTheirUsersAlone) {
  std::string path = folder_ + "/new";
  auto key = freshKey();
  ASSERT_TRUE(key);
  ASSERT_TRUE(writeKeyFile(path, *key));
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(readKeyFile(path).value(), *key);
}

TEST_F(KeyFiles, ThatAreThereAreNotWrittenOver) {
  std::string path = with("an old key, which is long", 0600);
  EXPECT_FALSE(writeKeyFile(path, "a new key, which is long"));
  EXPECT_EQ(readKeyFile(path).value(), "an old key, which is long");
}

TEST_F(KeyFiles, HaveNewKeysEachTime) {
  EXPECT_EQ(freshKey().value().size(), 64U);
  EXPECT_NE(freshKey().value(), freshKey().value());
}

/// As nodes in Java read them.
TEST_F(KeyFiles, AreReadWithoutTheWhiteSpaceAround) {
  EXPECT_EQ(readKeyFile(with("\n a key of 16 byte \r\n\n", 0600)).value(), "a key of 16 byte");
}

TEST_F(KeyFiles, AreRefusedWithAKeyThatIsTooShortOrTooLong) {
  auto hasSentence = [&](const std::string& key, const char* part) {
    std::string sentence = readKeyFile(with(key, 0600)).error().sentence();
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(key), std::string::npos) << "it tells the key";
  };
  hasSentence("fifteen bytes..", "it holds a key of 15 bytes; expected at least 16");
  hasSentence(std::string(4097, 'k'), "a key has at most 4096 bytes");
  EXPECT_TRUE(readKeyFile(with(std::string(4096, 'k'), 0600)));
}

TEST_F(KeyFiles, ThatOthersMayUseAreRefused) {
  for (mode_t mode : {0640U, 0604U, 0620U, 0777U}) {
    std::string path = with("key", mode);
    EXPECT_NE(readKeyFile(path).error().sentence().find("run 'chmod 600 " + path + "'"),
              std::string::npos);
  }
}

TEST_F(KeyFiles, OfAnotherUserAreRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  std::string path = with("key", 0600);
  ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  EXPECT_NE(readKeyFile(path).error().sentence().find("it belongs to another user"),
            std::string::npos);
}

TEST_F(KeyFiles, WithoutAKeyAreRefused) {
  EXPECT_NE(readKeyFile(with(" \n", 0600)).error().sentence().find("a key of 0 bytes"),
            std::string::npos);
  EXPECT_NE(readKeyFile(folder_ + "/none").error().sentence().find("ENOENT"), std::string::npos);
}

}  // namespace
}  // namespace verbena::job
