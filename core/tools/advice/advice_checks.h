// SPDX-License-Identifier: Apache-2.0
// The checks of advise(), one function each.
#pragma once

#include <lapidary/advice/advice.h>

#include "advice/advice_texts.h"

namespace lapidary {

/// The input of a check. AdviceInput::facts is set.
struct AdviceCase {
    const AdviceInput& in;
    const AdviceTexts& texts;

    /// A finding with the texts of its check.
    Advice found(const char* id, AdviceState state, const char* key,
                 const std::vector<AdviceValue>& values = {}) const;
    /// Adds the places of a finding of triage_export(), each with its sentence of the check. Where
    /// the button has no action yet, it shows the first place that is a node of the main graph.
    void add_places(Advice& advice, const ExportFinding& finding) const;
    /// "1.42 × (measured)" of a time that falls by `share`.
    AdviceGain time_gain(double share, bool is_measured, bool is_limit = false) const;
    /// "−74 MB (estimated)" of `whole` bytes.
    AdviceGain bytes_gain(AdviceGain::Kind kind, std::uint64_t bytes, std::uint64_t whole,
                          bool is_measured) const;
};

Advice with_page(Advice advice, const char* page);
Advice with_action(Advice advice, AdviceAction action);

/// Smaller gains do not count.
inline constexpr double least_gain = 0.01;

/// True if the node runs on the plain reference kernel because faster ones were passed over.
inline bool runs_on_reference(const StepInfo& step) {
    return step.kernel.starts_with("reference.") && !step.passed_over.empty();
}

// Time.
Advice check_runs(const AdviceCase& about);
Advice check_levels(const AdviceCase& about);
Advice check_guard(const AdviceCase& about);
Advice check_threads(const AdviceCase& about);
Advice check_inter_op(const AdviceCase& about);
Advice check_batch(const AdviceCase& about);
Advice check_fallbacks(const AdviceCase& about);
Advice check_near_misses(const AdviceCase& about);
Advice check_dimensions(const AdviceCase& about);
Advice check_provider(const AdviceCase& about);
// Memory and size.
Advice check_quantize(const AdviceCase& about);
Advice check_memory(const AdviceCase& about);
Advice check_arena_pattern(const AdviceCase& about);
Advice check_external_data(const AdviceCase& about);
// Form.
Advice check_precision(const AdviceCase& about);
Advice check_portability(const AdviceCase& about);
Advice check_opset(const AdviceCase& about);
Advice check_endings(const AdviceCase& about);
// What an export broke or bloated: the group "export", to which precision, opset and endings
// belong.
Advice check_frozen_dimensions(const AdviceCase& about);
Advice check_baked_batch(const AdviceCase& about);
Advice check_training_nodes(const AdviceCase& about);
Advice check_shape_arithmetic(const AdviceCase& about);
Advice check_unfused(const AdviceCase& about);
Advice check_duplicate_weights(const AdviceCase& about);
Advice check_unfolded_constants(const AdviceCase& about);
Advice check_weight_inputs(const AdviceCase& about);
Advice check_unrolled_loops(const AdviceCase& about);
Advice check_decided_branches(const AdviceCase& about);
Advice check_unused_results(const AdviceCase& about);
Advice check_wide_indices(const AdviceCase& about);
Advice check_dynamic_sizes(const AdviceCase& about);

}  // namespace lapidary
