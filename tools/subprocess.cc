#include "tools/subprocess.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace kiban::tools {
namespace {

constexpr int kCouldNotRun = 127;

[[noreturn]] void Become(const std::vector<std::string>& words, const std::string& directory,
                         const std::string& log) {
  const int fd = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (fd < 0 || chdir(directory.c_str()) != 0) _exit(kCouldNotRun);
  dup2(fd, STDOUT_FILENO);
  dup2(fd, STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(kCouldNotRun);
}

}  // namespace

int RunProgram(const std::vector<std::string>& words, const std::string& directory,
               const std::string& log) {
  std::fflush(stdout);
  const pid_t pid = fork();
  if (pid < 0) return kCouldNotRun;
  if (pid == 0) Become(words, directory, log);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return kCouldNotRun;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kCouldNotRun;
}

}  // namespace kiban::tools
