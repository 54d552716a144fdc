// SPDX-License-Identifier: Apache-2.0
// A profiled run: its settings and its results.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/run_counters.h>
#include <lapidary/exec/device_peak.h>
#include <lapidary/proof/lowered_precision.h>
#include <lapidary/graph/model.h>
#include <lapidary/profile/profile.h>
#include <lapidary/exec/session.h>
#include <lapidary/profile/trace_match.h>

#include "worker/inputs/given_inputs.h"
#include "worker/inputs/output_check.h"

namespace lapidary::app {

/// One profiled run.
struct RunRecord {
    ModelPtr model;  // the model that ran; null: read from a trace
    // as the session ran it: neighbouring nodes of `model` are fused, each with the id of the last
    // one
    ModelPtr executed;
    // for a trace: the opened model, if some of its nodes are among the kernels of the trace; else
    // null
    ModelPtr traced;
    TraceMatch match;   // for a trace: which of its kernels are in `traced`
    std::string trace;  // for a trace: the name of its file
    std::shared_ptr<const Profile> profile;
    ProfileSummary summary;
    PlanInfo plan;
    PlacementReport placement;  // empty: everything ran on the CPU
    NamedValues inputs, outputs;
    // the run's devices, as the worker measured them
    std::vector<DevicePeak> device_peaks;
    std::optional<LoweredPrecision> lowered;  // empty: no device rounds floats
    // of the processor, over the profiled runs; empty: of another engine or a trace
    std::optional<RunCounters> counters;
    // outputs compared with recorded ones; empty: none were recorded
    OutputCheck check;
    // where it ran, "Cortex-A76 (pi@board)"; empty: on this computer. The caller sets it.
    std::string machine = {};
    /// True if the figures belong to the opened model. False for a trace of another model.
    bool isOfModel() const { return model || traced; }
};
using RunRecordPtr = std::shared_ptr<const RunRecord>;

constexpr int most_run_threads = 256;
constexpr int most_repetitions = 100'000;
constexpr int most_warmups = 10'000;

struct RunSettings {
    RunResources resources;  // other members than threads and configuration are not sent
    int repetitions = 10;
    int warmups = 2;
    std::uint64_t seed = 0;
    // sizes of symbolic dimensions; 0 or missing: chosen
    std::map<std::string, std::int64_t> dimensions;
    // for the opened model; other inputs are generated
    GivenInputs given;
    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

}  // namespace lapidary::app
