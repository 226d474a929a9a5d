// What readers work on: which memtables and tables make up the database, at one moment.
//
// A view is an immutable value (entries are added to its memtable, and hidden from readers by their
// sequence). Readers hold on to one and are never disturbed: a structural commit puts another in
// its place.
#pragma once

#include <memory>
#include <utility>

#include "engine/base/sync.h"
#include "engine/lsm/memtable.h"
#include "engine/lsm/version.h"

namespace kiban::lsm {

struct View {
  std::shared_ptr<const Memtable> memtable;  // The newest entries. Never null.
  std::shared_ptr<const Memtable> frozen;    // Older ones, being flushed; null otherwise.
  std::shared_ptr<const Version> version;    // Everything older. Never null.
};

class CurrentView {
 public:
  CurrentView(engine::Tasks* tasks, View first)
      : mutex_(tasks, "lsm.view"), view_(std::make_shared<const View>(std::move(first))) {}

  // Null once the database is closed. Any task; nobody holds the lock for longer than it takes to
  // copy a few pointers: nothing is allocated or freed under it.
  std::shared_ptr<const View> Take() const {
    const base::MutexLock lock(mutex_);
    return view_;
  }

  // `change` works on a copy. The writer and maintenance change different parts of the view, each
  // at its own time; what the change takes out of the view is still held by the one before. Not
  // after Close().
  template <typename ChangeView>
  void Change(const ChangeView& change) {
    auto next = std::make_shared<View>();
    std::shared_ptr<const View> old;  // Let go of without the lock.
    const base::MutexLock lock(mutex_);
    *next = *view_;
    change(*next);
    old = std::exchange(view_, std::move(next));
  }

  void Close() {
    std::shared_ptr<const View> old;
    const base::MutexLock lock(mutex_);
    old = std::exchange(view_, nullptr);
  }

 private:
  mutable base::Mutex mutex_;
  std::shared_ptr<const View> view_;
};

}  // namespace kiban::lsm
