// Goal:   what the host says is taken as it is, and what it does not say clearly is not known.
// Method: a directory stands for the root of a host, with the files that Linux would show there:
//         one good host, then one thing changed at a time. Last, the host of the test itself.
#include "engine/posix/host_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/posix/temporary_dir.h"

namespace kiban::posix {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Bytes = std::optional<uint64_t>;

constexpr Bytes kUnknown = std::nullopt;

// A host of 8,000 kB whose process is in /outer/inner, with a limit on each but the root.
class FakeHost : public testing::Test {
 protected:
  FakeHost() : root_(TemporaryDir::Make().value()) {
    Write("proc/meminfo", "MemTotal:        8000 kB\nMemFree:         4000 kB\n");
    Write("proc/self/cgroup", "0::/outer/inner\n");
    Write("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n");
    Write("sys/fs/cgroup/outer/memory.max", "2000000\n");
    Write("sys/fs/cgroup/outer/inner/memory.max", "3000000\n");
  }

  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path whole = root_.path() + "/" + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }
  void Remove(const std::string& path) {
    ASSERT_TRUE(std::filesystem::remove(root_.path() + "/" + path)) << path;
  }
  HostMemory Read() const { return ReadHostMemory(root_.path()); }

 private:
  TemporaryDir root_;
};

TEST_F(FakeHost, SaysItsMemoryAndTheLimitsFromTheInnermostGroupOut) {
  EXPECT_EQ(Read().physical_bytes, 8000u * 1024);
  EXPECT_THAT(Read().limits_bytes, ElementsAre(3000000u, 2000000u));
}

TEST_F(FakeHost, LeavesOutGroupsWithoutALimit) {
  Write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(2000000u));
  Write("sys/fs/cgroup/outer/memory.max", "max\n");
  EXPECT_THAT(Read().limits_bytes, IsEmpty());
}

TEST_F(FakeHost, HasNoLimitInTheRootOfAllGroups) {
  Write("proc/self/cgroup", "0::/\n");
  EXPECT_THAT(Read().limits_bytes, IsEmpty());
}

TEST_F(FakeHost, HasALimitInTheRootThatAContainerSees) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/memory.max", "5000000\n");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(5000000u));
  Write("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_THAT(Read().limits_bytes, IsEmpty());
}

TEST_F(FakeHost, DoesNotKnowAGroupWhoseLimitIsMissingOrUnclear) {
  Remove("sys/fs/cgroup/outer/memory.max");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(3000000u, kUnknown));
  for (const char* unclear : {"", "\n", "maximum\n", "-1\n", "12 kB\n", "18446744073709551616\n"}) {
    Write("sys/fs/cgroup/outer/memory.max", unclear);
    EXPECT_THAT(Read().limits_bytes, ElementsAre(3000000u, kUnknown)) << unclear;
  }
}

TEST_F(FakeHost, DoesNotKnowALimitThatCannotBeRead) {
  Remove("sys/fs/cgroup/outer/memory.max");
  // A directory opens, but read() fails: so does a group that goes away between the two.
  Write("sys/fs/cgroup/outer/memory.max/file", "");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(3000000u, kUnknown));
  Write("sys/fs/cgroup/memory.max/file", "");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(3000000u, kUnknown, kUnknown));
}

TEST_F(FakeHost, DoesNotKnowAGroupThatIsGoneOrOutOfSight) {
  Write("proc/self/cgroup", "0::/outer/gone (deleted)\n");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(kUnknown, 2000000u));
  for (const char* unclear : {"0::/../elsewhere\n", "0::\n", "0::outer\n", ""}) {
    Write("proc/self/cgroup", unclear);
    EXPECT_THAT(Read().limits_bytes, ElementsAre(kUnknown)) << unclear;
  }
  Remove("proc/self/cgroup");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(kUnknown));
}

TEST_F(FakeHost, DoesNotKnowLimitsOfVersion1) {
  Remove("sys/fs/cgroup/cgroup.controllers");
  Write("proc/self/cgroup", "4:memory:/outer\n1:cpu:/\n0::/\n");
  Write("sys/fs/cgroup/memory/outer/memory.limit_in_bytes", "2000000\n");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(kUnknown));
}

TEST_F(FakeHost, DoesNotKnowLimitsOfAVersion2ThatDoesNotControlMemory) {
  for (const char* others : {"", "\n", "cpu pids\n", "memory2 xmemory\n"}) {
    Write("sys/fs/cgroup/cgroup.controllers", others);
    EXPECT_THAT(Read().limits_bytes, ElementsAre(kUnknown)) << others;
  }
  for (const char* named : {"memory", "memory\n", "cpu memory\n", "memory pids\n"}) {
    Write("sys/fs/cgroup/cgroup.controllers", named);
    EXPECT_THAT(Read().limits_bytes, ElementsAre(3000000u, 2000000u)) << named;
  }
}

TEST_F(FakeHost, FindsItsGroupAmongThoseOfVersion1) {
  Write("proc/self/cgroup", "9:name=systemd:/x\n0::/outer\n");
  EXPECT_THAT(Read().limits_bytes, ElementsAre(2000000u));
}

TEST_F(FakeHost, DoesNotKnowItsMemoryUnlessLinuxSaysItClearly) {
  for (const char* unclear :
       {"", "MemFree: 8000 kB\n", "MemTotal:\n", "MemTotal: kB\n", "MemTotal: 8000\n",
        "MemTotal: 8000 MB\n", "MemTotal: -1 kB\n", "MemTotal: 18014398509481984 kB\n"}) {
    Write("proc/meminfo", unclear);
    EXPECT_EQ(Read().physical_bytes, kUnknown) << unclear;
  }
  Write("proc/meminfo", "MemTotal: 18014398509481983 kB\n");
  EXPECT_EQ(Read().physical_bytes, UINT64_MAX - 1023);
  Remove("proc/meminfo");
  EXPECT_EQ(Read().physical_bytes, kUnknown);
  EXPECT_THAT(Read().limits_bytes, ElementsAre(3000000u, 2000000u));
}

TEST(HostMemory, OfThisHostIsKnown) {
  const HostMemory memory = ReadHostMemory();
  ASSERT_TRUE(memory.physical_bytes.has_value());
  EXPECT_GT(*memory.physical_bytes, 16u << 20);
}

}  // namespace
}  // namespace kiban::posix
