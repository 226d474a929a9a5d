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

  Node** links() { return reinterpret_cast<Node**>(this + 1); }
  Node* const* links() const { return reinterpret_cast<Node* const*>(this + 1); }
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

Memtable::Node* const* Memtable::LinksFrom(const Node* node) const {
  return node == nullptr ? head_.data() : node->links();
}

Memtable::Node* Memtable::Before(std::string_view key, base::Sequence sequence, Links* path) const {
  Node* at = nullptr;
  for (uint32_t level = height_; level-- > 0;) {
    for (Node* next = LinksFrom(at)[level];
         next != nullptr && StandsBefore(next->entry, key, sequence); next = LinksFrom(at)[level]) {
      at = next;
    }
    if (path != nullptr) (*path)[level] = at;
  }
  return at;
}

const Memtable::Node* Memtable::Last() const {
  const Node* at = nullptr;
  for (uint32_t level = height_; level-- > 0;) {
    while (const Node* next = LinksFrom(at)[level]) at = next;
  }
  return at;
}

void Memtable::Add(const table::Entry& entry) {
  Links path = {};  // Null where the list is not yet as high: the place before the first.
  const Node* const before = Before(entry.key, entry.sequence, &path);
  const Node* const after = LinksFrom(before)[0];
  CHECK(after == nullptr || after->entry.sequence != entry.sequence ||
        after->entry.key != entry.key);

  const uint32_t height = HeightOf(++entry_count_, kHeightMax);
  if (height > height_) height_ = height;
  static_assert(sizeof(Node) % alignof(Node*) == 0);
  char* const memory = arena_.Allocate(sizeof(Node) + height * sizeof(Node*));
  Node* const node = new (memory) Node{.entry = {.key = arena_.Copy(entry.key),
                                                 .sequence = entry.sequence,
                                                 .kind = entry.kind,
                                                 .value = arena_.Copy(entry.value)}};
  for (uint32_t level = 0; level < height; ++level) {
    Node** const links = path[level] == nullptr ? head_.data() : path[level]->links();
    new (&node->links()[level]) Node*(links[level]);
    links[level] = node;
  }
}

const table::Entry* Memtable::Find(std::string_view key, base::Sequence at) const {
  const Node* const found = LinksFrom(Before(key, at, nullptr))[0];
  return found != nullptr && found->entry.key == key ? &found->entry : nullptr;
}

class Memtable::Iterator final : public table::Iterator {
 public:
  explicit Iterator(std::shared_ptr<const Memtable> memtable) : memtable_(std::move(memtable)) {}

  bool Valid() const override { return node_ != nullptr; }
  void SeekToFirst() override { node_ = memtable_->LinksFrom(nullptr)[0]; }
  void SeekToLast() override { node_ = memtable_->Last(); }
  void Seek(std::string_view key, base::Sequence sequence) override {
    node_ = memtable_->LinksFrom(memtable_->Before(key, sequence, nullptr))[0];
  }
  void SeekBefore(std::string_view key, base::Sequence sequence) override {
    node_ = memtable_->Before(key, sequence, nullptr);
  }
  void Next() override {
    CHECK(Valid());
    node_ = node_->links()[0];
  }
  void Prev() override {
    CHECK(Valid());
    node_ = memtable_->Before(node_->entry.key, node_->entry.sequence, nullptr);
  }
  const table::Entry& entry() const override { return node_->entry; }
  absl::Status status() const override { return absl::OkStatus(); }

 private:
  std::shared_ptr<const Memtable> memtable_;
  const Node* node_ = nullptr;
};

std::unique_ptr<table::Iterator> Memtable::NewIterator(std::shared_ptr<const Memtable> memtable) {
  return std::make_unique<Iterator>(std::move(memtable));
}

}  // namespace kiban::lsm
