// What MemoryEnv has beyond the contract that env_contract_test.cc asks of it.
#include "engine/memory/memory_env.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/base/bytes.h"

namespace kiban::memory {
namespace {

using engine::OpenMode;
using testing::ElementsAre;

void Append(MemoryEnv& world, std::string_view path, std::string_view text, OpenMode mode) {
  const auto file = world.env().files->Open(path, mode);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE((*file)->Append(base::AsBytes(text)).ok());
}

std::string Content(MemoryEnv& world, std::string_view path) {
  const auto file = world.env().files->Open(path, OpenMode::kRead);
  if (!file.ok()) return std::string(file.status().message());
  std::string text(100, '?');
  text.resize((*file)->ReadAt(0, std::as_writable_bytes(std::span(text))).value_or(0));
  return text;
}

TEST(MemoryEnv, ACopyHasTheFilesAndGoesItsOwnWay) {
  MemoryEnv world;
  ASSERT_TRUE(world.env().files->MakeDir("db").ok());
  Append(world, "db/a", "one", OpenMode::kMustCreate);
  ASSERT_TRUE(world.env().files->Link("db/a", "db/b").ok());
  MemoryEnv copy;
  Append(copy, "gone", "", OpenMode::kMustCreate);
  world.CopyFilesTo(copy);

  EXPECT_THAT(copy.env().files->List("").value(), ElementsAre("db"));
  Append(copy, "db/a", " two", OpenMode::kMustExist);
  EXPECT_EQ(Content(copy, "db/b"), "one two");  // Still two names of one file.
  EXPECT_EQ(Content(world, "db/a"), "one");
}

TEST(MemoryEnv, ACopyHasNeitherLocksNorFilesWithoutAName) {
  MemoryEnv world;
  const auto lock = world.env().files->Lock("LOCK");
  const auto open = world.env().files->Open("f", OpenMode::kMustCreate);
  ASSERT_TRUE(world.env().files->Remove("f").ok());
  MemoryEnv copy;
  world.CopyFilesTo(copy);
  EXPECT_THAT(copy.env().files->List("").value(), ElementsAre("LOCK"));
  EXPECT_TRUE(copy.env().files->Lock("LOCK").ok());
  EXPECT_FALSE(world.env().files->Lock("LOCK").ok());
}

TEST(MemoryEnv, TimeAndChanceAreTheSameInEveryWorld) {
  MemoryEnv first;
  MemoryEnv second;
  for (base::Ticks call = 1; call <= 3; ++call) {
    EXPECT_EQ(first.env().clock->MonotonicNow(), call);
    EXPECT_EQ(second.env().clock->MonotonicNow(), call);
    const uint64_t drawn = first.env().random->Next();
    EXPECT_EQ(second.env().random->Next(), drawn);
  }
}

TEST(MemoryEnvDeathTest, MistakesOfTheCallerAreChecked) {
  MemoryEnv world;
  Append(world, "f", "abc", OpenMode::kMustCreate);
  const auto reader = world.env().files->Open("f", OpenMode::kRead);
  EXPECT_DEATH(static_cast<void>((*reader)->Append(base::AsBytes("x"))), "CHECK failed");
  const auto writer = world.env().files->Open("f", OpenMode::kMustExist);
  {
    const auto mapping = (*writer)->Map();
    EXPECT_DEATH(static_cast<void>((*writer)->Truncate(0)), "CHECK failed");
  }
  EXPECT_TRUE((*writer)->Truncate(0).ok());
  EXPECT_TRUE((*writer)->Close().ok());
  EXPECT_DEATH(static_cast<void>((*writer)->Size()), "CHECK failed");
}

}  // namespace
}  // namespace kiban::memory
