#include "suites/support/mutations.h"

#include <optional>

namespace kiban::suites {

std::vector<models::Mutation> MutationsOf(const Operation& operation) {
  if (operation.kind == OpKind::kPut) {
    return {{operation.key, ValueOf(operation.id, 0, operation.value_bytes)}};
  }
  if (operation.kind == OpKind::kDelete) return {{operation.key, std::nullopt}};
  std::vector<models::Mutation> mutations;
  for (const BatchItem& item : operation.batch) {
    models::Mutation& mutation = mutations.emplace_back();
    mutation.key = item.key;
    if (item.value_bytes.has_value()) {
      const auto index = static_cast<uint32_t>(mutations.size() - 1);
      mutation.value = ValueOf(operation.id, index, *item.value_bytes);
    }
  }
  return mutations;
}

absl::StatusOr<Sequence> CallMutation(EngineUnderTest& engine, const Operation& operation,
                                      const std::vector<models::Mutation>& mutations) {
  if (operation.kind == OpKind::kPut) {
    return engine.Put(operation.key, *mutations[0].value, operation.durability);
  }
  if (operation.kind == OpKind::kDelete) {
    return engine.Remove(operation.key, operation.durability);
  }
  std::vector<Mutation> batch;
  batch.reserve(mutations.size());
  for (const models::Mutation& mutation : mutations)
    batch.push_back({mutation.key, mutation.value});
  return engine.Write(batch, operation.durability);
}

}  // namespace kiban::suites
