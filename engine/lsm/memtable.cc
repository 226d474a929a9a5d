#include "engine/lsm/memtable.h"

#include <bit>
#include <new>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/hash.h"

namespace kiban::lsm {

// Lies in the arena with as many links behind it as it is high.
struct Memtable::Node {
  table::Entry entry;

  Link* links() { return reinterpret_cast<Link*>(this + 1); }
  const Link* links() const { return reinterpret_cast<const Link*>(this + 1); }
};

namespace {

// One entry in four is higher than 1, one in four of those higher than 2, and so on.
uint32_t HeightOf(uint64_t nth_entry, uint32_t height_max) {
  const auto pairs_of_zeros = static_cast<uint32_t>(std::countr_zero(base::Mix64(nth_entry)) / 2);
  return pairs_of_zeros < height_max ? pairs_of_zeros + 1 : height_max;
}

bool StandsBefore(const table::Entry& entry, std::string_view key, base::Sequence sequence) {
  return table::Compare(entry.key, entry.sequence, key, sequence) < 0;
}

}  // namespace

const Memtable::Link* Memtable::LinksFrom(const Node* node) const {
  return node == nullptr ? head_.data() : node->links();
}

Memtable::Link* Memtable::LinksFrom(Node* node) {
  return node == nullptr ? head_.data() : node->links();
}

// Others may run before the walk, and before its lowest level, where it is decided what is found.
Memtable::Gap Memtable::GapAt(std::string_view key, base::Sequence sequence) const {
  const Node* before = nullptr;
  for (uint32_t level = height_.Load(std::memory_order_relaxed); level-- > 1;) {
    for (const Node* next = LinksFrom(before)[level].LoadOnTheWay();
         next != nullptr && StandsBefore(next->entry, key, sequence);
         next = before->links()[level].LoadOnTheWay()) {
      before = next;
    }
  }
  const Node* after = LinksFrom(before)[0].Load();
  while (after != nullptr && StandsBefore(after->entry, key, sequence)) {
    before = after;
    after = before->links()[0].LoadOnTheWay();
  }
  return {.before = before, .after = after};
}

// Null where the list is not yet as high: the place before the first.
Memtable::Path Memtable::PathTo(std::string_view key, base::Sequence sequence) {
  Path path = {};
  Node* at = nullptr;
  for (uint32_t level = height_.LoadOwn(); level-- > 0;) {
    for (Node* next = LinksFrom(at)[level].LoadOwn();
         next != nullptr && StandsBefore(next->entry, key, sequence);
         next = LinksFrom(at)[level].LoadOwn()) {
      at = next;
    }
    path[level] = at;
  }
  return path;
}

const Memtable::Node* Memtable::Last() const {
  const Node* at = nullptr;
  for (uint32_t level = height_.Load(std::memory_order_relaxed); level-- > 0;) {
    while (const Node* next = LinksFrom(at)[level].Load()) at = next;
  }
  return at;
}

void Memtable::Add(const table::Entry& entry) {
  const Path path = PathTo(entry.key, entry.sequence);
  const Node* const after = LinksFrom(path[0])[0].LoadOwn();
  CHECK(after == nullptr || after->entry.sequence != entry.sequence ||
        after->entry.key != entry.key);

  const uint32_t height = HeightOf(++entry_count_, kHeightMax);
  if (height > height_.LoadOwn()) height_.Store(height, std::memory_order_relaxed);
  static_assert(sizeof(Node) % alignof(Link) == 0);
  static_assert(alignof(Link) <= alignof(void*));
  // On the average there are 4/3 links; key and value are rounded up to a whole pointer each.
  static_assert(sizeof(Node) + 2 * sizeof(Link) + 2 * sizeof(void*) <= kEntryOverheadBytes);
  char* const memory = arena_.Allocate(sizeof(Node) + height * sizeof(Link));
  Node* const node = new (memory) Node{.entry = {.key = arena_.Copy(entry.key),
                                                 .sequence = entry.sequence,
                                                 .kind = entry.kind,
                                                 .value = arena_.Copy(entry.value)}};
  // From below, so that whoever meets the node up there finds the rest of its way.
  for (uint32_t level = 0; level < height; ++level) {
    Link& before = LinksFrom(path[level])[level];
    new (&node->links()[level]) Link(before.LoadOwn());
    before.Store(node);
  }
}

const table::Entry* Memtable::Find(std::string_view key, base::Sequence at) const {
  const Node* const found = GapAt(key, at).after;
  return found != nullptr && found->entry.key == key ? &found->entry : nullptr;
}

class Memtable::Iterator final : public table::Iterator {
 public:
  explicit Iterator(std::shared_ptr<const Memtable> memtable) : memtable_(std::move(memtable)) {}

  bool Valid() const override { return node_ != nullptr; }
  void SeekToFirst() override { node_ = memtable_->First(); }
  void SeekToLast() override { node_ = memtable_->Last(); }
  void Seek(std::string_view key, base::Sequence sequence) override {
    node_ = memtable_->GapAt(key, sequence).after;
  }
  void SeekBefore(std::string_view key, base::Sequence sequence) override {
    node_ = memtable_->GapAt(key, sequence).before;
  }
  void Next() override {
    CHECK(Valid());
    node_ = node_->links()[0].Load();
    if (node_ == nullptr) return;
    if (const Node* const next = node_->links()[0].LoadOnTheWay()) FetchAhead(next);
  }
  void Prev() override {
    CHECK(Valid());
    node_ = memtable_->GapAt(node_->entry.key, node_->entry.sequence).before;
  }
  const table::Entry& entry() const override { return node_->entry; }
  absl::Status status() const override { return absl::OkStatus(); }

 private:
  // A node lies wherever there was room when it was added: on a long walk, waiting for it would
  // take longer than what is done with its entry. Key and value stand behind it; this is as far as
  // those of common entries go.
  static void FetchAhead(const Node* next) {
    constexpr size_t kLineBytes = 64;
    constexpr size_t kFetchedBytes = 448;
    const char* const begin = reinterpret_cast<const char*>(next);
    for (size_t at = 0; at < kFetchedBytes; at += kLineBytes) __builtin_prefetch(begin + at);
  }

  std::shared_ptr<const Memtable> memtable_;
  const Node* node_ = nullptr;
};

std::unique_ptr<table::Iterator> Memtable::NewIterator(std::shared_ptr<const Memtable> memtable) {
  return std::make_unique<Iterator>(std::move(memtable));
}

}  // namespace kiban::lsm
