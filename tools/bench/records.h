// The records that the benches of the engine write and read: a million, keys of 38 bytes with long
// common prefixes, values of 256 bytes that do not compress.
#pragma once

#include <cstdint>
#include <string>

namespace kiban::tools {

inline constexpr uint64_t kRecords = 1'000'000;
inline constexpr size_t kKeyBytes = 38;
inline constexpr size_t kRecordValueBytes = 256;

// The i-th key in order. Overwrites `key`.
void FormatKey(uint64_t i, std::string& key);
// The value of the i-th record. Overwrites `value`.
void FormatValue(uint64_t i, std::string& value);

// Every i below kRecords once, in an order that looks random: the n-th of them.
uint64_t Shuffled(uint64_t n);

}  // namespace kiban::tools
