#include "suites/support/shrink_operations.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace kiban::suites {
namespace {

using Things = std::vector<std::string>;

// A place told by so many operations is told by so many fewer.
void ForgetOperations(uint32_t& begun, size_t from, size_t count) {
  const auto first = static_cast<uint32_t>(from);
  if (begun <= first) return;
  begun -= std::min(begun - first, static_cast<uint32_t>(count));
}

// A cut at rest behind an operation that is gone follows the one before it, or the first.
void FollowAnother(const Plan& plan, sim::Place& place) {
  auto* const at_rest = std::get_if<sim::AfterOperation>(&place);
  if (at_rest == nullptr || plan.operations.empty()) return;
  uint32_t id = plan.operations.front().id;
  for (const Operation& operation : plan.operations) {
    if (operation.id <= at_rest->operation) id = operation.id;
  }
  at_rest->operation = id;
}

enum TakeWay : size_t { kTakeAll, kLeavePut, kLeaveFlush, kLeaveCompact };

// About what a mutation costs in a log and in memory, beside its key and value.
constexpr uint32_t kOverheadBytes = 32;

uint32_t BytesOf(const Operation& operation) {
  uint32_t bytes = kOverheadBytes + static_cast<uint32_t>(operation.key.size());
  bytes += operation.value_bytes;
  for (const BatchItem& item : operation.batch) {
    bytes += kOverheadBytes + static_cast<uint32_t>(item.key.size());
    bytes += item.value_bytes.value_or(0);
  }
  return bytes;
}

bool Mutates(const Operation& operation) {
  return operation.kind == OpKind::kPut || operation.kind == OpKind::kDelete ||
         operation.kind == OpKind::kBatch;
}

// The first of [from, from + rest] is to stand for all of them.
void LeaveOne(std::vector<Operation>& operations, size_t from, size_t rest, size_t way) {
  Operation one{.id = operations[from].id, .client = operations[from].client};
  if (way == kLeavePut) {
    one.kind = OpKind::kPut;
    one.key = "k";
    for (size_t i = from; i <= from + rest; ++i) {
      if (Mutates(operations[i])) one.value_bytes += BytesOf(operations[i]);
    }
  } else {
    one.kind = way == kLeaveFlush ? OpKind::kFlush : OpKind::kCompact;
  }
  operations[from] = std::move(one);
}

}  // namespace

Things Operations(const Plan& plan) {
  Things names;
  for (const Operation& operation : plan.operations) names.push_back(absl::StrCat(operation.id));
  return names;
}

void TakeOperations(Plan& plan, size_t from, size_t count, size_t way) {
  if (way != kTakeAll) {
    if (--count == 0) return;  // Nothing would have gone.
    LeaveOne(plan.operations, from, count, way);
    ++from;
  }
  const auto first = plan.operations.begin() + static_cast<std::ptrdiff_t>(from);
  plan.operations.erase(first, first + static_cast<std::ptrdiff_t>(count));
  for (sim::Cut& cut : plan.faults.cuts) {
    ForgetOperations(cut.armed_at_operation, from, count);
    FollowAnother(plan, cut.place);
  }
  for (sim::SyncError& error : plan.faults.sync_errors) {
    ForgetOperations(error.armed_at_operation, from, count);
  }
}

namespace {

std::vector<uint32_t> ClientsAtWork(const Plan& plan) {
  std::set<uint32_t> at_work;
  for (const Operation& operation : plan.operations) {
    if (operation.client != 0) at_work.insert(operation.client);
  }
  return {at_work.begin(), at_work.end()};
}

}  // namespace

Things Clients(const Plan& plan) {
  Things names;
  for (const uint32_t client : ClientsAtWork(plan)) names.push_back(absl::StrCat(client));
  return names;
}

void MergeClients(Plan& plan, size_t from, size_t count, size_t way) {
  const std::vector<uint32_t> clients = ClientsAtWork(plan);
  const uint32_t heir = count == clients.size() ? 0
                        : from > 0              ? clients[from - 1]
                                                : clients[from + count];
  std::map<uint32_t, uint32_t> renamed;
  uint32_t next = 1;
  for (size_t i = 0; i < clients.size(); ++i) {
    const bool goes = i >= from && i < from + count;
    if (!goes) renamed[clients[i]] = way == 0 ? clients[i] : next++;
  }
  for (size_t i = from; i < from + count; ++i) renamed[clients[i]] = heir == 0 ? 0 : renamed[heir];
  plan.clients = 0;
  for (Operation& operation : plan.operations) {
    if (operation.client != 0) operation.client = renamed[operation.client];
    plan.clients = std::max(plan.clients, operation.client);
  }
  if (plan.clients > 0) return;
  plan.schedule.reset();
  for (Operation& operation : plan.operations) operation.abrupt = false;
}

namespace {

// Of one operation: which part it is, and how it goes. Those of a list go from behind.
struct Part {
  std::string name;
  std::function<void(Plan&)> take_away;
};

template <typename List>
void AddParts(size_t index, const Operation& operation, List Operation::*list,
              std::vector<Part>& parts) {
  for (size_t i = 0; i < (operation.*list).size(); ++i) {
    parts.push_back({absl::StrCat(operation.id, ".", i + 1), [index, list, i](Plan& plan) {
                       List& items = plan.operations[index].*list;
                       items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
                     }});
  }
}

std::vector<Part> PartsOf(const Plan& plan) {
  std::vector<Part> parts;
  for (size_t index = 0; index < plan.operations.size(); ++index) {
    const Operation& operation = plan.operations[index];
    if (operation.batch.size() > 1) AddParts(index, operation, &Operation::batch, parts);
    AddParts(index, operation, &Operation::moves, parts);
    if (operation.durability == Durability::kSynced) {
      parts.push_back({absl::StrCat(operation.id, ".sync"), [index](Plan& edited) {
                         edited.operations[index].durability = Durability::kUnsynced;
                       }});
    }
    if (operation.abrupt) {
      parts.push_back({absl::StrCat(operation.id, ".abrupt"),
                       [index](Plan& edited) { edited.operations[index].abrupt = false; }});
    }
  }
  return parts;
}

}  // namespace

Things Parts(const Plan& plan) {
  Things names;
  for (const Part& part : PartsOf(plan)) names.push_back(part.name);
  return names;
}

// A batch keeps its last item.
void TakeParts(Plan& plan, size_t from, size_t count, size_t) {
  const std::vector<Part> parts = PartsOf(plan);
  const std::vector<Operation> before = plan.operations;
  for (size_t i = from + count; i-- > from;) parts[i].take_away(plan);
  for (size_t i = 0; i < before.size(); ++i) {
    std::vector<BatchItem>& batch = plan.operations[i].batch;
    if (batch.empty() && !before[i].batch.empty()) batch.push_back(before[i].batch.back());
  }
}

namespace {

struct Value {
  std::string name;
  uint32_t* bytes;
};

std::vector<Value> LongValues(Plan& plan) {
  std::vector<Value> values;
  const auto add = [&](const std::string& name, uint32_t& bytes) {
    if (bytes > kShortValueBytes) values.push_back({name, &bytes});
  };
  for (Operation& operation : plan.operations) {
    if (operation.kind == OpKind::kPut) add(absl::StrCat(operation.id), operation.value_bytes);
    for (size_t i = 0; i < operation.batch.size(); ++i) {
      std::optional<uint32_t>& bytes = operation.batch[i].value_bytes;
      if (bytes.has_value()) add(absl::StrCat(operation.id, ".", i + 1), *bytes);
    }
  }
  return values;
}

}  // namespace

Things Values(const Plan& plan) {
  Things names;
  Plan copy = plan;
  for (const Value& value : LongValues(copy)) names.push_back(value.name);
  return names;
}

void ShortenValues(Plan& plan, size_t from, size_t count, size_t way) {
  const std::vector<Value> values = LongValues(plan);
  for (size_t i = from; i < from + count; ++i) {
    uint32_t& bytes = *values[i].bytes;
    bytes = way == 0 ? kShortValueBytes : std::max(bytes / 2, kShortValueBytes);
  }
}

namespace {

// Calls `visit` with every key and bound of the plan that is not empty, and its operation.
template <typename PlanT, typename Visit>
void VisitKeys(PlanT& plan, const Visit& visit) {
  for (auto& operation : plan.operations) {
    const auto see = [&](auto& key) {
      if (!key.empty()) visit(operation, key);
    };
    see(operation.key);
    if (operation.to.has_value()) see(*operation.to);
    for (auto& item : operation.batch) see(item.key);
    for (auto& move : operation.moves) see(move.key);
  }
}

constexpr size_t kPlainKeyBytesMax = 4;

struct NamedKey {
  uint32_t first_operation;
  std::string key;
  std::string plain;
};

bool IsPlain(const std::string& key) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0; };
  return key.size() <= kPlainKeyBytesMax && std::all_of(key.begin(), key.end(), is_plain);
}

// In their order, which plain names keep.
std::vector<NamedKey> KeysNotPlain(const Plan& plan) {
  std::map<std::string, uint32_t> first_of;
  VisitKeys(plan, [&](const Operation& operation, const std::string& key) {
    first_of.emplace(key, operation.id);
  });
  const int digits = first_of.size() < 10 ? 1 : first_of.size() < 100 ? 2 : 3;
  std::vector<NamedKey> found;
  size_t rank = 0;
  for (const auto& [key, operation] : first_of) {
    std::string plain = absl::StrFormat("k%0*d", digits, ++rank);
    if (IsPlain(key) || first_of.contains(plain)) continue;
    found.push_back({operation, key, std::move(plain)});
  }
  return found;
}

}  // namespace

Things Keys(const Plan& plan) {
  Things names;
  for (const NamedKey& key : KeysNotPlain(plan)) names.push_back(absl::StrCat(key.first_operation));
  return names;
}

void RenameKeys(Plan& plan, size_t from, size_t count, size_t) {
  const std::vector<NamedKey> keys = KeysNotPlain(plan);
  std::map<std::string, std::string> plain_of;
  for (size_t i = from; i < from + count; ++i) plain_of.emplace(keys[i].key, keys[i].plain);
  VisitKeys(plan, [&](const Operation&, std::string& key) {
    const auto plain = plain_of.find(key);
    if (plain != plain_of.end()) key = plain->second;
  });
}

}  // namespace kiban::suites
