// Goal:   the text of an operation is the operation: what is written is read back equal, and what
// no
//         operation writes is refused with a word on what was expected.
// Method: every kind with every part there and missing, random operations with hostile keys, a
// table of
//         wrong lines, and numbers that ask for more memory than a line may.
#include "suites/support/operation.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/rng.h"
#include "suites/support/text_reader.h"

namespace kiban::suites {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

std::string TextOf(const Operation& operation) {
  std::string text;
  AppendText(text, operation);
  return text;
}

TEST(Operation, HasOneTextPerKind) {
  const std::vector<std::string> lines = {
      "1 put \"k07\" 100 sync",
      "2 put \"\" 0",
      "3 delete \"k07\"",
      "4 delete \"k07\" sync",
      "5 batch put \"a\" 10 delete \"b\" put \"put\" 0 delete \"sync\" sync",
      "6 batch delete \"a\"",
      "7 get \"k07\"",
      "8 get \"k07\" at 12",
      "9 scan \"\" forward limit 0",
      "10 scan \"a\" to \"b\" reverse limit 4294967295 at 12",
      "11 latest \"k\" limit 5",
      "12 snapshot",
      "13 release 12",
      "14 sync",
      "15 flush",
      "16 compact",
      "17 reopen",
      "17 reopen abrupt",
      "18 reopen abrupt block_bytes=256",
      "18 reopen block_bytes=256 write_buffer_bytes=18446744073709551615",
      "19 cursor \"\" moves",
      "20 cursor \"a\" to \"b\" at 12 moves first last seek \"\" seek-for-prev \"x y\" next prev",
      "21 by 3 put \"k07\" 100 sync",
      "4294967295 put \"k\"+'x'*90000 1",
  };
  std::set<OpKind> kinds;
  for (const std::string& line : lines) {
    const auto operation = ParseOperation(line);
    ASSERT_TRUE(operation.ok()) << line << ": " << operation.status();
    EXPECT_EQ(TextOf(*operation), line);
    kinds.insert(operation->kind);
  }
  EXPECT_EQ(kinds.size(), static_cast<size_t>(OpKind::kCursor) + 1);
}

TEST(Operation, ReadsWhatAPersonMayWrite) {
  const auto operation = ParseOperation("  7\tput  \"\\x6b\"+'\\x00'*2   3  sync ");
  ASSERT_TRUE(operation.ok()) << operation.status();
  EXPECT_EQ(operation->key, "k\0\0"s);
  EXPECT_EQ(TextOf(*operation), "7 put \"k\\x00\\x00\" 3 sync");
}

TEST(Operation, WritesLongRunsShort) {
  Operation get;
  get.id = 1;
  get.key = std::string(90'000, '\'');
  EXPECT_EQ(TextOf(get), "1 get \"\"+'\\''*90000");
  get.key = "\"\\" + std::string(90'000, '\xff');
  EXPECT_EQ(TextOf(get), "1 get \"\\\"\\\\\"+'\\xff'*90000");
  get.key = std::string(64, 'x');
  EXPECT_EQ(TextOf(get), "1 get \"" + get.key + "\"");
}

// Bytes that mean something in the text, borders of what is printable, and runs.
std::string HostileKey(sim::Rng& dice) {
  constexpr std::string_view kBytes("\"\\'+*x0 \t\n\x00\x1f\x7f\x80\xff=", 16);
  std::string key;
  const uint64_t parts = dice.Below(4);
  for (uint64_t i = 0; i < parts; ++i) {
    const char c = kBytes[dice.Below(kBytes.size())];
    const bool is_run = dice.Chance(1, 4);
    key.append(is_run ? dice.Between(14, 100) : dice.Between(1, 3), c);
  }
  return key;
}

Operation HostileOperation(uint32_t id, sim::Rng& dice) {
  Operation operation;
  operation.id = id;
  operation.kind = static_cast<OpKind>(dice.Below(static_cast<uint64_t>(OpKind::kCursor) + 1));
  const auto has = [&](std::initializer_list<OpKind> kinds) {
    return std::find(kinds.begin(), kinds.end(), operation.kind) != kinds.end();
  };
  using enum OpKind;
  if (has({kPut, kDelete, kGet, kScan, kLatest, kCursor})) operation.key = HostileKey(dice);
  if (has({kPut, kDelete, kBatch}) && dice.Chance(1, 2)) {
    operation.durability = Durability::kSynced;
  }
  if (has({kPut})) operation.value_bytes = static_cast<uint32_t>(dice.Below(kValueBytesMax + 1));
  if (has({kScan, kCursor}) && dice.Chance(1, 2)) operation.to = HostileKey(dice);
  if (has({kScan}) && dice.Chance(1, 2)) operation.direction = Direction::kReverse;
  if (has({kScan, kLatest})) operation.limit = static_cast<uint32_t>(dice.Next());
  if (has({kGet, kScan, kLatest, kCursor, kRelease})) {
    const bool is_now = !has({kRelease}) && dice.Chance(1, 2);
    if (!is_now) operation.snapshot = static_cast<uint32_t>(dice.Between(1, UINT32_MAX));
  }
  for (uint64_t i = has({kBatch}) ? dice.Between(1, 5) : 0; i > 0; --i) {
    BatchItem item{HostileKey(dice), std::nullopt};
    if (dice.Chance(1, 2)) item.value_bytes = static_cast<uint32_t>(dice.Below(1000));
    operation.batch.push_back(item);
  }
  for (uint64_t i = has({kCursor}) ? dice.Below(6) : 0; i > 0; --i) {
    CursorMove move{static_cast<MoveKind>(dice.Below(6)), {}};
    const bool seeks = move.kind == MoveKind::kSeek || move.kind == MoveKind::kSeekForPrev;
    if (seeks) move.key = HostileKey(dice);
    operation.moves.push_back(move);
  }
  for (uint64_t i = has({kReopen}) ? dice.Below(4) : 0; i > 0; --i) {
    const uint64_t number = dice.Next();
    operation.options["option_" + std::to_string(i)] = number;
  }
  return operation;
}

TEST(Operation, IsReadBackAsItWasWritten) {
  const sim::Rng rng(1);
  for (uint32_t id = 1; id <= 5'000; ++id) {
    sim::Rng dice = rng.Fork(id);
    const Operation operation = HostileOperation(id, dice);
    const std::string text = TextOf(operation);
    ASSERT_EQ(text.find_first_of("\n\t"), std::string::npos) << text;
    const auto read = ParseOperation(text);
    ASSERT_TRUE(read.ok()) << text << ": " << read.status();
    ASSERT_EQ(*read, operation) << text;
  }
}

// Most are no operation, and some are another; none may crash or read past the end.
TEST(Operation, SurvivesEveryCutAndChangedByte) {
  const sim::Rng rng(2);
  uint64_t refused = 0;
  for (uint32_t id = 1; id <= 200; ++id) {
    sim::Rng dice = rng.Fork(id);
    const std::string text = TextOf(HostileOperation(id, dice));
    for (size_t at = 0; at < text.size(); ++at) {
      std::string changed = text;
      changed[at] = static_cast<char>(dice.Next());
      refused += ParseOperation(changed).ok() ? 0 : 1;
      refused += ParseOperation(std::string_view(text).substr(0, at)).ok() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 1000u);
}

TEST(Operation, SaysWhatItExpected) {
  struct Wrong {
    std::string line;
    std::string expected;
  };
  const std::vector<Wrong> wrongs = {
      {"", "an operation's id from 1"},
      {"0 sync", "an operation's id from 1"},
      {"x sync", "found \"x sync\""},
      {"4294967296 sync", "to 4294967295 in column 1"},
      {"1", "compact, reopen or cursor in column 2, where the line ends"},
      {"1 put", "a key in double quotes"},
      {"1 put k 1", "a key in double quotes in column 7, found \"k 1\""},
      {"1 put \"k", "a closing double quote"},
      {"1 put \"k\"", "a value's length from 0 to 16777216"},
      {"1 put \"k\" 16777217", "a value's length from 0 to 16777216"},
      {"1 put \"k\" -1", "a value's length"},
      {"1 put \"k\" 1x", "a value's length"},
      {"1 put \"k\" 1 synced", "the end of the line in column 13, found \"synced\""},
      {"1 put \"k\"1", "a blank after the key"},
      {"1 put \"\\y\" 1", "an escape"},
      {"1 put \"\\x0\" 1", "an escape"},
      {"1 put \"\\x0G\" 1", "an escape"},
      {"1 put \"\x80\" 1", "a printable byte or \\xNN"},
      {"1 get \"k\"+", "a run of one byte"},
      {"1 get \"k\"+'x", "a run of one byte"},
      {"1 get \"k\"+'x'", "a run of one byte"},
      {"1 get \"k\"+'x'*", "a length from 0"},
      {"1 get \"k\" at 0", "a snapshot operation's id from 1"},
      {"1 get \"k\" sync", "the end of the line"},
      {"1 batch", "put or delete"},
      {"1 batch get \"k\"", "put or delete"},
      {"1 scan \"a\" limit 1", "to, forward or reverse"},
      {"1 scan \"a\" forward", "limit"},
      {"1 latest \"a\"", "limit"},
      {"1 release", "a snapshot operation's id"},
      {"1 sync now", "the end of the line"},
      {"1 reopen block_bytes", "an option as in"},
      {"1 reopen =1", "an option as in"},
      {"1 reopen a=1 a=2", "each option once"},
      {"1 reopen a=18446744073709551616", "an option as in"},
      {"1 cursor \"a\"", "to, at or moves"},
      {"1 cursor \"a\" moves jump", "first, last, seek, seek-for-prev, next or prev"},
      {"1 cursor \"a\" moves seek next", "a key in double quotes"},
  };
  for (const Wrong& wrong : wrongs) {
    const auto operation = ParseOperation(wrong.line);
    ASSERT_FALSE(operation.ok()) << wrong.line;
    EXPECT_EQ(operation.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(operation.status().message()), HasSubstr(wrong.expected)) << wrong.line;
  }
  const auto unknown = ParseOperation("1 putt \"k\" 1");
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("put, delete, batch, get"));
}

TEST(Operation, AsksForNoMoreMemoryThanALineMay) {
  EXPECT_TRUE(ParseOperation("1 get \"\"+'x'*1048576").ok());
  EXPECT_FALSE(ParseOperation("1 get \"\"+'x'*1048577").ok());
  EXPECT_FALSE(ParseOperation("1 get \"xx\"+'x'*1048575").ok());
  EXPECT_FALSE(ParseOperation("1 get \"\"+'x'*18446744073709551615").ok());
  std::string keys = "1 batch";
  for (int i = 0; i < 16; ++i) keys += " delete \"\"+'x'*1048576";
  EXPECT_TRUE(ParseOperation(keys).ok());
  EXPECT_FALSE(ParseOperation(keys + " delete \"x\"").ok());
  EXPECT_TRUE(ParseOperation("1 batch put \"a\" 8388608 put \"b\" 8388608").ok());
  EXPECT_FALSE(ParseOperation("1 batch put \"a\" 8388608 put \"b\" 8388609").ok());
}

TEST(Options, AreReadBackAsTheyWereWritten) {
  EXPECT_EQ(FormatOptions({}), "");
  const EngineOptions options = {{"b", 0}, {"a", UINT64_MAX}};
  EXPECT_EQ(FormatOptions(options), "a=18446744073709551615 b=0");
  ASSERT_TRUE(ParseOptions(FormatOptions(options)).ok());
  EXPECT_EQ(*ParseOptions(FormatOptions(options)), options);
  EXPECT_TRUE(ParseOptions("").value().empty());
  EXPECT_FALSE(ParseOptions("a=1,b=2").ok());
}

TEST(ValueOf, BeginsWithWhoWroteItAndDiffersEverywhere) {
  EXPECT_EQ(ValueOf(12, 3, 5), "12.3:");
  EXPECT_EQ(ValueOf(12, 3, 2), "12");
  EXPECT_EQ(ValueOf(12, 3, 0), "");
  std::set<std::string> values;
  for (uint32_t id = 1; id <= 100; ++id) {
    for (uint32_t index = 0; index < 10; ++index) {
      const std::string value = ValueOf(id, index, 100);
      EXPECT_EQ(value.size(), 100u);
      EXPECT_EQ(value.substr(0, 20), ValueOf(id, index, 20));
      values.insert(value.substr(10));
    }
  }
  EXPECT_EQ(values.size(), 1000u);
}

}  // namespace
}  // namespace kiban::suites
