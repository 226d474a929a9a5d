// What a sweep found, as a page to be read: one HTML file that needs no other, no network and no
// script.
#pragma once

#include <span>
#include <string>

#include "suites/support/results.h"

namespace kiban::suites {

std::string SweepPage(const Provenance& provenance, std::span<const SweepResult> results);

}  // namespace kiban::suites
