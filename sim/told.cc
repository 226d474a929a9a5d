#include "sim/told.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace kiban::sim {
namespace {

std::string WhatOf(const Told& told) {
  switch (told.kind) {
    case Told::Kind::kBoot:
    case Told::Kind::kSpanEnter:
    case Told::Kind::kSpanLeave:
      return "";
    case Told::Kind::kCall:
      return absl::StrFormat("%-9s %s%s%s -> %s, owed %d", told.call, told.path,
                             told.text.empty() ? "" : " ", told.text, told.result, told.owed_bytes);
    case Told::Kind::kMark:
      return absl::StrCat("* ", told.text);
    case Told::Kind::kNote:
    case Told::Kind::kJudge:
    case Told::Kind::kSyncError:
    case Told::Kind::kDeath:
      return told.text;
    case Told::Kind::kCut:
      break;
  }
  std::string text = told.text;
  for (const ToldFate& fate : told.fates) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", fate.fate, " ", fate.text);
  }
  return text;
}

}  // namespace

std::string EventLine(const Told& told) {
  const std::string what = WhatOf(told);
  if (what.empty()) return "";
  return absl::StrFormat("%6d %8d  %-8s %-14s %s%s", told.event, told.time, told.task, told.span,
                         std::string(2 * told.depth, ' '), what);
}

}  // namespace kiban::sim
