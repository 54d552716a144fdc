// SPDX-License-Identifier: Apache-2.0
// What memory a run of a model is going to take, without running it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/advice/advice_facts.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/internal/shared_memory.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

class ByteReader;

struct PlannedRun {
    MemoryReport report;
    MemoryFindings findings;  // memory_findings(); empty unless they were asked for
    // MemoryStudy::free_dimensions()
    std::vector<std::pair<std::string, std::int64_t>> free_dimensions;
};

/// Throws what MemoryStudy::report() throws. The worker keeps what it found out about a model, so
/// that another switch takes milliseconds.
struct MemoryJob {
    using Result = PlannedRun;
    static constexpr std::string_view name = "plan_memory";
    static constexpr Lane lane = Lane::models;

    ModelSource model;
    MemoryAssumptions assumptions;
    bool wants_findings = false;
    /// In this process: what was found out about the model before; null: nothing.
    std::shared_ptr<MemoryStudy> study = nullptr;

    std::string title() const { return "the memory plan of " + model.title(); }
    PlannedRun run(const JobContext& context) const;
    static SharedMemory block_of(const PlannedRun& planned);
    PlannedRun complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<MemoryJob>();

}  // namespace lapidary::app
