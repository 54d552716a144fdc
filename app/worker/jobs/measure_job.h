// SPDX-License-Identifier: Apache-2.0
// Models side by side, measured in turn on the same inputs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>

#include "worker/jobs/engine.h"
#include "worker/inputs/given_inputs.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// A candidate that cannot be opened has the reason as its error; the others go on. The result is
/// parallel to the candidates. Memory is measured for models that another process can open, where
/// there is a program for it (find_worker_program()).
struct MeasureJob {
    using Result = std::vector<Measurement>;
    using State = std::vector<Measurement>;
    static constexpr std::string_view name = "measure";

    /// Its level is that of the session on top of the source: disabled for a variant that is
    /// optimized already.
    struct Candidate {
        ModelSource model;
        RunConfiguration configuration;
    };
    std::vector<Candidate> candidates;
    MeasureOptions options;
    std::map<std::string, std::int64_t> dimensions;
    std::uint64_t seed = 1;
    GivenInputs given = {};  // others are generated
    bool memory = false;     // peak_mb too, each in a fresh process

    std::string title() const {
        return "the measurement of " +
               (candidates.empty() ? "nothing" : candidates.front().model.title());
    }
    Result run(const JobContext& context, const std::function<void(const State&)>& on_round) const;
};
template <>
const JobKind& kind_of<MeasureJob>();

/// Opens and runs one candidate of a measurement in this process, which does nothing else, and
/// returns fresh_figures_text(). `request`: JSON that MeasureJob::run() gives a fresh process.
std::string run_fresh(const std::string& request);

}  // namespace lapidary::app
