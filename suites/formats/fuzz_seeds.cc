#include "suites/formats/fuzz_seeds.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t size_max);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t size_max,
                                          unsigned int seed) {
  constexpr unsigned kInputsPerSeed = 64;
  static const std::vector<std::string> seeds = kiban::suites::MakeFuzzSeeds();
  const std::string& chosen = seeds[seed / kInputsPerSeed % seeds.size()];
  const bool takes_seed = size <= 1 || seed % kInputsPerSeed == 0;
  if (!takes_seed || chosen.size() > size_max) return LLVMFuzzerMutate(data, size, size_max);
  std::memcpy(data, chosen.data(), chosen.size());
  return chosen.size();
}
