// SPDX-License-Identifier: Apache-2.0
// The checks of the group "export" that rest on triage_export().
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <unordered_set>

#include "advice/advice_checks.h"
#include "advice/written_out.h"

namespace lapidary {
namespace {

/// Whether a level that rewrites in ONNX's own operators made the variant in force.
bool is_optimized(const AdviceInput& in) {
    return !in.is_original && in.report && in.report->level >= Level::basic;
}

/// The sentence `key` with the number of places, the first and what is wrong there.
Advice with_finding(const AdviceCase& about, const char* id, AdviceState state, const char* key,
                    const ExportFinding& finding, Advice (*decorated)(Advice)) {
    Advice found = about.found(id, state, key,
                               {count_of(finding.count), words(finding.places.front().text),
                                bytes_of(static_cast<double>(finding.bytes))});
    if (decorated) found = decorated(std::move(found));
    about.add_places(found, finding);
    if (!found.places.empty()) found.finding += " " + found.places.front().reason;
    return found;
}

/// A check about places that only another export mends: its button shows the first.
Advice mended_by_export(const AdviceCase& about, const char* id, ExportDefect defect) {
    if (!about.in.triage) return about.found(id, AdviceState::unknown, "unknown");
    const ExportFinding* finding = about.in.triage->find(defect);
    if (!finding) return about.found(id, AdviceState::no_gain, "none");
    return with_finding(about, id, AdviceState::worth_doing, "some", *finding, nullptr);
}

Advice on_optimize_page(Advice advice) { return with_page(std::move(advice), "optimize"); }

/// A check about places that level basic mends, in a file that it writes too.
Advice mended_by_level(const AdviceCase& about, const char* id, ExportDefect defect) {
    if (!about.in.triage) return about.found(id, AdviceState::unknown, "unknown");
    const ExportFinding* finding = about.in.triage->find(defect);
    if (!finding) return about.found(id, AdviceState::no_gain, "none");
    const bool is_mended = is_optimized(about.in);
    return with_finding(about, id, is_mended ? AdviceState::done : AdviceState::worth_doing,
                        is_mended ? "mended" : "some", *finding, on_optimize_page);
}

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// The first device in use or at hand whose kernels take no indices of 64 bits; empty: none.
std::string device_of_narrow_indices(const AdviceInput& in) {
    static constexpr std::array<std::string_view, 6> narrow{"coreml", "nnapi", "qnn",
                                                            "webgpu", "webnn", "xnnpack"};
    std::vector<std::string> names{in.runs_on};
    for (const AdvisedProvider& provider : in.providers)
        if (provider.unusable.empty()) names.push_back(provider.name);
    for (const std::string& name : names)
        if (std::ranges::any_of(narrow, [&](std::string_view device) {
                return lower_case(name).find(device) != std::string::npos;
            }))
            return name;
    return {};
}

/// Nodes that went into one kernel of a session.
std::unordered_set<NodeId> fused_in_sessions(const PipelineReport& report) {
    std::unordered_set<NodeId> fused;
    for (const AppliedRewrite& applied : report.rewrites)
        if (applied.level == Level::session)
            for (const auto* list : {&applied.rewrite.removed, &applied.rewrite.changed})
                fused.insert(list->begin(), list->end());
    return fused;
}

/// The near miss of fewest conditions at one of the nodes, of a pass that fuses the operator.
const NearMiss* near_miss_at(const PipelineReport& report, const WrittenOutOperator& place) {
    const NearMiss* nearest = nullptr;
    for (const NearMiss& miss : report.near_misses) {
        if (!miss.place.is_main() || !fuses(miss.pass, place.kind)) continue;
        const auto is_here = [&](NodeId id) {
            return std::ranges::find(place.nodes, id) != place.nodes.end();
        };
        if (!is_here(miss.node) && std::ranges::none_of(miss.nodes, is_here)) continue;
        if (!nearest || miss.shortfall < nearest->shortfall) nearest = &miss;
    }
    return nearest;
}

}  // namespace

Advice check_frozen_dimensions(const AdviceCase& about) {
    return mended_by_export(about, "frozen_dimensions", ExportDefect::frozen_dimension);
}
Advice check_baked_batch(const AdviceCase& about) {
    return mended_by_export(about, "baked_batch", ExportDefect::baked_batch);
}
Advice check_training_nodes(const AdviceCase& about) {
    return mended_by_export(about, "training_nodes", ExportDefect::training_node);
}
Advice check_weight_inputs(const AdviceCase& about) {
    return mended_by_export(about, "weight_inputs", ExportDefect::weight_input);
}
Advice check_unrolled_loops(const AdviceCase& about) {
    return mended_by_export(about, "unrolled_loops", ExportDefect::unrolled_loop);
}
Advice check_dynamic_sizes(const AdviceCase& about) {
    return mended_by_export(about, "dynamic_sizes", ExportDefect::dynamic_size);
}
Advice check_shape_arithmetic(const AdviceCase& about) {
    return mended_by_level(about, "shape_arithmetic", ExportDefect::shape_arithmetic);
}
Advice check_unfolded_constants(const AdviceCase& about) {
    return mended_by_level(about, "unfolded_constants", ExportDefect::unfolded_constant);
}
Advice check_decided_branches(const AdviceCase& about) {
    return mended_by_level(about, "decided_branches", ExportDefect::decided_branch);
}
Advice check_unused_results(const AdviceCase& about) {
    return mended_by_level(about, "unused_results", ExportDefect::unused_result);
}

Advice check_duplicate_weights(const AdviceCase& about) {
    Advice found = mended_by_export(about, "duplicate_weights", ExportDefect::duplicate_weight);
    if (found.state == AdviceState::worth_doing)
        found.gain = about.bytes_gain(AdviceGain::Kind::size,
                                      about.in.triage->find(ExportDefect::duplicate_weight)->bytes,
                                      about.in.facts->weight_bytes, false);
    return found;
}

Advice check_wide_indices(const AdviceCase& about) {
    constexpr const char* id = "wide_indices";
    if (!about.in.triage) return about.found(id, AdviceState::unknown, "unknown");
    const ExportFinding* finding = about.in.triage->find(ExportDefect::wide_index);
    if (!finding) return about.found(id, AdviceState::no_gain, "none");
    const std::string device = device_of_narrow_indices(about.in);
    Advice found =
        about.found(id, device.empty() ? AdviceState::no_gain : AdviceState::worth_doing,
                    device.empty() ? "no_device" : "some",
                    {count_of(finding->count), words(finding->places.front().text), words(device)});
    about.add_places(found, *finding);
    return found;
}

Advice check_unfused(const AdviceCase& about) {
    constexpr const char* id = "unfused";
    const AdviceInput& in = about.in;
    if (!in.report || in.report->level < Level::extended)
        return with_page(about.found(id, AdviceState::unknown, "untried"), "optimize");
    const std::unordered_set<NodeId> in_sessions = fused_in_sessions(*in.report);
    std::vector<AdvicePlace> places;
    std::vector<NodeId> nodes;
    NodeId first;
    for (const WrittenOutOperator& found : operators_written_out(in.model->graph)) {
        // a kernel of sessions takes attention or a GELU whole, of a normalization only a part
        const bool is_whole = found.kind == WrittenOut::attention || found.kind == WrittenOut::gelu;
        if (is_whole && in_sessions.contains(found.root)) continue;
        const NearMiss* miss = near_miss_at(*in.report, found);
        places.push_back(
            {in.model->graph.node(found.root).describe(),
             miss ? about.texts.finding(id, "at_miss",
                                        {words(std::string(name_of(found.kind))), words(miss->pass),
                                         sentence(miss->reason)})
                  : about.texts.finding(id, "at", {words(std::string(name_of(found.kind)))}),
             {}});
        if (!first) first = found.root;
        nodes.insert(nodes.end(), found.nodes.begin(), found.nodes.end());
    }
    if (places.empty()) return about.found(id, AdviceState::no_gain, "none");
    Advice advice = with_action(about.found(id, AdviceState::worth_doing, "some",
                                            {count_of(places.size()), words(places.front().text)}),
                                AdviceAction::show_node);
    advice.finding += " " + places.front().reason;
    advice.node = first;
    if (in.shares)
        if (const auto share = in.shares->of(nodes); share && *share >= least_gain)
            advice.gain = about.time_gain(*share, false, true);
    if (places.size() > ExportFinding::most_places) places.resize(ExportFinding::most_places);
    advice.places = std::move(places);
    return advice;
}

}  // namespace lapidary
