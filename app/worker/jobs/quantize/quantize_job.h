// SPDX-License-Identifier: Apache-2.0
// A search for the best quantized model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/quantize_record.h"

namespace lapidary::app {

/// Writes the best model so far into the folder and reports each recipe that was tried. After a
/// cancel what there is is returned, not complete; cancelled is thrown where there is nothing.
struct QuantizeJob {
    using Result = QuantizeRecord;
    using State = QuantizeRecord;
    static constexpr std::string_view name = "quantize";

    ModelSource model;  // as opened, or with the edits of its recipe
    // what the first recipe of the search is; its mode is the only one unless both are asked for
    Quantization quantization;
    bool search = true;  // false: that one alone
    // nothing is made: weights against activations, and the nodes by what each costs
    bool rank = false;
    bool inspect = true;         // the best is looked at layer by layer, at the end
    bool both_modes = true;      // static and dynamic
    double budget_seconds = 60;  // 0: until all recipes are tried
    // of each recipe against the float model, in turn; 0: not measured
    double measure_seconds = 0.5;
    QuantizeGoal goal = QuantizeGoal::accurate;
    AccuracyFloor floor;  // of SQNR or changed answers
    int threads = 0;      // of the measurements; 0: as many as there are cores
    // that exists: the best model so far lies in it, see quantized_file()
    std::filesystem::path folder;
    std::filesystem::path labels;            // of the samples, see load_labels(); empty: none
    std::vector<std::string> data_warnings;  // SamplePreview::warnings of the samples

    std::string title() const { return "the quantization of " + model.title(); }
    QuantizeRecord run(const JobContext& context,
                       const std::function<void(const QuantizeRecord&)>& on_change) const;
};
template <>
const JobKind& kind_of<QuantizeJob>();

}  // namespace lapidary::app
