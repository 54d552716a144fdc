// SPDX-License-Identifier: Apache-2.0
// One profiled run of a model.
#pragma once

#include <lapidary/internal/shared_memory.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class ByteReader;

/// Compiles and runs the model. After a cancel the result has the runs that were finished;
/// cancelled is thrown where there is none, and by the engines of others.
struct ProfileJob {
    using Result = RunRecord;
    static constexpr std::string_view name = "profile";
    ModelSource model;
    RunSettings settings;

    std::string title() const { return "the profile of " + model.title(); }
    RunRecord run(const JobContext& context) const;
    static SharedMemory block_of(const RunRecord& record);
    RunRecord complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<ProfileJob>();

}  // namespace lapidary::app
