// The toy with a bug in it, to see that the suites find it. Each bug is one step of toy_db.h done
// wrong. The last two show what becomes of an engine that does not survive its own bug.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "suites/toy_engine/toy_db.h"

namespace kiban::suites::toy {

// `bug`: empty for none, or "toy-no-sync", "toy-append-after-torn-tail", "toy-publish-before-sync",
// "toy-wild-pointer", "toy-tries-for-ever". Null if there is no such bug.
std::unique_ptr<ToyDb> MakeToyDb(const engine::Env& env, std::string dir, const ToyOptions& options,
                                 std::string_view bug);

}  // namespace kiban::suites::toy
