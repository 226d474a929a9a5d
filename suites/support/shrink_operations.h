// The axes of a shrink that are about operations; see shrink_axes.h. Each thing is called by the
// number of its operation.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "suites/support/plan.h"

namespace kiban::suites {

std::vector<std::string> Operations(const Plan& plan);
// They go; or one of them stays, as a put of all their bytes, as a flush, or as a compaction.
inline constexpr size_t kTakeWays = 4;
void TakeOperations(Plan& plan, size_t from, size_t count, size_t way);

// Clients that have operations: those of one go to another, or all to the one of a direct handle.
inline constexpr size_t kMergeWays = 2;  // The others keep their names, and so their luck; or not.
std::vector<std::string> Clients(const Plan& plan);
void MergeClients(Plan& plan, size_t from, size_t count, size_t way);

// What an operation is better without: items of batches, moves of cursors, syncs, an abrupt end.
std::vector<std::string> Parts(const Plan& plan);
void TakeParts(Plan& plan, size_t from, size_t count, size_t way);

// Values longer than kShortValueBytes become as short as that, or half as long.
inline constexpr uint32_t kShortValueBytes = 8;
inline constexpr size_t kValueWays = 2;
std::vector<std::string> Values(const Plan& plan);
void ShortenValues(Plan& plan, size_t from, size_t count, size_t way);

// Keys and bounds that are not "k1", "k2" ...: called by the first operation that has one.
std::vector<std::string> Keys(const Plan& plan);
void RenameKeys(Plan& plan, size_t from, size_t count, size_t way);

}  // namespace kiban::suites
