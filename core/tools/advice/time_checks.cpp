// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "advice/advice_checks.h"

namespace lapidary {
namespace {

const AdvisedTime* time_in_force(const AdviceInput& in) {
    const auto at = std::ranges::find_if(in.times, &AdvisedTime::is_in_force);
    return at == in.times.end() ? nullptr : &*at;
}

bool is_faster(const AdvisedTime& a, const AdvisedTime& b) { return a.high_ms < b.low_ms; }

double share_saved(const AdvisedTime& before, const AdvisedTime& after) {
    return 1 - after.median_ms / before.median_ms;
}

std::size_t rewrites_of(const AdviceInput& in) {
    return in.report ? in.report->rewrites.size() : 0;
}

/// True if the sweep measured a setting that matches `is_such`.
bool swept(const AdviceInput& in, const auto& is_such) {
    return in.sweep && std::ranges::any_of(in.sweep->cells, [&](const SweepCell& cell) {
               return cell.state == CellState::done && is_such(cell.configuration);
           });
}

std::size_t count_swept(const AdviceInput& in, const auto& member) {
    std::set<int> seen;
    if (in.sweep)
        for (const SweepCell& cell : in.sweep->cells)
            if (cell.state == CellState::done)
                seen.insert(static_cast<int>(member(cell.configuration)));
    return seen.size();
}

/// The longest path through the main graph by the nodes' shares, of the sum of all of them; nothing
/// without shares.
std::optional<double> longest_path(const AdviceInput& in) {
    if (!in.shares || in.shares->by_node.empty()) return std::nullopt;
    const Graph& graph = in.model->graph;
    std::unordered_map<ValueId, double> ready;
    double longest = 0, whole = 0;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        double begin = 0;
        for (const auto* list : {&node.inputs, &node.captures})
            for (const ValueId value : *list)
                if (const auto at = ready.find(value); value && at != ready.end())
                    begin = std::max(begin, at->second);
        const auto own = in.shares->by_node.find(id);
        const double share = own == in.shares->by_node.end() ? 0 : own->second;
        whole += share;
        for (const ValueId output : node.outputs)
            if (output) ready[output] = begin + share;
        longest = std::max(longest, begin + share);
    }
    if (whole <= 0) return std::nullopt;
    return longest / whole;
}

}  // namespace

Advice check_runs(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (!in.facts->unsupported.empty()) {
        Advice found = with_page(about.found("runs", AdviceState::worth_doing, "unsupported",
                                             {count_of(in.facts->unsupported.size()),
                                              words(in.facts->unsupported.front().op),
                                              sentence(in.facts->unsupported.front().reason)}),
                                 "graph");
        found.is_urgent = true;
        return found;
    }
    const AdvisedTime* time = time_in_force(in);
    if (!time) {
        Advice found =
            with_action(about.found("runs", AdviceState::worth_doing, "not_run", {words(in.name)}),
                        AdviceAction::run);
        found.is_urgent = true;
        return found;
    }
    return with_page(
        about.found("runs", AdviceState::done, "took",
                    {words(time->name), interval_of(time->median_ms, time->low_ms, time->high_ms)}),
        "run");
}

Advice check_levels(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    const AdvisedTime* own = time_in_force(in);
    const AdvisedTime *original = nullptr, *best = nullptr;
    for (const AdvisedTime& time : in.times) {
        if (time.is_original) original = &time;
        if (!time.is_in_force && (!best || time.median_ms < best->median_ms)) best = &time;
    }
    if (own && best && is_faster(*best, *own)) {
        Advice found = with_page(about.found("levels", AdviceState::worth_doing, "faster_exists",
                                             {words(best->name), ms_of(best->median_ms),
                                              words(own->name), ms_of(own->median_ms)}),
                                 "optimize");
        found.gain = about.time_gain(share_saved(*own, *best), true);
        return found;
    }
    if (in.is_original)
        return with_page(
            about.found("levels",
                        in.times.size() > 1 ? AdviceState::done : AdviceState::worth_doing,
                        in.times.size() > 1 ? "original_is_fastest" : "original", {words(in.name)}),
            "optimize");
    if (rewrites_of(in) == 0)
        return about.found("levels", AdviceState::no_gain, "nothing", {words(in.name)});
    if (own && original) {
        const bool faster = is_faster(*own, *original);
        Advice found = with_page(
            about.found("levels", AdviceState::done, faster ? "faster" : "no_difference",
                        {words(own->name), ms_of(own->median_ms), ms_of(original->median_ms)}),
            "compare");
        if (faster) found.gain = about.time_gain(share_saved(*original, *own), true);
        return found;
    }
    return with_page(about.found("levels", AdviceState::worth_doing, "unmeasured",
                                 {words(in.name), count_of(in.report->nodes_after),
                                  count_of(in.report->nodes_before)}),
                     "compare");
}

Advice check_guard(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (in.is_original || rewrites_of(in) == 0)
        return about.found("guard", AdviceState::no_gain, "unchanged");
    Advice found;
    if (!in.guard_failure.empty())
        found = with_page(about.found("guard", AdviceState::worth_doing, "failed",
                                      {words(in.name), sentence(in.guard_failure)}),
                          "optimize");
    else if (!in.outputs_agree)
        return with_action(
            about.found("guard", AdviceState::worth_doing, "not_run", {words(in.name)}),
            AdviceAction::guard);
    else
        found = with_page(
            about.found("guard", *in.outputs_agree ? AdviceState::done : AdviceState::worth_doing,
                        *in.outputs_agree ? "agrees" : "differs",
                        {words(in.name), digits_of(in.largest_difference)}),
            "optimize");
    found.is_urgent = found.state == AdviceState::worth_doing;
    return found;
}

Advice check_threads(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (in.cores <= 1) return about.found("threads", AdviceState::no_gain, "one_core");
    if (count_swept(in, [](const RunConfiguration& c) { return c.resources.threads; }) > 1)
        return with_page(about.found("threads", AdviceState::done, "swept",
                                     {sentence(in.sweep->recommendation.sentence)}),
                         "tune");
    const std::set<int> tried(in.threads_tried.begin(), in.threads_tried.end());
    if (tried.size() > 1)
        return with_page(
            about.found("threads", AdviceState::done, "tried", {count_of(tried.size())}), "tune");
    const int threads = in.threads > 0 ? std::min(in.threads, in.cores) : in.cores;
    if (threads == in.cores)
        return with_page(about.found("threads", AdviceState::unknown, "all_cores",
                                     {count_of(static_cast<std::size_t>(in.cores))}),
                         "tune");
    Advice found = with_page(about.found("threads", AdviceState::worth_doing, "fewer",
                                         {count_of(static_cast<std::size_t>(threads)),
                                          count_of(static_cast<std::size_t>(in.cores))}),
                             "tune");
    found.gain = about.time_gain(1 - static_cast<double>(threads) / in.cores, false, true);
    return found;
}

Advice check_inter_op(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (in.cores <= 1) return about.found("inter_op", AdviceState::no_gain, "one_core");
    if (swept(in, [](const RunConfiguration& c) {
            return c.resources.mode == ExecutionMode::parallel;
        }))
        return with_page(about.found("inter_op", AdviceState::done, "swept",
                                     {sentence(in.sweep->recommendation.sentence)}),
                         "tune");
    const auto path = longest_path(in);
    if (!path)
        return with_action(about.found("inter_op", AdviceState::unknown, "unknown"),
                           AdviceAction::run);
    const double floor = std::max(*path, 1.0 / in.cores);
    if (1 - floor < 0.05)
        return about.found("inter_op", AdviceState::no_gain, "chain", {percent_of(*path)});
    Advice found = with_page(
        about.found("inter_op", AdviceState::worth_doing, "branches", {percent_of(*path)}), "tune");
    found.gain = about.time_gain(1 - floor, false, true);
    return found;
}

Advice check_batch(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (in.facts->free_batches.empty()) return about.found("batch", AdviceState::no_gain, "fixed");
    if (in.batch_measured || swept(in, [](const RunConfiguration& c) { return c.batch > 1; }))
        return with_page(about.found("batch", AdviceState::done, "measured"), "tune");
    return with_page(about.found("batch", AdviceState::worth_doing, "single",
                                 {few_words(in.facts->free_batches)}),
                     "tune");
}

Advice check_dimensions(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    const auto& free = in.facts->free_dimensions;
    if (in.dimensions_fixed)
        return with_page(about.found("dimensions", AdviceState::done, "fixed_here"), "optimize");
    if (free.empty()) return about.found("dimensions", AdviceState::no_gain, "fixed");
    if (in.facts->shape_nodes.empty())
        return about.found("dimensions", AdviceState::no_gain, "no_shapes", {few_words(free)});
    const auto share = in.shares ? in.shares->of(in.facts->shape_nodes) : std::nullopt;
    if (share && *share < least_gain)
        return about.found("dimensions", AdviceState::no_gain, "little",
                           {count_of(in.facts->shape_nodes.size()), percent_of(*share)});
    std::vector<std::string> sizes;
    for (const auto& [name, size] : in.sizes) sizes.push_back(name + " = " + std::to_string(size));
    Advice found =
        with_action(about.found("dimensions", AdviceState::worth_doing, "shapes",
                                {count_of(in.facts->shape_nodes.size()), few_words(sizes)}),
                    AdviceAction::fix_dimensions);
    if (share) found.gain = about.time_gain(*share, false, true);
    return found;
}

Advice check_provider(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (!in.runs_on.empty())
        return with_page(about.found("provider", AdviceState::done, "on", {words(in.runs_on)}),
                         "run");
    std::vector<std::string> usable;
    for (const AdvisedProvider& provider : in.providers)
        if (provider.unusable.empty()) usable.push_back(provider.name);
    if (!usable.empty())
        return with_page(
            about.found("provider", AdviceState::worth_doing, "usable", {few_words(usable)}),
            "run");
    if (!in.providers.empty())
        return about.found(
            "provider", AdviceState::no_gain, "unusable",
            {words(in.providers.front().name), sentence(in.providers.front().unusable)});
    return about.found("provider", AdviceState::no_gain, "none");
}

Advice check_fallbacks(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (in.steps.empty())
        return with_action(about.found("fallbacks", AdviceState::unknown, "not_run"),
                           AdviceAction::run);
    std::map<std::string, double> shares;
    for (const NodeTotal& total : in.nodes) shares[total.name] += total.share;
    double share = 0, worst = -1;
    std::size_t count = 0;
    const StepInfo* dearest = nullptr;
    for (const StepInfo& step : in.steps) {
        if (!runs_on_reference(step)) continue;
        ++count;
        const auto at = shares.find(step.name);
        const double own = at == shares.end() ? 0 : at->second;
        share += own;
        if (own > worst) worst = own, dearest = &step;
    }
    if (count == 0) return about.found("fallbacks", AdviceState::no_gain, "none");
    if (share < least_gain)
        return about.found("fallbacks", AdviceState::no_gain, "little",
                           {count_of(count), percent_of(share)});
    Advice found = about.found("fallbacks", AdviceState::worth_doing, "some",
                               {count_of(count), percent_of(share), words(dearest->name),
                                words(dearest->op), words(dearest->passed_over.front().second)});
    found.gain = about.time_gain(share, true, true);
    found.gain.text =
        about.texts.finding("", "factor_at_most", {factor_of(1 / std::max(1 - share, 1e-3))});
    found.action = AdviceAction::show_node;
    found.node = dearest->node;
    return found;
}

Advice check_near_misses(const AdviceCase& about) {
    const AdviceInput& in = about.in;
    if (!in.report)
        return with_page(about.found("near_misses", AdviceState::unknown, "untried"), "optimize");
    const TimeShares shares = in.shares ? *in.shares : TimeShares();
    std::vector<NearMissGroup> groups = group_near_misses(*in.report, shares);
    std::erase_if(groups, [](const NearMissGroup& group) { return group.shortfall > 1; });
    if (groups.empty()) return about.found("near_misses", AdviceState::no_gain, "none");
    const NearMissGroup& first = groups.front();
    if (first.share && *first.share < least_gain)
        return about.found("near_misses", AdviceState::no_gain, "little",
                           {count_of(groups.size())});
    Advice found = with_page(about.found("near_misses", AdviceState::worth_doing, "some",
                                         {words(title_of(first, shares)), sentence(first.reason)}),
                             "optimize");
    if (first.share) found.gain = about.time_gain(*first.share, false, true);
    return found;
}

}  // namespace lapidary
