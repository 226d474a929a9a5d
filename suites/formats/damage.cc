#include "suites/formats/damage.h"

#include <cstdio>
#include <cstring>
#include <numeric>
#include <set>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kShownMax = 5;

std::string_view NameOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRefused:
      return "refused";
    case Outcome::kUnknown:
      return "unknown";
    case Outcome::kHarmless:
      return "harmless";
    case Outcome::kDropped:
      return "dropped";
    case Outcome::kReadFails:
      return "read fails";
    case Outcome::kOnlyVerify:
      return "only verify";
    case Outcome::kLate:
      return "late";
    case Outcome::kUndetected:
      return "UNDETECTED";
  }
  CHECK(false);
}

std::string_view NameOf(DamageKind kind) {
  switch (kind) {
    case DamageKind::kFlip:
      return "flips";
    case DamageKind::kCut:
      return "cuts";
    case DamageKind::kSealedFlip:
      return "sealed flips";
    case DamageKind::kSealedCut:
      return "sealed cuts";
    case DamageKind::kLie:
      return "lies";
  }
  CHECK(false);
}

}  // namespace

uint64_t Tally::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
}

std::string Tally::ToText() const {
  std::string text;
  for (size_t i = 0; i < kOutcomeCount; ++i) {
    if (counts_[i] == 0) continue;
    absl::StrAppend(&text, "  ", base::ToAbsl(NameOf(static_cast<Outcome>(i))), " ", counts_[i]);
  }
  return text;
}

Ledger::~Ledger() {
  for (const Row& row : order_) {
    const Tally& tally = rows_.at(row);
    std::printf("counted  %-14s %-12s %-12s %6llu:%s\n", file_.c_str(), row.first.c_str(),
                std::string(NameOf(row.second)).c_str(),
                static_cast<unsigned long long>(tally.total()), tally.ToText().c_str());
  }
}

void Ledger::Add(std::string_view part, DamageKind kind, std::string_view what,
                 const Judgement& verdict) {
  const Row row(part, kind);
  const auto [found, is_new] = rows_.try_emplace(row);
  if (is_new) order_.push_back(row);
  found->second.Add(verdict.outcome);
  if (verdict.outcome != Outcome::kUndetected || ++shown_ > kShownMax) return;
  absl::StrAppend(&undetected_, file_, ", ", row.first, ", ", base::ToAbsl(NameOf(kind)), ": ",
                  base::ToAbsl(what), ": ", verdict.why, "\n");
}

const Tally& Ledger::of(std::string_view part, DamageKind kind) const {
  static const Tally kNone;
  const auto found = rows_.find(Row(part, kind));
  return found == rows_.end() ? kNone : found->second;
}

uint64_t Ledger::total(Outcome outcome) const {
  uint64_t total = 0;
  for (const auto& [row, tally] : rows_) total += tally.of(outcome);
  return total;
}

void FlipEveryBit(std::string file, const Part& part, VisitDamage visit) {
  for (size_t bit = part.begin * 8; bit < part.end() * 8; ++bit) {
    char& byte = file[bit / 8];
    const char whole = byte;
    byte = static_cast<char>(byte ^ 1 << bit % 8);
    visit(absl::StrCat("bit ", bit % 8, " of byte ", bit / 8), file);
    byte = whole;
  }
}

void CutAtEveryByte(const std::string& file, const Part& part, VisitDamage visit) {
  for (size_t length = part.begin; length < part.end(); ++length) {
    visit(absl::StrCat("length ", length), file.substr(0, length));
  }
}

void MisstateNumber(const std::string& file, std::string_view name, size_t at, size_t width,
                    VisitDamage visit) {
  const uint64_t right = LoadNumber(file, at, width);
  const uint64_t max = width == 8 ? UINT64_MAX : (uint64_t{1} << 8 * width) - 1;
  std::set<uint64_t> wrong;
  for (const uint64_t number :
       {uint64_t{0}, uint64_t{1}, right - 1, right + 1, right - 8, right + 8, right / 2, right * 2,
        uint64_t{1} << 31, uint64_t{1} << 32, uint64_t{1} << 60, max / 2, max - 1, max}) {
    wrong.insert(number & max);
  }
  wrong.erase(right);
  for (const uint64_t number : wrong) {
    std::string lying = file;
    StoreNumber(lying, at, width, number);
    visit(absl::StrCat(base::ToAbsl(name), " ", number, " for ", right), lying);
  }
}

uint64_t LoadNumber(std::string_view file, size_t at, size_t width) {
  CHECK(at + width <= file.size());
  uint64_t number = 0;
  std::memcpy(&number, file.data() + at, width);
  return number;
}

void StoreNumber(std::string& file, size_t at, size_t width, uint64_t number) {
  CHECK(at + width <= file.size());
  std::memcpy(file.data() + at, &number, width);
}

}  // namespace kiban::suites
