// Goal:   what engine/env.h says of files, names, locks, time and chance while nothing fails.
// Method: one short story a case, told only through the seam, so that any world can be asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/base/bytes.h"
#include "engine/env_contract.h"

namespace kiban::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kExists = absl::StatusCode::kAlreadyExists;
constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kMissing = absl::StatusCode::kNotFound;
constexpr auto kRefused = absl::StatusCode::kFailedPrecondition;

const std::string kZero(1, '\0');

// Opens a file that must open.
std::unique_ptr<File> MustOpen(const Env& env, std::string_view path, OpenMode mode) {
  auto file = env.files->Open(path, mode);
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? *std::move(file) : nullptr;
}

absl::StatusCode OpenCode(const Env& env, std::string_view path, OpenMode mode) {
  return env.files->Open(path, mode).status().code();
}

std::string Content(File& file) {
  const auto size = file.Size();
  EXPECT_TRUE(size.ok()) << size.status();
  std::string text(static_cast<size_t>(size.value_or(0)) + 1, '?');  // One more: the end must show.
  const auto count = file.ReadAt(0, std::as_writable_bytes(std::span(text)));
  EXPECT_TRUE(count.ok()) << count.status();
  text.resize(count.value_or(0));
  return text;
}

std::string Content(const Env& env, std::string_view path) {
  const auto file = MustOpen(env, path, OpenMode::kRead);
  return file == nullptr ? "(does not open)" : Content(*file);
}

std::string Content(const Mapping& mapping) { return std::string(base::AsText(mapping.bytes())); }

void Write(const Env& env, std::string_view path, std::string_view text) {
  const auto file = MustOpen(env, path, OpenMode::kTruncate);
  ASSERT_NE(file, nullptr);
  EXPECT_TRUE(file->Append(base::AsBytes(text)).ok());
  EXPECT_TRUE(file->Close().ok());
}

std::vector<std::string> Names(const Env& env, std::string_view dir) {
  const auto names = env.files->List(dir);
  EXPECT_TRUE(names.ok()) << names.status();
  return names.value_or(std::vector<std::string>{"(no list)"});
}

// Opening.

void MissingFilesOpenOnlyToBeMade(const Env& env) {
  EXPECT_EQ(OpenCode(env, "f", OpenMode::kRead), kMissing);
  EXPECT_EQ(OpenCode(env, "f", OpenMode::kMustExist), kMissing);
  EXPECT_THAT(Names(env, ""), IsEmpty());
  EXPECT_TRUE(env.files->Open("f", OpenMode::kMustCreate).ok());
  EXPECT_TRUE(env.files->Open("g", OpenMode::kTruncate).ok());
  EXPECT_THAT(Names(env, ""), ElementsAre("f", "g"));
}

void ExistingFilesAreKeptRefusedOrEmptied(const Env& env) {
  Write(env, "f", "abc");
  EXPECT_EQ(OpenCode(env, "f", OpenMode::kMustCreate), kExists);
  EXPECT_EQ(Content(*MustOpen(env, "f", OpenMode::kRead)), "abc");
  EXPECT_EQ(Content(*MustOpen(env, "f", OpenMode::kMustExist)), "abc");
  EXPECT_EQ(Content(*MustOpen(env, "f", OpenMode::kTruncate)), "");
  EXPECT_EQ(Content(env, "f"), "");
}

void EmptyingAFileShowsThroughEveryHandle(const Env& env) {
  Write(env, "f", "abc");
  const auto before = MustOpen(env, "f", OpenMode::kRead);
  const auto now = MustOpen(env, "f", OpenMode::kTruncate);
  EXPECT_EQ(Content(*before), "");
  EXPECT_TRUE(now->Append(base::AsBytes("d")).ok());
  EXPECT_EQ(Content(*before), "d");
}

// Reading and writing.

void ReadsAreShortOnlyAtTheEnd(const Env& env) {
  Write(env, "f", "0123456789");
  const auto file = MustOpen(env, "f", OpenMode::kRead);
  std::string out(4, '?');
  const auto bytes = std::as_writable_bytes(std::span(out));
  EXPECT_EQ(file->ReadAt(3, bytes).value_or(99), 4u);
  EXPECT_EQ(out, "3456");
  EXPECT_EQ(file->ReadAt(8, bytes).value_or(99), 2u);
  EXPECT_EQ(out, "8956");
  EXPECT_EQ(file->ReadAt(10, bytes).value_or(99), 0u);
  EXPECT_EQ(file->ReadAt(11, bytes).value_or(99), 0u);
  EXPECT_EQ(file->ReadAt(UINT64_MAX, bytes).value_or(99), 0u);
  EXPECT_EQ(file->ReadAt(3, {}).value_or(99), 0u);
  EXPECT_EQ(out, "8956");
}

void GapsReadAsZeros(const Env& env) {
  const auto file = MustOpen(env, "f", OpenMode::kMustCreate);
  EXPECT_TRUE(file->WriteAt(10'000, base::AsBytes("x")).ok());
  EXPECT_EQ(Content(*file), std::string(10'000, '\0') + "x");
  EXPECT_TRUE(file->WriteAt(5'000, base::AsBytes("yz")).ok());
  EXPECT_EQ(Content(*file), std::string(5'000, '\0') + "yz" + std::string(4'998, '\0') + "x");
}

void WritesHarmNothingBesideThem(const Env& env) {
  Write(env, "f", "0123456789");
  const auto file = MustOpen(env, "f", OpenMode::kMustExist);
  EXPECT_TRUE(file->WriteAt(3, base::AsBytes("abc")).ok());
  EXPECT_EQ(Content(*file), "012abc6789");
  EXPECT_TRUE(file->WriteAt(9, base::AsBytes("de")).ok());
  EXPECT_EQ(Content(*file), "012abc678de");
}

void EmptyWritesChangeNothing(const Env& env) {
  Write(env, "f", "abc");
  const auto file = MustOpen(env, "f", OpenMode::kMustExist);
  EXPECT_TRUE(file->WriteAt(100, {}).ok());
  EXPECT_TRUE(file->Append({}).ok());
  EXPECT_EQ(Content(*file), "abc");
}

void AppendsGoToThePresentEnd(const Env& env) {
  const auto first = MustOpen(env, "f", OpenMode::kMustCreate);
  const auto second = MustOpen(env, "f", OpenMode::kMustExist);
  EXPECT_TRUE(first->Append(base::AsBytes("one ")).ok());
  EXPECT_TRUE(second->Append(base::AsBytes("two ")).ok());
  EXPECT_TRUE(first->Append(base::AsBytes("three")).ok());
  EXPECT_EQ(Content(*second), "one two three");
  EXPECT_TRUE(first->Truncate(4).ok());
  EXPECT_TRUE(second->Append(base::AsBytes("more")).ok());
  EXPECT_EQ(Content(*first), "one more");
}

void LargeWritesArriveWhole(const Env& env) {
  std::string text(3 << 20, '\0');
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7 + i / 251);
  Write(env, "f", text);
  EXPECT_TRUE(Content(env, "f") == text);  // Not EXPECT_EQ, which would print both.
}

void OffsetsBeyondAnyFileAreErrors(const Env& env) {
  const auto file = MustOpen(env, "f", OpenMode::kMustCreate);
  const absl::Status written = file->WriteAt(UINT64_MAX - 1, base::AsBytes("abc"));
  EXPECT_EQ(written.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(written.message()), HasSubstr("f: offset 18446744073709551614"));
  EXPECT_EQ(file->Truncate(UINT64_MAX).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(file->Allocate(UINT64_MAX).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Content(*file), "");
}

// Sizes.

void WhatTruncationCutsOffReadsAsZerosAfterwards(const Env& env) {
  Write(env, "f", "0123456789");
  const auto file = MustOpen(env, "f", OpenMode::kMustExist);
  EXPECT_TRUE(file->Truncate(4).ok());
  EXPECT_EQ(Content(*file), "0123");
  EXPECT_TRUE(file->Truncate(6).ok());
  EXPECT_EQ(Content(*file), "0123" + kZero + kZero);
  EXPECT_TRUE(file->Truncate(2).ok());
  EXPECT_TRUE(file->WriteAt(4, base::AsBytes("x")).ok());
  EXPECT_EQ(Content(*file), "01" + kZero + kZero + "x");
}

void AllocationGrowsAndNeverShrinks(const Env& env) {
  const auto file = MustOpen(env, "f", OpenMode::kMustCreate);
  EXPECT_TRUE(file->Allocate(0).ok());
  EXPECT_EQ(Content(*file), "");
  EXPECT_TRUE(file->Append(base::AsBytes("abc")).ok());
  EXPECT_TRUE(file->Allocate(8'192).ok());
  EXPECT_EQ(Content(*file), "abc" + std::string(8'189, '\0'));
  EXPECT_TRUE(file->Allocate(2).ok());
  EXPECT_EQ(file->Size().value_or(0), 8'192u);
  EXPECT_TRUE(file->WriteAt(1, base::AsBytes("x")).ok());
  EXPECT_TRUE(file->Append(base::AsBytes("y")).ok());
  EXPECT_EQ(Content(*file), "axc" + std::string(8'189, '\0') + "y");
}

void SyncsOfEitherKindSucceed(const Env& env) {
  const auto file = MustOpen(env, "f", OpenMode::kMustCreate);
  EXPECT_TRUE(file->Append(base::AsBytes("abc")).ok());
  EXPECT_TRUE(file->Sync(SyncKind::kData).ok());
  EXPECT_TRUE(file->Sync(SyncKind::kAll).ok());
  EXPECT_TRUE(file->Close().ok());
  EXPECT_TRUE(env.files->SyncDir("").ok());
  EXPECT_TRUE(env.files->MakeDir("d").ok());
  EXPECT_TRUE(env.files->SyncDir("d").ok());
}

// Names.

void RenameMovesAName(const Env& env) {
  Write(env, "a", "abc");
  EXPECT_TRUE(env.files->MakeDir("d").ok());
  EXPECT_TRUE(env.files->Rename("a", "d/b").ok());
  EXPECT_EQ(OpenCode(env, "a", OpenMode::kRead), kMissing);
  EXPECT_EQ(Content(env, "d/b"), "abc");
  EXPECT_TRUE(env.files->Rename("d/b", "d/b").ok());
  EXPECT_EQ(Content(env, "d/b"), "abc");
  EXPECT_EQ(env.files->Rename("a", "c").code(), kMissing);
  EXPECT_EQ(env.files->Rename("d/b", "e/b").code(), kMissing);
}

void RenameReplacesAFileThatOthersStillRead(const Env& env) {
  Write(env, "new", "new");
  Write(env, "old", "old");
  const auto reader = MustOpen(env, "old", OpenMode::kRead);
  const auto writer = MustOpen(env, "new", OpenMode::kMustExist);
  EXPECT_TRUE(env.files->Rename("new", "old").ok());
  EXPECT_THAT(Names(env, ""), ElementsAre("old"));
  EXPECT_EQ(Content(*reader), "old");
  EXPECT_TRUE(writer->Append(base::AsBytes("er")).ok());  // An open file goes with its name.
  EXPECT_EQ(Content(env, "old"), "newer");
}

void RenameMovesDirectoriesWithTheirFiles(const Env& env) {
  EXPECT_TRUE(env.files->MakeDir("d").ok());
  EXPECT_TRUE(env.files->MakeDir("d/inner").ok());
  EXPECT_TRUE(env.files->MakeDir("full").ok());
  Write(env, "d/f", "abc");
  Write(env, "full/f", "def");
  EXPECT_EQ(env.files->Rename("d", "full").code(), kRefused);
  EXPECT_FALSE(env.files->Rename("d", "d/inner/d").ok());
  EXPECT_EQ(env.files->Rename("d", "full/f").code(), kRefused);
  EXPECT_EQ(env.files->Rename("full/f", "d").code(), kRefused);
  EXPECT_TRUE(env.files->Rename("d", "moved").ok());
  EXPECT_THAT(Names(env, ""), ElementsAre("full", "moved"));
  EXPECT_EQ(Content(env, "moved/f"), "abc");
}

void TwoNamesAreOneFile(const Env& env) {
  Write(env, "a", "abc");
  EXPECT_TRUE(env.files->Link("a", "b").ok());
  EXPECT_TRUE(MustOpen(env, "b", OpenMode::kMustExist)->Append(base::AsBytes("d")).ok());
  EXPECT_EQ(Content(env, "a"), "abcd");
  EXPECT_TRUE(env.files->Rename("a", "b").ok());  // Two names of one file: both stay.
  EXPECT_THAT(Names(env, ""), ElementsAre("a", "b"));
  EXPECT_TRUE(env.files->Remove("a").ok());
  EXPECT_EQ(Content(env, "b"), "abcd");
  EXPECT_TRUE(env.files->Remove("b").ok());
  EXPECT_EQ(OpenCode(env, "b", OpenMode::kRead), kMissing);
}

void LinkNeverReplaces(const Env& env) {
  Write(env, "a", "abc");
  Write(env, "b", "def");
  EXPECT_TRUE(env.files->MakeDir("d").ok());
  EXPECT_EQ(env.files->Link("a", "b").code(), kExists);
  EXPECT_EQ(env.files->Link("a", "d").code(), kExists);
  EXPECT_EQ(env.files->Link("c", "e").code(), kMissing);
  EXPECT_EQ(env.files->Link("a", "c/e").code(), kMissing);
  EXPECT_EQ(env.files->Link("d", "e").code(), kRefused);
  EXPECT_EQ(Content(env, "b"), "def");
}

void RemovedFilesLiveWhileTheyAreOpen(const Env& env) {
  Write(env, "f", "abc");
  const auto file = MustOpen(env, "f", OpenMode::kMustExist);
  EXPECT_TRUE(env.files->Remove("f").ok());
  EXPECT_EQ(env.files->Remove("f").code(), kMissing);
  EXPECT_TRUE(file->Append(base::AsBytes("d")).ok());
  EXPECT_EQ(Content(*file), "abcd");
  Write(env, "f", "another");
  EXPECT_EQ(Content(*file), "abcd");
  EXPECT_TRUE(file->Close().ok());
  EXPECT_EQ(Content(env, "f"), "another");
}

void ListsAreSortedByBytes(const Env& env) {
  EXPECT_TRUE(env.files->MakeDir("d").ok());
  EXPECT_THAT(Names(env, "d"), IsEmpty());
  for (const char* const name : {"d/b", "d/a", "d/B", "d/a.c", "d/10", "d/9", "d/\xc3\xa9"}) {
    Write(env, name, "");
  }
  EXPECT_TRUE(env.files->MakeDir("d/aa").ok());
  EXPECT_THAT(Names(env, "d"), ElementsAre("10", "9", "B", "a", "a.c", "aa", "b", "\xc3\xa9"));
}

void DirectoriesAreMadeOnceAndInAParent(const Env& env) {
  EXPECT_EQ(env.files->MakeDir("d/e").code(), kMissing);
  EXPECT_TRUE(env.files->MakeDir("d").ok());
  EXPECT_TRUE(env.files->MakeDir("d/e").ok());
  EXPECT_EQ(env.files->MakeDir("d").code(), kExists);
  EXPECT_EQ(env.files->MakeDir("").code(), kExists);
  Write(env, "f", "");
  EXPECT_EQ(env.files->MakeDir("f").code(), kExists);
}

void NothingIsMadeInAMissingDirectory(const Env& env) {
  EXPECT_EQ(OpenCode(env, "d/f", OpenMode::kTruncate), kMissing);
  EXPECT_EQ(OpenCode(env, "d/f", OpenMode::kMustCreate), kMissing);
  EXPECT_EQ(env.files->Lock("d/f").status().code(), kMissing);
  EXPECT_EQ(env.files->List("d").status().code(), kMissing);
  EXPECT_EQ(env.files->SyncDir("d").code(), kMissing);
  EXPECT_EQ(env.files->Remove("d/f").code(), kMissing);
}

void FilesAndDirectoriesAreNotTakenForEachOther(const Env& env) {
  Write(env, "f", "abc");
  EXPECT_TRUE(env.files->MakeDir("d").ok());
  EXPECT_EQ(OpenCode(env, "d", OpenMode::kRead), kRefused);
  EXPECT_EQ(OpenCode(env, "d", OpenMode::kMustExist), kRefused);
  EXPECT_EQ(OpenCode(env, "d", OpenMode::kTruncate), kRefused);
  EXPECT_EQ(OpenCode(env, "d", OpenMode::kMustCreate), kExists);
  EXPECT_EQ(OpenCode(env, "", OpenMode::kRead), kRefused);
  EXPECT_EQ(env.files->Remove("d").code(), kRefused);
  EXPECT_EQ(env.files->Lock("d").status().code(), kRefused);
  EXPECT_EQ(env.files->List("f").status().code(), kRefused);
  EXPECT_EQ(env.files->SyncDir("f").code(), kRefused);
  EXPECT_EQ(OpenCode(env, "f/g", OpenMode::kTruncate), kRefused);
  EXPECT_EQ(env.files->MakeDir("f/g").code(), kRefused);
  EXPECT_EQ(Content(env, "f"), "abc");
}

void NamesHaveALimitAndNoZeroByte(const Env& env) {
  const std::string longest(255, 'x');
  Write(env, longest, "abc");
  EXPECT_THAT(Names(env, ""), ElementsAre(longest));
  EXPECT_EQ(OpenCode(env, longest + "x", OpenMode::kTruncate), kInvalid);
  EXPECT_EQ(env.files->MakeDir(longest + "x").code(), kInvalid);
  EXPECT_EQ(env.files->Rename(longest, longest + "x").code(), kInvalid);
  const std::string with_zero = "a" + kZero + "b";
  EXPECT_EQ(OpenCode(env, with_zero, OpenMode::kTruncate), kInvalid);
  EXPECT_EQ(env.files->MakeDir(with_zero).code(), kInvalid);
  EXPECT_EQ(env.files->Remove(with_zero).code(), kInvalid);
  EXPECT_THAT(Names(env, ""), ElementsAre(longest));
}

void ErrorsNameThePath(const Env& env) {
  EXPECT_TRUE(env.files->MakeDir("dir").ok());
  const absl::Status missing = env.files->Open("dir/absent", OpenMode::kRead).status();
  EXPECT_THAT(std::string(missing.message()), HasSubstr("dir/absent"));
  const absl::Status moved = env.files->Rename("dir/absent", "dir/to");
  EXPECT_THAT(std::string(moved.message()), HasSubstr("dir/absent"));
  const absl::Status refused = env.files->Remove("dir");
  EXPECT_THAT(std::string(refused.message()), HasSubstr("dir"));
}

// Locks and mappings.

void LocksExcludeThisProcessToo(const Env& env) {
  auto lock = env.files->Lock("LOCK");
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_EQ(env.files->Lock("LOCK").status().code(), kRefused);
  EXPECT_TRUE(env.files->Lock("OTHER").ok());  // And is given up at once.
  EXPECT_TRUE(env.files->Lock("OTHER").ok());
  EXPECT_EQ(env.files->Lock("LOCK").status().code(), kRefused);
  lock->reset();
  EXPECT_TRUE(env.files->Lock("LOCK").ok());
  EXPECT_THAT(Names(env, ""), ElementsAre("LOCK", "OTHER"));
}

void LocksAreOfTheFileNotOfItsName(const Env& env) {
  Write(env, "f", "abc");
  const auto lock = env.files->Lock("f");
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_EQ(Content(env, "f"), "abc");
  EXPECT_TRUE(env.files->Rename("f", "g").ok());
  EXPECT_EQ(env.files->Lock("g").status().code(), kRefused);
  EXPECT_TRUE(env.files->Lock("f").ok());
}

void MappingsOutliveFileAndName(const Env& env) {
  const std::string text(10'000, 'x');
  Write(env, "f", text);
  auto file = MustOpen(env, "f", OpenMode::kRead);
  auto mapping = file->Map();
  ASSERT_TRUE(mapping.ok()) << mapping.status();
  EXPECT_TRUE(file->Close().ok());
  file.reset();
  EXPECT_TRUE(env.files->Remove("f").ok());
  EXPECT_TRUE(Content(**mapping) == text);
}

void MappingsAreAsLongAsTheFile(const Env& env) {
  const auto file = MustOpen(env, "f", OpenMode::kMustCreate);
  {
    const auto empty = file->Map();
    ASSERT_TRUE(empty.ok()) << empty.status();
    EXPECT_THAT((*empty)->bytes(), IsEmpty());
  }
  EXPECT_TRUE(file->Append(base::AsBytes("abc")).ok());
  const auto mapping = file->Map();
  ASSERT_TRUE(mapping.ok()) << mapping.status();
  EXPECT_EQ(Content(**mapping), "abc");
}

// Time and chance.

void MonotonicTimeNeverGoesBack(const Env& env) {
  base::Ticks last = env.clock->MonotonicNow();
  for (int i = 0; i < 1'000; ++i) {
    const base::Ticks now = env.clock->MonotonicNow();
    ASSERT_GE(now, last);
    last = now;
  }
  EXPECT_GT(env.clock->WallNow(), 0u);
}

void ChanceDoesNotRepeatItself(const Env& env) {
  std::set<uint64_t> seen;
  for (int i = 0; i < 1'000; ++i) seen.insert(env.random->Next());
  EXPECT_EQ(seen.size(), 1'000u);
}

}  // namespace

const std::vector<ContractCase>& ContractCases() {
  static const std::vector<ContractCase> cases = {
      {"MissingFilesOpenOnlyToBeMade", MissingFilesOpenOnlyToBeMade},
      {"ExistingFilesAreKeptRefusedOrEmptied", ExistingFilesAreKeptRefusedOrEmptied},
      {"EmptyingAFileShowsThroughEveryHandle", EmptyingAFileShowsThroughEveryHandle},
      {"ReadsAreShortOnlyAtTheEnd", ReadsAreShortOnlyAtTheEnd},
      {"GapsReadAsZeros", GapsReadAsZeros},
      {"WritesHarmNothingBesideThem", WritesHarmNothingBesideThem},
      {"EmptyWritesChangeNothing", EmptyWritesChangeNothing},
      {"AppendsGoToThePresentEnd", AppendsGoToThePresentEnd},
      {"LargeWritesArriveWhole", LargeWritesArriveWhole},
      {"OffsetsBeyondAnyFileAreErrors", OffsetsBeyondAnyFileAreErrors},
      {"WhatTruncationCutsOffReadsAsZerosAfterwards", WhatTruncationCutsOffReadsAsZerosAfterwards},
      {"AllocationGrowsAndNeverShrinks", AllocationGrowsAndNeverShrinks},
      {"SyncsOfEitherKindSucceed", SyncsOfEitherKindSucceed},
      {"RenameMovesAName", RenameMovesAName},
      {"RenameReplacesAFileThatOthersStillRead", RenameReplacesAFileThatOthersStillRead},
      {"RenameMovesDirectoriesWithTheirFiles", RenameMovesDirectoriesWithTheirFiles},
      {"TwoNamesAreOneFile", TwoNamesAreOneFile},
      {"LinkNeverReplaces", LinkNeverReplaces},
      {"RemovedFilesLiveWhileTheyAreOpen", RemovedFilesLiveWhileTheyAreOpen},
      {"ListsAreSortedByBytes", ListsAreSortedByBytes},
      {"DirectoriesAreMadeOnceAndInAParent", DirectoriesAreMadeOnceAndInAParent},
      {"NothingIsMadeInAMissingDirectory", NothingIsMadeInAMissingDirectory},
      {"FilesAndDirectoriesAreNotTakenForEachOther", FilesAndDirectoriesAreNotTakenForEachOther},
      {"NamesHaveALimitAndNoZeroByte", NamesHaveALimitAndNoZeroByte},
      {"ErrorsNameThePath", ErrorsNameThePath},
      {"LocksExcludeThisProcessToo", LocksExcludeThisProcessToo},
      {"LocksAreOfTheFileNotOfItsName", LocksAreOfTheFileNotOfItsName},
      {"MappingsOutliveFileAndName", MappingsOutliveFileAndName},
      {"MappingsAreAsLongAsTheFile", MappingsAreAsLongAsTheFile},
      {"MonotonicTimeNeverGoesBack", MonotonicTimeNeverGoesBack},
      {"ChanceDoesNotRepeatItself", ChanceDoesNotRepeatItself},
  };
  return cases;
}

}  // namespace kiban::engine
