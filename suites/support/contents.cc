#include "suites/support/contents.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

constexpr uint32_t kLatestCount = 7;

models::Judgement Disagree(std::string_view kind, std::string detail) {
  return models::Complaint{.kind = std::string(kind), .detail = std::move(detail)};
}

absl::StatusOr<models::Judgement> CompareGets(EngineUnderTest& engine,
                                              const std::set<std::string>& keys,
                                              const models::Contents& contents) {
  for (const std::string& key : keys) {
    ASSIGN_OR_RETURN(const std::optional<std::string> got, engine.Get(key, nullptr, nullptr));
    const auto found = contents.find(key);
    const bool scanned = found != contents.end();
    if (got.has_value() == scanned && (!scanned || *got == found->second)) continue;
    return Disagree("get and scan disagree",
                    absl::StrCat("key \"", absl::CHexEscape(key.substr(0, 40)), "\": get finds ",
                                 got.has_value() ? "a value" : "nothing", ", the scan ",
                                 scanned ? "a value" : "nothing"));
  }
  return std::nullopt;
}

constexpr size_t kKeysShown = 4;

}  // namespace

std::string Describe(const models::Contents& contents) {
  std::string text = absl::StrCat(contents.size(), contents.size() == 1 ? " key" : " keys");
  size_t shown = 0;
  for (const auto& [key, value] : contents) {
    if (shown == kKeysShown) return text + " ...";
    absl::StrAppend(&text, shown++ == 0 ? ": " : ", ", models::Quote(key), " ", value.size(),
                    " bytes");
  }
  return text;
}

absl::StatusOr<EverythingRead> ReadEverything(EngineUnderTest& engine,
                                              const std::set<std::string>& keys) {
  EverythingRead read;
  ASSIGN_OR_RETURN(std::vector<KeyValue> forward,
                   engine.Scan({}, Direction::kForward, UINT64_MAX, nullptr, nullptr));
  ASSIGN_OR_RETURN(std::vector<KeyValue> reverse,
                   engine.Scan({}, Direction::kReverse, UINT64_MAX, nullptr, nullptr));
  ASSIGN_OR_RETURN(const std::vector<KeyValue> latest,
                   engine.LatestK("", kLatestCount, nullptr, nullptr));
  for (const KeyValue& pair : forward) read.contents.emplace(pair.key, pair.value);
  const auto same = [](const auto& pair, const KeyValue& scanned) {
    return pair.first == scanned.key && pair.second == scanned.value;
  };
  if (!std::equal(read.contents.begin(), read.contents.end(), forward.begin(), forward.end(),
                  same)) {
    read.disagreement =
        Disagree("scan repeats a key or is out of order",
                 absl::StrCat(forward.size(), " pairs, ", read.contents.size(), " keys"));
    return read;
  }
  if (!std::equal(forward.begin(), forward.end(), reverse.rbegin(), reverse.rend())) {
    read.disagreement = Disagree("scans disagree", absl::StrCat(forward.size(), " pairs forward, ",
                                                                reverse.size(), " in reverse"));
    return read;
  }
  reverse.resize(std::min<size_t>(reverse.size(), kLatestCount));
  if (latest != reverse) {
    read.disagreement =
        Disagree("latest-K and scan disagree",
                 absl::StrCat(latest.size(), " pairs, ", reverse.size(), " expected"));
    return read;
  }
  ASSIGN_OR_RETURN(read.disagreement, CompareGets(engine, keys, read.contents));
  return read;
}

}  // namespace kiban::suites
