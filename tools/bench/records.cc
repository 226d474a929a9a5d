#include "tools/bench/records.h"

#include <string_view>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"

namespace kiban::tools {
namespace {

constexpr std::string_view kPrefix = "tenant/0001/account/";

}  // namespace

void FormatKey(uint64_t i, std::string& key) {
  key.assign(kPrefix);
  key.resize(kKeyBytes, '0');
  for (size_t at = kKeyBytes; i > 0; i /= 10) key[--at] = static_cast<char>('0' + i % 10);
}

void FormatValue(uint64_t i, std::string& value) {
  value.clear();
  for (size_t at = 0; at < kRecordValueBytes; at += 8) {
    base::AppendLittle(value, base::Mix64(i * kRecordValueBytes + at));
  }
}

uint64_t Shuffled(uint64_t n) {
  CHECK(n < kRecords);
  constexpr uint64_t kStep = 618'033;  // Has no factor in common with kRecords.
  static_assert(kStep % 2 != 0 && kStep % 5 != 0 && kRecords == 1'000'000);
  return n * kStep % kRecords;
}

}  // namespace kiban::tools
