// The one place where running code asks whether a simulation is watching.
//
// `g_hooks` is null in production and set only while a simulated world runs; MARK, SPAN, CHECK,
// Atomic and the waits of sync.h look at nothing else. No code may act differently because of it.
#pragma once

#include <cstdint>
#include <string_view>

namespace kiban::base {

// A name known at compile time with a hash that is the same in every build and process.
struct Label {
  std::string_view name;
  uint64_t id;

  consteval Label(const char* text) : name(text), id(Hash(text)) {}

  // FNV-1a: names are short and hashed by the compiler.
  static constexpr uint64_t Hash(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return hash;
  }
};

// What a task waits for when it parks: a lock that another task holds, or a condition that another
// task is to bring about.
enum class WaitKind : uint8_t { kLock, kCondition };

class Hooks {
 public:
  virtual ~Hooks() = default;
  virtual void OnMark(const Label& label) = 0;
  virtual void OnSpanEnter(const Label& label) = 0;
  virtual void OnSpanLeave(const Label& label) = 0;
  virtual void OnCheckFailed(const char* condition, const char* file, int line) = 0;
  // Before each access to an Atomic: other tasks may run first.
  virtual void OnAtomic() = 0;
  // The calling task is about to park; `name`, of static storage, is for reports of tasks that
  // wait for ever.
  virtual void OnWait(WaitKind kind, std::string_view name) = 0;
};

inline constinit Hooks* g_hooks = nullptr;

}  // namespace kiban::base
