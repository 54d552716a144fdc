// SPDX-License-Identifier: Apache-2.0
// Where two variants first differ: the first node that makes another output of the same inputs.
#pragma once

#include <string>
#include <vector>

#include <lapidary/inspect/difference_text.h>
#include <lapidary/inspect/first_difference.h>
#include <lapidary/internal/shared_memory.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class ByteReader;

struct FoundDifference {
    Divergence divergence;
    std::vector<FoundLine> lines;  // lines_of() it
};

/// On the inputs that CompareJob takes. Throws what find_first_difference() throws.
struct DivergeJob {
    using Result = FoundDifference;
    static constexpr std::string_view name = "find_difference";
    static constexpr Lane lane = Lane::proofs;

    ModelSource a, b;
    RunSettings settings;
    std::string output;  // as in DivergenceOptions; empty: everything is compared

    std::string title() const { return "the search for the first difference of " + b.title(); }
    FoundDifference run(const JobContext& context) const;
    static SharedMemory block_of(const FoundDifference& found);
    FoundDifference complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<DivergeJob>();

}  // namespace lapidary::app
