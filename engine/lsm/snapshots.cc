#include "engine/lsm/snapshots.h"

#include <algorithm>
#include <utility>

namespace kiban::lsm {

class SnapshotList::Held final : public Snapshot {
 public:
  Held(std::shared_ptr<SnapshotList> list, Place place) : list_(std::move(list)), place_(place) {}
  ~Held() override {
    const base::MutexLock lock(list_->mutex_);
    list_->held_.erase(place_);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  base::Sequence sequence() const override { return *place_; }

 private:
  const std::shared_ptr<SnapshotList> list_;
  const Place place_;
};

std::unique_ptr<Snapshot> SnapshotList::Take(std::shared_ptr<SnapshotList> list,
                                             const base::Atomic<base::Sequence>& last_sequence) {
  Place place;
  {
    const base::MutexLock lock(list->mutex_);
    place = list->held_.insert(last_sequence.Load());
  }
  return std::make_unique<Held>(std::move(list), place);
}

std::vector<base::Sequence> SnapshotList::Sequences() const {
  std::vector<base::Sequence> sequences;
  {
    const base::MutexLock lock(mutex_);
    sequences.assign(held_.begin(), held_.end());
  }
  sequences.erase(std::unique(sequences.begin(), sequences.end()), sequences.end());
  return sequences;
}

bool SnapshotList::HoldsAny(const std::vector<base::Sequence>& sequences) const {
  const base::MutexLock lock(mutex_);
  return std::any_of(sequences.begin(), sequences.end(),
                     [&](base::Sequence sequence) { return held_.count(sequence) > 0; });
}

}  // namespace kiban::lsm
