// What a worker leaves where its parent can read it at any moment, so that a death costs one seed
// and still leaves a complete case: the seed, the text of its plan, and each decision as it is
// taken.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiban::suites {

// Text that one process appends to and another reads after the first has ended.
template <size_t kBytesMax>
class SharedText {
 public:
  void Clear() {
    bytes_ = 0;
    overflowed_ = false;
  }
  // What does not fit is left out, whole; complete() tells.
  void Append(std::string_view text) {
    if (text.size() > kBytesMax - bytes_) {
      overflowed_ = true;
      return;
    }
    text.copy(text_ + bytes_, text.size());
    bytes_ += text.size();
  }
  bool complete() const { return !overflowed_; }
  std::string_view text() const { return {text_, bytes_}; }

 private:
  size_t bytes_ = 0;
  bool overflowed_ = false;
  char text_[kBytesMax];
};

struct SharedSlot {
  std::atomic<uint64_t> chunk;       // In work.
  std::atomic<uint64_t> seed;        // Being lived, if ...
  std::atomic<bool> living;          // ... so.
  std::atomic<uint64_t> began_msec;  // On the monotonic clock.
  SharedText<(2 << 20)> plan;
  SharedText<(1 << 20)> decisions;
};

// Memory of all workers and their parent. Pages that nobody touches cost nothing.
class SharedBoard {
 public:
  explicit SharedBoard(size_t workers);
  ~SharedBoard();
  SharedBoard(const SharedBoard&) = delete;
  SharedBoard& operator=(const SharedBoard&) = delete;

  // Chunks are handed out in order, each once.
  std::atomic<uint64_t>& next_chunk() { return head_->next_chunk; }
  // Told to the workers: no seed is to be begun any more.
  std::atomic<bool>& ends_early() { return head_->ends_early; }
  SharedSlot& slot(size_t worker) { return slots_[worker]; }

 private:
  struct Head {
    std::atomic<uint64_t> next_chunk;
    std::atomic<bool> ends_early;
  };

  size_t bytes_;
  void* memory_;
  Head* head_;
  SharedSlot* slots_;
};

static_assert(std::atomic<uint64_t>::is_always_lock_free,
              "a lock would not work between processes");

}  // namespace kiban::suites
