// What is done to a file, what came of it, and how often.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"

namespace kiban::suites {

// A structure of a file, and where it stands.
struct Part {
  std::string name;
  size_t begin = 0;
  size_t bytes = 0;

  size_t end() const { return begin + bytes; }
};

// How it was come by. A lie is sealed: every checksum over it holds.
enum class DamageKind { kFlip, kCut, kSealedFlip, kSealedCut, kLie };

// From the best to the worst.
enum class Outcome {
  kRefused,     // kDataLoss when the file was opened.
  kUnknown,     // kUnimplemented when it was opened: what only a later program can have written.
  kHarmless,    // Everything there is to read was read, and was right.
  kDropped,     // Logs: the tail that nothing left in the log had promised is gone, all of it.
  kReadFails,   // No read was wrong; those that come by the place are kDataLoss.
  kOnlyVerify,  // All reads right, but a check of the whole file is kDataLoss.
  kLate,        // A read was wrong, and only a check of the whole file would have told.
  kUndetected,  // A read was wrong, and nothing tells.
};
inline constexpr size_t kOutcomeCount = 8;

struct Judgement {
  Outcome outcome = Outcome::kUndetected;
  std::string why;  // For people; of what was wrong.
};

class Tally {
 public:
  void Add(Outcome outcome) { ++counts_[static_cast<size_t>(outcome)]; }
  uint64_t of(Outcome outcome) const { return counts_[static_cast<size_t>(outcome)]; }
  uint64_t total() const;
  std::string ToText() const;

 private:
  std::array<uint64_t, kOutcomeCount> counts_{};
};

// All judgements of one file, by structure and kind of damage.
class Ledger {
 public:
  explicit Ledger(std::string file) : file_(std::move(file)) {}
  ~Ledger();  // Prints what was counted, a line for each row.
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  void Add(std::string_view part, DamageKind kind, std::string_view what, const Judgement& verdict);

  const Tally& of(std::string_view part, DamageKind kind) const;
  uint64_t total(Outcome outcome) const;
  // The first few, each with its damage; empty if there were none.
  const std::string& undetected() const { return undetected_; }

 private:
  using Row = std::pair<std::string, DamageKind>;

  std::string file_;
  std::vector<Row> order_;
  std::map<Row, Tally> rows_;
  std::string undetected_;
  uint64_t shown_ = 0;
};

using VisitDamage = absl::FunctionRef<void(const std::string& what, const std::string& file)>;

// The file with one bit of the part flipped, for each of its bits.
void FlipEveryBit(std::string file, const Part& part, VisitDamage visit);

// The file cut at every length that ends it within the part, before its last byte.
void CutAtEveryByte(const std::string& file, const Part& part, VisitDamage visit);

// The file with an integer of `width` bytes at `at` replaced by each number that is likely to be
// taken for a right one: neighbours, halves and doubles, borders of its type.
void MisstateNumber(const std::string& file, std::string_view name, size_t at, size_t width,
                    VisitDamage visit);

uint64_t LoadNumber(std::string_view file, size_t at, size_t width);
void StoreNumber(std::string& file, size_t at, size_t width, uint64_t number);

}  // namespace kiban::suites
