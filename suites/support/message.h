// What a child tells its parent, as bytes. Both are one program: no version, no checksum.
#pragma once

#include <string>

#include "suites/support/life.h"
#include "suites/support/tally.h"

namespace kiban::suites {

void AppendMessage(std::string& to, const Piece& piece);
// Without the resolved plan, which its case has.
void AppendMessage(std::string& to, const LifeReport& report);

void AppendMessage(std::string& to, const sim::Told& told);

// Takes one whole message off the front of `from`; false if there is none yet.
bool TakeMessage(std::string& from, Piece& piece);
bool TakeMessage(std::string& from, LifeReport& report);
bool TakeMessage(std::string& from, sim::Told& told);

}  // namespace kiban::suites
