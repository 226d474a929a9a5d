#include "engine/lsm/snapshots.h"

#include <algorithm>
#include <utility>

namespace kiban::lsm {

class SnapshotList::Held final : public Snapshot {
 public:
  Held(std::shared_ptr<SnapshotList> list, base::Sequence sequence)
      : list_(std::move(list)), place_(list_->held_.insert(sequence)) {}
  ~Held() override { list_->held_.erase(place_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  base::Sequence sequence() const override { return *place_; }

 private:
  std::shared_ptr<SnapshotList> list_;
  std::multiset<base::Sequence>::iterator place_;
};

std::unique_ptr<Snapshot> SnapshotList::Take(std::shared_ptr<SnapshotList> list,
                                             base::Sequence sequence) {
  return std::make_unique<Held>(std::move(list), sequence);
}

std::vector<base::Sequence> SnapshotList::Sequences() const {
  std::vector<base::Sequence> sequences(held_.begin(), held_.end());
  sequences.erase(std::unique(sequences.begin(), sequences.end()), sequences.end());
  return sequences;
}

}  // namespace kiban::lsm
