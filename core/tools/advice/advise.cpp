// SPDX-License-Identifier: Apache-2.0
#include <lapidary/advice/advice.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "advice/advice_checks.h"

namespace lapidary {
namespace {

constexpr Advice (*checks[])(const AdviceCase&) = {check_runs,
                                                   check_levels,
                                                   check_guard,
                                                   check_threads,
                                                   check_inter_op,
                                                   check_batch,
                                                   check_dimensions,
                                                   check_quantize,
                                                   check_provider,
                                                   check_fallbacks,
                                                   check_near_misses,
                                                   check_memory,
                                                   check_arena_pattern,
                                                   check_external_data,
                                                   check_precision,
                                                   check_portability,
                                                   check_opset,
                                                   check_endings,
                                                   check_frozen_dimensions,
                                                   check_baked_batch,
                                                   check_training_nodes,
                                                   check_shape_arithmetic,
                                                   check_unfused,
                                                   check_duplicate_weights,
                                                   check_unfolded_constants,
                                                   check_weight_inputs,
                                                   check_unrolled_loops,
                                                   check_decided_branches,
                                                   check_unused_results,
                                                   check_wide_indices,
                                                   check_dynamic_sizes};

/// Time first: users who want advice care more about speed than memory.
double weight_of(const AdviceGain& gain) {
    return gain.kind == AdviceGain::Kind::none   ? 0
           : gain.kind == AdviceGain::Kind::time ? 1 + gain.share
                                                 : gain.share;
}

}  // namespace

std::string_view name_of(AdviceState state) {
    switch (state) {
    case AdviceState::worth_doing: return "worth doing";
    case AdviceState::unknown: return "unknown";
    case AdviceState::done: return "done";
    case AdviceState::no_gain: break;
    }
    return "no gain";
}

Advice AdviceCase::found(const char* id, AdviceState state, const char* key,
                         const std::vector<AdviceValue>& values) const {
    Advice advice;
    advice.id = id;
    advice.group = texts.text(id, "group");
    advice.state = state;
    advice.title = texts.text(id, "title");
    advice.why = texts.text(id, "why");
    advice.how = texts.text(id, "how");
    advice.button = texts.text(id, "button");
    advice.command = texts.text(id, "command");
    advice.finding = texts.finding(id, key, values);
    return advice;
}

void AdviceCase::add_places(Advice& advice, const ExportFinding& finding) const {
    for (const ExportPlace& place : finding.places) {
        std::vector<AdviceValue> values;
        for (const std::string& word : place.words) values.push_back(words(word));
        advice.places.push_back(
            {place.text, texts.finding(advice.id, place.reason.c_str(), values), place.node});
    }
    const auto shown = std::ranges::find_if(
        advice.places, [](const AdvicePlace& place) { return static_cast<bool>(place.node); });
    if (shown == advice.places.end() || advice.action != AdviceAction::none) return;
    advice.action = AdviceAction::show_place;
    advice.node = shown->node;
}

AdviceGain AdviceCase::time_gain(double share, bool is_measured, bool is_limit) const {
    AdviceGain gain{AdviceGain::Kind::time, is_measured, is_limit, share, 0, {}};
    const char* key = is_measured ? "factor_measured"
                      : is_limit  ? "factor_at_most"
                                  : "factor_estimated";
    gain.text = texts.finding("", key, {factor_of(1 / std::max(1 - share, 1e-3))});
    return gain;
}

AdviceGain AdviceCase::bytes_gain(AdviceGain::Kind kind, std::uint64_t bytes, std::uint64_t whole,
                                  bool is_measured) const {
    AdviceGain gain{kind,  is_measured,
                    false, whole > 0 ? static_cast<double>(bytes) / static_cast<double>(whole) : 0,
                    bytes, {}};
    gain.text = texts.finding("", is_measured ? "bytes_measured" : "bytes_estimated",
                              {bytes_of(static_cast<double>(bytes))});
    return gain;
}

Advice with_page(Advice advice, const char* page) {
    advice.action = AdviceAction::show_page;
    advice.page = page;
    return advice;
}
Advice with_action(Advice advice, AdviceAction action) {
    advice.action = action;
    return advice;
}

std::vector<Advice> advise(const AdviceInput& input, const AdviceLanguage& language) {
    if (!input.model || !input.facts) return {};
    const AdviceTexts texts(language);
    const AdviceCase about{input, texts};
    std::vector<Advice> all;
    for (const auto check : checks) all.push_back(check(about));
    std::map<std::string, std::size_t> order;
    for (std::size_t i = 0; i < texts.ids().size(); ++i) order[texts.ids()[i]] = i;
    std::ranges::stable_sort(all, [&](const Advice& a, const Advice& b) {
        if (a.state != b.state) return a.state < b.state;
        if (a.is_urgent != b.is_urgent) return a.is_urgent;
        const double gain_a = weight_of(a.gain), gain_b = weight_of(b.gain);
        if (a.state == AdviceState::worth_doing && gain_a != gain_b) return gain_a > gain_b;
        const auto severity_a = texts.severity(a.id), severity_b = texts.severity(b.id);
        return severity_a != severity_b ? severity_a < severity_b : order[a.id] < order[b.id];
    });
    return all;
}

}  // namespace lapidary
