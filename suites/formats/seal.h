// Makes checksums hold again over bytes that were changed. Written from the texts of the formats,
// not with the code that is judged.
#pragma once

#include <cstdint>
#include <string>

#include "suites/formats/damage.h"

namespace kiban::suites {

// A part that ends in the crc32 of all its other bytes: a block, a section of a table.
void SealPart(std::string& file, uint64_t file_number, const Part& part);

// The footer as long as it says it is; nothing if it cannot be.
void SealFooter(std::string& table, uint64_t file_number);

// Every section where the footer says it is and every block where the index says it is, as far as
// such places are in the file.
void SealTable(std::string& table, uint64_t file_number);

void SealManifest(std::string& manifest);

void SealLogHeader(std::string& log, uint64_t segment_id);

// The record at `begin`, as long as it says it is; nothing if the file ends before.
void SealRecord(std::string& log, uint64_t segment_id, size_t begin);

}  // namespace kiban::suites
