// SPDX-License-Identifier: Apache-2.0
// A profiled run: how it is asked for and what comes of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    ModelPtr model;  // that ran; null: read from a trace
    // as the session ran it: neighbouring nodes of `model` fused, each under the id of the last
    ModelPtr executed;
    // of a trace: the model that was open, nodes of which are among its kernels; null: none was, or
    // none of them is
    ModelPtr traced;
    TraceMatch match;   // of a trace: what of it is in `traced`
    std::string trace;  // of a trace: the name of its file
    std::shared_ptr<const Profile> profile;
    ProfileSummary summary;
    PlanInfo plan;
    PlacementReport placement;  // empty: only the CPU had work
    NamedValues inputs, outputs;
    // of the devices that it ran on, as the worker measured them
    std::vector<DevicePeak> device_peaks;
    std::optional<LoweredPrecision> lowered;  // nothing: no device rounded floats
    // of the outputs against recorded ones; nothing in it: none were given
    OutputCheck check;
    /// Of the model that is open; else of whatever the trace was recorded of, and the model is not
    /// told its figures.
    bool isOfModel() const { return model || traced; }
};
using RunRecordPtr = std::shared_ptr<const RunRecord>;

constexpr int most_run_threads = 256;
constexpr int most_repetitions = 100'000;
constexpr int most_warmups = 10'000;

struct RunSettings {
    int threads = 0;  // 0: default
    int repetitions = 10;
    int warmups = 2;
    std::uint64_t seed = 0;
    // sizes of symbolic dimensions; 0 or absent: chosen
    std::map<std::string, std::int64_t> dimensions;
    std::map<std::string, std::string> config;  // SessionOptions::config_entries
    // of the opened model; the others are generated
    GivenInputs given;
    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

}  // namespace lapidary::app
