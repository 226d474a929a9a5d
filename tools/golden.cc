#include "tools/golden.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/posix/posix_env.h"
#include "tools/command_line.h"
#include "tools/golden/checks.h"
#include "tools/golden/formats.h"
#include "tools/golden/sha256.h"
#include "tools/golden/text.h"

namespace kiban::tools {
namespace {

constexpr char kSums[] = "SHA256SUMS";
constexpr char kReadme[] = "README.md";
constexpr char kExpected[] = "expected.txt";

// Digest by path below the golden directory, as `sha256sum` writes them.
absl::StatusOr<std::map<std::string, std::string>> ReadSums(engine::FileSystem& files,
                                                            const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, base::ReadWholeFile(files, path));
  std::map<std::string, std::string> sums;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits("  ", 1));
    if (words.size() != 2 || !sums.emplace(words[1], words[0]).second) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": not a line of it: ", line));
    }
  }
  return sums;
}

// Every file below the directory, by its path from there.
absl::StatusOr<std::vector<std::string>> FilesBelow(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::recursive_directory_iterator();
       entry.increment(error)) {
    if (!entry->is_regular_file()) continue;
    paths.push_back(std::filesystem::relative(entry->path(), directory).string());
  }
  if (error) return absl::NotFoundError(absl::StrCat(directory, ": ", error.message()));
  return paths;
}

class GoldenCheck {
 public:
  explicit GoldenCheck(std::string directory) : directory_(std::move(directory)) {}

  GoldenReport Run(bool is_all) {
    CheckSums();
    CheckFolders();
    if (is_all) CheckNothingIsLeftOut();
    return report_;
  }

 private:
  void CheckSums() {
    const std::string path = absl::StrCat(directory_, "/", kSums);
    const auto sums = ReadSums(files_, path);
    if (!sums.ok()) return Complain(report_, path, base::ToStd(sums.status().message()));
    if (sums->empty()) return Complain(report_, path, "it names no file");
    for (const auto& [name, sum] : *sums) CheckSum(name, sum);
    const auto present = FilesBelow(directory_);
    if (!present.ok()) return Complain(report_, path, base::ToStd(present.status().message()));
    for (const std::string& name : *present) {
      if (name == kSums || name == kReadme || sums->count(name) > 0) continue;
      Complain(report_, absl::StrCat(directory_, "/", name), absl::StrCat("not in ", kSums));
    }
  }

  void CheckSum(const std::string& name, const std::string& sum) {
    const std::string path = absl::StrCat(directory_, "/", name);
    const absl::StatusOr<std::string> bytes = base::ReadWholeFile(files_, path);
    if (!bytes.ok()) {
      Complain(report_, path, absl::StrCat("missing: ", bytes.status().message()));
    } else if (Sha256(*bytes) != sum) {
      Complain(report_, path, "changed: golden files are never edited, only added to");
    } else {
      ++report_.files;
    }
  }

  void CheckFolders() {
    const auto names = files_.List(directory_);
    if (!names.ok()) return Complain(report_, directory_, base::ToStd(names.status().message()));
    for (const std::string& name : *names) {
      const std::string path = absl::StrCat(directory_, "/", name);
      if (!files_.List(path).ok()) continue;
      const auto text = base::ReadWholeFile(files_, absl::StrCat(path, "/", kExpected));
      if (!text.ok()) {
        Complain(report_, path, base::ToStd(text.status().message()));
        continue;
      }
      CheckFolder({files_, path, *text});
    }
  }

  void CheckFolder(const GoldenFolder& folder) {
    const std::string kind = KindOf(folder.text);
    if (kind == "table") return CheckTables(folder, report_);
    if (kind == "log") return CheckLog(folder, report_);
    if (kind == "manifest") return CheckManifest(folder, report_);
    if (kind == "database") return CheckDatabase(folder, report_);
    Complain(report_, folder.path, "its text says of nothing what it is");
  }

  void CheckNothingIsLeftOut() {
    for (const GoldenFormat& format : kGoldenFormats) {
      const std::string name(format.name);
      Demand(report_.formats_of_tables.contains(name), "table of format " + name);
      Demand(report_.names_of_databases.contains("database-" + name), "database-" + name);
    }
    Demand(report_.logs > 0, "log");
    Demand(report_.manifests > 0, "manifest");
  }

  void Demand(bool is_there, const std::string& what) {
    if (!is_there) Complain(report_, directory_, "it has no whole " + what);
  }

  const std::string directory_;
  posix::PosixEnv posix_{""};
  engine::FileSystem& files_ = *posix_.env().files;
  GoldenReport report_;
};

// A path with a slash at its end has no name there.
std::filesystem::path WithoutSlash(const std::string& directory) {
  const std::filesystem::path path(directory);
  return path.has_filename() ? path : path.parent_path();
}

std::string TextOf(const GoldenReport& report) {
  std::string text;
  for (const std::string& complaint : report.complaints) {
    absl::StrAppend(&text, "GOLDEN      ", complaint, "\n");
  }
  absl::StrAppend(
      &text, report.files, " golden files: ", report.tables, " tables, ", report.logs, " logs, ",
      report.manifests, " manifests, ", report.databases, " databases; ", report.reads,
      " answers compared, ", report.rewrites, " files made again: ",
      report.complaints.empty() ? "all as they should be\n" : "not all as they should be\n");
  return text;
}

}  // namespace

GoldenReport CheckGoldenIn(const std::string& directory, bool is_all) {
  return GoldenCheck(directory).Run(is_all);
}

bool IsGolden(const std::string& directory) {
  return WithoutSlash(directory).filename() == "golden";
}

int CheckGolden(const std::vector<std::string>& directories, bool is_all) {
  int exit_status = kExitHeld;
  for (const std::string& directory : directories) {
    const std::filesystem::path path = WithoutSlash(directory);
    const std::string golden = (IsGolden(directory) ? path : path / "golden").string();
    if (!is_all && !std::filesystem::is_directory(golden)) continue;
    const GoldenReport report = CheckGoldenIn(golden, is_all);
    std::fputs(TextOf(report).c_str(), stdout);
    if (!report.complaints.empty()) exit_status = kExitFailed;
  }
  return exit_status;
}

}  // namespace kiban::tools
