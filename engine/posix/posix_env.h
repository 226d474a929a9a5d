// The seam on Linux: real files, real time, real threads, real chance. The only code of the engine
// that makes a system call. README.md says which calls stand behind which promise.
#pragma once

#include <memory>
#include <string>

#include "engine/env.h"

namespace kiban::posix {

class PosixEnv {
 public:
  // Paths are relative to the directory `root`; "" takes them as they are given.
  explicit PosixEnv(std::string root);
  ~PosixEnv();  // Every task must have been joined (CHECK).
  PosixEnv(const PosixEnv&) = delete;
  PosixEnv& operator=(const PosixEnv&) = delete;

  // Its pointers live as long as this object.
  engine::Env env();

 private:
  std::unique_ptr<engine::FileSystem> files_;
  std::unique_ptr<engine::Clock> clock_;
  std::unique_ptr<engine::Tasks> tasks_;
  std::unique_ptr<engine::Random> random_;
};

}  // namespace kiban::posix
