// A payload that is taken for a batch is what a Batch writes of the same operations.
#include <cstddef>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/lsm/batch.h"
#include "suites/formats/fuzz_seeds.h"

namespace kiban::suites {

std::vector<std::string> MakeFuzzSeeds() {
  lsm::Batch batch;
  std::vector<std::string> seeds;
  batch.Put("", "");
  seeds.emplace_back(batch.payload());
  batch.Delete("key");
  batch.Put("another key", std::string(200, 'v'));
  seeds.emplace_back(batch.payload());
  return seeds;
}

namespace {

void Read(std::string_view payload) {
  lsm::Batch batch;
  const absl::Status status = lsm::DecodeBatch(
      payload, [&](table::Kind kind, std::string_view key, std::string_view value) {
        if (kind == table::Kind::kPut) {
          batch.Put(key, value);
        } else {
          batch.Delete(key);
        }
        return absl::OkStatus();
      });
  CHECK(status.ok() || absl::IsDataLoss(status));
  if (status.ok()) CHECK(batch.payload() == payload);
}

}  // namespace
}  // namespace kiban::suites

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kiban::suites::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
