#include "tools/perfetto.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_util.h"

namespace kiban::tools {
namespace {

using base::ToAbsl;
using sim::Told;

// The disk outlives every boot and has a process of its own.
constexpr uint32_t kDisk = 0;

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      absl::StrAppendFormat(&quoted, "\\u%04x", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string ArgsOf(const Told& told) {
  std::string args = absl::StrCat("\"event\":", told.event);
  const auto add = [&](std::string_view name, const std::string& text) {
    if (text.empty()) return;
    absl::StrAppend(&args, ",\"", ToAbsl(name), "\":", Quoted(text));
  };
  add("path", told.path);
  add("result", told.result);
  add("text", told.text);
  add("safe", absl::StrJoin(told.safe, "; "));
  add("damaged", absl::StrJoin(told.damaged, "; "));
  add("gone", absl::StrJoin(told.gone, "; "));
  for (const sim::ToldFate& fate : told.fates) {
    absl::StrAppend(&args, ",", Quoted(fate.text), ":",
                    Quoted(fate.rule.empty() ? fate.fate : fate.fate + ": " + fate.rule));
  }
  return args;
}

}  // namespace

Perfetto::Perfetto() { AppendName("process_name", kDisk, 0, "disk"); }

void Perfetto::Append(std::string_view phase, uint32_t process, uint64_t track,
                      std::string_view fields) {
  absl::StrAppend(&json_, is_empty_ ? "\n" : ",\n", "{\"ph\":\"", ToAbsl(phase), "\",\"ts\":", now_,
                  ",\"pid\":", process, ",\"tid\":", track, fields.empty() ? "" : ",",
                  ToAbsl(fields), "}");
  is_empty_ = false;
}

void Perfetto::AppendName(std::string_view what, uint32_t process, uint64_t track,
                          std::string_view name) {
  Append("M", process, track,
         absl::StrCat("\"name\":", Quoted(what), ",\"args\":{\"name\":", Quoted(name), "}"));
}

void Perfetto::AppendInstant(const Told& told, const std::string& name, bool is_everywhere) {
  const uint32_t process = is_everywhere ? kDisk : told.boot;
  const uint64_t track = is_everywhere ? 0 : TrackOf(told).id;
  Append("i", process, track,
         absl::StrCat("\"name\":", Quoted(name), ",\"s\":\"", is_everywhere ? "g" : "t",
                      "\",\"args\":{", ArgsOf(told), "}"));
}

Perfetto::Track& Perfetto::TrackOf(const Told& told) {
  const auto [at, is_new] = tracks_.try_emplace(told.task);
  if (is_new) {
    at->second.id = tracks_.size();
    AppendName("thread_name", told.boot, at->second.id, told.task);
  }
  return at->second;
}

void Perfetto::CloseSlices() {
  for (auto& [task, track] : tracks_) {
    for (; track.open_slices > 0; --track.open_slices) Append("E", boot_, track.id, "");
  }
}

void Perfetto::AppendOwed(const Told& told) {
  if (told.owed_bytes == owed_bytes_) return;
  owed_bytes_ = told.owed_bytes;
  Append("C", kDisk, 0,
         absl::StrCat("\"name\":\"owed bytes\",\"args\":{\"bytes\":", owed_bytes_, "}"));
}

void Perfetto::Add(const Told& told) {
  now_ = told.time;
  switch (told.kind) {
    case Told::Kind::kBoot:
      CloseSlices();
      tracks_.clear();
      boot_ = told.boot;
      AppendName("process_name", boot_, 0, absl::StrCat("boot ", boot_));
      break;
    case Told::Kind::kSpanEnter: {
      Track& track = TrackOf(told);
      ++track.open_slices;
      Append("B", boot_, track.id, absl::StrCat("\"name\":", Quoted(told.text)));
      break;
    }
    case Told::Kind::kSpanLeave: {
      Track& track = TrackOf(told);
      if (track.open_slices == 0) break;
      --track.open_slices;
      Append("E", boot_, track.id, "");
      break;
    }
    case Told::Kind::kCall:
      AppendInstant(told, told.path.empty() ? told.call : told.call + " " + told.path, false);
      break;
    case Told::Kind::kMark:
    case Told::Kind::kNote:
    case Told::Kind::kJudge:
    case Told::Kind::kSyncError:
      AppendInstant(told, told.text, false);
      break;
    case Told::Kind::kDeath:
      AppendInstant(told, told.text, true);
      CloseSlices();
      break;
    case Told::Kind::kCut:
      AppendInstant(told, "what the cut left", true);
      break;
  }
  AppendOwed(told);
}

std::string Perfetto::Finish() {
  CloseSlices();
  return json_ + "\n]}\n";
}

}  // namespace kiban::tools
