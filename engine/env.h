// THE SEAM: an engine's only door to the outside world: files, time, tasks and chance.
//
// What survives a power cut, and nothing more:
//   * bytes of a file and its size, once a Sync() called after they were written returned OK;
//   * a name in a directory (made, moved or taken away), once a later SyncDir() on that directory
//     returned OK. Syncing a file never makes its name durable, and syncing a directory neither
//     makes the bytes of its files durable nor its own name, which is in its parent.
// Anything newer may be missing or not, each thing on its own: every 4 KiB page of a file is as it
// was after one of the writes to it, or a mixture by 512-byte sectors of two neighbouring such
// states; pages, sizes and names are independent of each other, so a size may survive without the
// bytes (they read as zeros), the bytes without the size, a removal without the creation of what
// replaced it. Only these hold without a sync: of two writes to a page the later is never there
// without the earlier; bytes outside a write are never harmed; a rename happens wholly or not at
// all; operations on one name happen in their order; a file in a directory needs the directory;
// what a truncation cut off does not come back if a write at or behind the cut has survived it.
// No world needs to rename a directory but within its parent and over nothing.
//
// A kill takes nothing that a call has returned OK for, and makes nothing durable: what a restarted
// process reads may still be lost by a later power cut, until it has been written and synced anew.
//
// A call that returns an error may have done all, part or nothing of its work. After a failed
// Sync() the unsynced bytes are in doubt for ever: they may read back as written and be gone after
// a restart, and syncing again and getting OK proves nothing about them. After a failed SyncDir()
// the names stay owed.
//
// Statuses: kNotFound, kAlreadyExists, kFailedPrecondition (locked, not empty, wrong kind),
// kInvalidArgument, kResourceExhausted (no space, no descriptors), kUnavailable or kDataLoss (the
// device failed) and kAborted (the machine is going down). Every message names the path, and the
// offset where there is one.
//
// Paths are separated by '/'. Different files and names: any tasks at once. One file: ReadAt by any
// tasks, everything else by one task at a time. sim/ takes every liberty that this text grants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/ticks.h"

namespace kiban::engine {

enum class SyncKind {
  kData,  // The bytes and a size that has grown: enough to read back what was written.
  kAll,   // And everything else that is known about the file.
};

// A file's bytes in memory, read-only, until it is destroyed. It outlives the File and the name.
class Mapping {
 public:
  virtual ~Mapping() = default;
  virtual std::span<const std::byte> bytes() const = 0;
};

// An open file. Destroying it closes it and drops the error that Close() would have told.
class File {
 public:
  virtual ~File() = default;
  // Fills `out` from `offset`; returns fewer bytes only at the end of the file.
  virtual absl::StatusOr<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) = 0;
  // On error any part of `data` may have been written. Past the end, the gap reads as zeros.
  virtual absl::Status WriteAt(uint64_t offset, std::span<const std::byte> data) = 0;
  // WriteAt() at the present end.
  virtual absl::Status Append(std::span<const std::byte> data) = 0;
  virtual absl::Status Sync(SyncKind kind) = 0;
  // Shorter: the rest is gone, and reads as zeros when the file grows again. Longer: zeros.
  virtual absl::Status Truncate(uint64_t size_bytes) = 0;
  // Reserves space up to `size_bytes`, which becomes the size if it was smaller; the new part reads
  // as zeros. Later writes into it do not fail for want of space.
  virtual absl::Status Allocate(uint64_t size_bytes) = 0;
  virtual absl::StatusOr<uint64_t> Size() const = 0;
  // The whole file as it is now. Writing to the file while a mapping lives is the caller's mistake.
  virtual absl::StatusOr<std::unique_ptr<Mapping>> Map() = 0;
  // Syncs nothing; the error of an earlier write may come only here. No other call may follow.
  virtual absl::Status Close() = 0;
};

enum class OpenMode {
  kRead,        // Must exist; only ReadAt, Size and Map.
  kMustExist,   // Must exist; reads and writes.
  kMustCreate,  // kAlreadyExists if the name is there; reads and writes.
  kTruncate,    // Created if missing, emptied (like Truncate(0)) if not; reads and writes.
};

// Owner of a lock file; giving it up or dying releases the lock. The file itself stays.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual absl::StatusOr<std::unique_ptr<File>> Open(std::string_view path, OpenMode mode) = 0;
  // Replaces `to` if it exists; readers find the old file or the new one, never neither. Across
  // directories it takes a SyncDir() on each to make it durable.
  virtual absl::Status Rename(std::string_view from, std::string_view to) = 0;
  // A second name for a file; kAlreadyExists if `to` is there.
  virtual absl::Status Link(std::string_view from, std::string_view to) = 0;
  // Takes a file's name away; what has it open keeps it.
  virtual absl::Status Remove(std::string_view path) = 0;
  // kAlreadyExists if the name is there; the parent must exist.
  virtual absl::Status MakeDir(std::string_view path) = 0;
  // The names in a directory, without "." and "..", sorted by bytes.
  virtual absl::StatusOr<std::vector<std::string>> List(std::string_view dir) = 0;
  virtual absl::Status SyncDir(std::string_view dir) = 0;
  // Creates the file if it is missing. kFailedPrecondition if anybody holds it, this process
  // included.
  virtual absl::StatusOr<std::unique_ptr<FileLock>> Lock(std::string_view path) = 0;
};

class Clock {
 public:
  virtual ~Clock() = default;
  // Never goes back while the machine is up; starts anywhere.
  virtual base::Ticks MonotonicNow() = 0;
  // May jump either way at any moment, and across a restart.
  virtual base::Ticks WallNow() = 0;
};

// Concurrency. The direct handle needs none of it and may be given an Env without it.
//
// Whoever was given the Env runs as a task too, one that has no id and is not joined. Nothing here
// fails: while the machine is going down tasks still start, wait, are woken and end, so that each
// comes to its end as it would after an error of a file.
class Tasks {
 public:
  using Id = uint64_t;
  static constexpr base::Ticks kForever = UINT64_MAX;

  virtual ~Tasks() = default;
  // Starts `body` as a task, which ends when `body` returns; no exception may leave it. Names are
  // for people and need not be unique; an id is never given again. Any task may spawn others.
  virtual Id Spawn(std::string_view name, std::function<void()> body) = 0;
  // Waits until the task has ended and sees all it did. Every task is joined exactly once, by any
  // other task, and the last of them before the Env goes.
  virtual void Join(Id id) = 0;
  // Lets others run. To wait for one of them, park: a loop of yields may keep it from ever running.
  virtual void Yield() = 0;
  virtual void SleepUntil(base::Ticks monotonic_deadline) = 0;
  // Waits until Unpark(word) or the deadline if `*word == expected`; may return for no reason. To
  // look and to wait is one step: an Unpark() that follows a change of the word is never missed.
  virtual void Park(const uint32_t* word, uint32_t expected, base::Ticks monotonic_deadline) = 0;
  // Wakes at most so many of those that wait, no matter which. The address alone counts: the word
  // may be gone, as a lock is whose next owner destroyed it.
  virtual void Unpark(const uint32_t* word, uint32_t task_count_max) = 0;
};

class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t Next() = 0;
};

// What an engine is given. Owns nothing; everything in it outlives the engine.
struct Env {
  FileSystem* files = nullptr;
  Clock* clock = nullptr;
  Tasks* tasks = nullptr;
  Random* random = nullptr;
};

}  // namespace kiban::engine
