#include "engine/pointindex/builder.h"

#include "engine/base/check.h"
#include "engine/pointindex/ph2_builder.h"
#include "engine/pointindex/ph3_builder.h"

namespace kiban::pointindex {

std::unique_ptr<Builder> Builder::Make(const BuilderOptions& options) {
  switch (options.layout) {
    case Layout::kPh2:
      return std::make_unique<Ph2Builder>(options);
    case Layout::kPh3:
      return std::make_unique<Ph3Builder>(options);
  }
  CHECK(false);
  return nullptr;
}

}  // namespace kiban::pointindex
