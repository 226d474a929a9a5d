// One seed of a sweep: generated, planted, lived, and lived again if it is one of those to be
// compared.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "suites/support/case_file.h"
#include "suites/support/life.h"
#include "suites/support/shared_slot.h"
#include "suites/support/sweep_request.h"

namespace kiban::suites {

// Whether `seed` is lived twice: a matter of the seed alone.
bool IsRechecked(uint64_t seed, uint32_t recheck_ppm);

// Whether a process may go on after a life that ended so. One that was left hanging in the middle
// of its stack, or that cannot be explained, is not to be trusted with the next.
bool LeavesSoundProcess(Verdict verdict);

// The plan is in `slot` before the life begins, and each decision as soon as it is taken. A verdict
// of broken is given here: fewer crashes than were generated, or a second run with another digest.
LifeReport LiveSeed(const SweepRequest& request, uint64_t seed, SharedSlot& slot);

// Writes into the case what its life reached, for a corpus to see when it no longer does.
void RecordReach(const LifeCounts& counts, Case& c);

// The case of a life. One that plants a bug expects what was found; every other one expects *held*.
Case CaseOf(const Provenance& provenance, const LifeReport& report);

// What is known of a life whose process died, out of its slot: the plan, the cuts that struck, the
// span of the last one. *Crashed*, or *broken* if there is no plan yet, since then the generator
// did it.
LifeReport ReportOfDead(const SharedSlot& slot);

// The text of a case, with `remarks` (a stack) as lines for people.
std::string CaseText(const Case& c, std::string_view remarks);

}  // namespace kiban::suites
