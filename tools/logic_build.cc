#include "tools/logic_build.h"

#include <filesystem>
#include <set>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "suites/support/whole_file.h"
#include "tools/subprocess.h"

namespace kiban::tools {
namespace {

namespace fs = std::filesystem;

// The parts of the tree that the program is built from.
constexpr const char* kParts[] = {"CMakeLists.txt", "engine", "sim", "models", "suites", "tools"};

// Within the copy, as deep as the preset's, so that the compiler cache knows every file that the
// patch does not touch.
constexpr char kBuildFolder[] = "build/release";

absl::Status Failed(const std::string& what, const std::error_code& error) {
  return absl::ErrnoToStatus(error.value(), what);
}

// Copies what differs, so that what does not is not built again.
absl::Status CopyFile(const fs::path& from, const fs::path& to) {
  ASSIGN_OR_RETURN(const std::string wanted, suites::ReadWhole(from.string()));
  const absl::StatusOr<std::string> found = suites::ReadWhole(to.string());
  if (found.ok() && *found == wanted) return absl::OkStatus();
  RETURN_IF_ERROR(suites::MakeDirectories(to.parent_path().string()));
  return suites::WriteWhole(to.string(), wanted);
}

absl::Status FilesUnder(const fs::path& root, std::set<fs::path>& relative) {
  for (const char* const part : kParts) {
    std::error_code error;
    const fs::path path = root / part;
    if (fs::is_regular_file(path, error)) relative.insert(part);
    if (!fs::is_directory(path, error)) continue;
    fs::recursive_directory_iterator entry(path, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (entry->is_regular_file()) relative.insert(entry->path().lexically_relative(root));
    }
    if (error) return Failed(path.string(), error);
  }
  return absl::OkStatus();
}

absl::Status Mirror(const fs::path& from, const fs::path& to) {
  std::set<fs::path> wanted;
  std::set<fs::path> found;
  RETURN_IF_ERROR(FilesUnder(from, wanted));
  RETURN_IF_ERROR(FilesUnder(to, found));
  for (const fs::path& path : wanted) RETURN_IF_ERROR(CopyFile(from / path, to / path));
  for (const fs::path& path : found) {
    std::error_code error;
    if (wanted.count(path) == 0 && !fs::remove(to / path, error))
      return Failed(path.string(), error);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> SourceTree() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path source = program.parent_path().parent_path().parent_path();
  if (!error && fs::exists(source / "suites/mutants")) return source.string();
  return absl::NotFoundError(
      absl::StrCat("logic mutants are built from source: run the program where it was built, as "
                   "SOURCE/build/PRESET/kiban, not as ",
                   program.string()));
}

absl::StatusOr<std::vector<suites::Mutant>> LogicMutants(const std::string& source) {
  std::set<fs::path> paths;
  std::error_code error;
  fs::directory_iterator entry(source + "/suites/mutants", error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".patch") paths.insert(entry->path());
  }
  if (error) return Failed(source + "/suites/mutants", error);
  std::vector<suites::Mutant> mutants;
  for (const fs::path& path : paths) {
    ASSIGN_OR_RETURN(const std::string text, suites::ReadWhole(path.string()));
    ASSIGN_OR_RETURN(suites::Mutant mutant, suites::ParseLogicMutant(path.string(), text));
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}

absl::StatusOr<LogicBuild> LogicBuild::Prepare(const std::string& source) {
  LogicBuild build(source + "/build/mutants");
  RETURN_IF_ERROR(suites::MakeDirectories(build.root_ + "/src"));
  RETURN_IF_ERROR(Mirror(source, build.root_ + "/src"));
  RETURN_IF_ERROR(suites::WriteWhole(build.log(), ""));
  return build;
}

absl::Status LogicBuild::Run(const std::vector<std::string>& words, const std::string& what) {
  const int status = RunProgram(words, root_ + "/src", log());
  if (status == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(what, " (exit status ", status, "); see ", log()));
}

absl::Status LogicBuild::BuildWith(const std::string& patch, const std::string& name) {
  RETURN_IF_ERROR(Run({"patch", "-p1", "--forward", "--reject-file=-", "--dry-run", "-i", patch},
                      absl::StrCat(patch, " does not apply any more")));
  RETURN_IF_ERROR(Run({"patch", "-p1", "--no-backup-if-mismatch", "-i", patch},
                      absl::StrCat(patch, " does not apply")));
  absl::Status built = Run(
      {"cmake", "-S", ".", "-B", kBuildFolder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
       "-DCMAKE_CXX_COMPILER=g++", "-DKIBAN_TESTS=OFF", absl::StrCat("-DKIBAN_LOGIC_PLANT=", name)},
      "cannot configure with the patch");
  if (built.ok()) {
    built = Run({"cmake", "--build", kBuildFolder, "--target", "kiban"},
                absl::StrCat("does not build with ", patch));
  }
  RETURN_IF_ERROR(Run({"patch", "-p1", "--reverse", "--no-backup-if-mismatch", "-i", patch},
                      absl::StrCat(patch, " cannot be taken back")));
  return built;
}

}  // namespace kiban::tools
