// SPDX-License-Identifier: Apache-2.0
#include "rewrite/pipeline.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <unordered_set>

#include <lapidary/base/error.h>

#include "graph/verify.h"
#include "rewrite/graph_context.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t since(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

/// Rules at neighbouring roots may miss for the same reason: only the miss with most nodes stays.
void drop_narrower(std::vector<NearMiss>& misses) {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> same;
    for (std::size_t i = 0; i < misses.size(); ++i)
        same[{misses[i].place.key(), misses[i].reason}].push_back(i);
    std::vector<bool> drop(misses.size(), false);
    const auto within = [&](const NearMiss& a, const NearMiss& b) {
        return a.nodes.size() < b.nodes.size() && std::ranges::all_of(a.nodes, [&](NodeId id) {
                   return std::ranges::find(b.nodes, id) != b.nodes.end();
               });
    };
    for (const auto& [key, indices] : same)
        for (std::size_t i : indices)
            drop[i] = std::ranges::any_of(
                indices, [&](std::size_t k) { return within(misses[i], misses[k]); });
    std::size_t at = 0;
    std::erase_if(misses, [&](const NearMiss&) { return drop[at++]; });
}

std::vector<std::string> graph_attributes(const Node& node) {
    std::vector<std::string> names;
    for (const Attribute& a : node.attributes)
        if (std::holds_alternative<GraphPtr>(a.value)) names.push_back(a.name);
    return names;
}

}  // namespace

std::size_t count_nodes(const Graph& graph) {
    std::size_t count = graph.node_count();
    for (NodeId id : graph.nodes())
        for (const Attribute& a : graph.node(id).attributes) {
            if (const auto* one = std::get_if<GraphPtr>(&a.value); one && *one)
                count += count_nodes(**one);
            if (const auto* many = std::get_if<std::vector<GraphPtr>>(&a.value))
                for (const GraphPtr& g : *many) count += g ? count_nodes(*g) : 0;
        }
    return count;
}

namespace {

/// ONNX Runtime refuses two nodes of one name. The first node with a name of the original model
/// keeps it.
void make_node_names_unique(Graph& graph, std::size_t slots_before) {
    std::unordered_set<std::string> taken;
    for (NodeId id : graph.nodes())
        if (id.index < slots_before) taken.insert(graph.node(id).name);
    GraphEdit edit(graph);
    for (NodeId id : graph.nodes()) {
        const std::string name = graph.node(id).name;
        if (id.index < slots_before || name.empty() || taken.insert(name).second) continue;
        std::size_t number = 1;
        while (!taken.insert(name + "_" + std::to_string(number)).second) ++number;
        edit.rename(id, name + "_" + std::to_string(number));
    }
}

}  // namespace

Pipeline::Pipeline(Model& model, const OptimizeOptions& options, const Progress& progress,
                   std::span<const PassEntry> entries, std::span<const std::string> skipped)
    : model_(model), options_(options), progress_(progress), entries_(entries),
      misses_(entries.size()), settled_at_(entries.size(), 0) {
    report_.level = options.level;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const PassInfo& info = entries_[i].info;
        const std::string why = skipped.empty() ? std::string() : skipped[i];
        report_.passes.push_back({std::string(info.name), info.level, why, 0, 0, 0, 0});
        bodies_.push_back(why.empty() ? entries_[i].make() : PassBody{});
    }
}

void Pipeline::infer() {
    InferOptions options;
    options.dimensions = options_.free_dimensions;
    try {
        infer_types(model_, options, progress_, elements_);
    } catch (const Error& error) {
        note_refusal(error);
        throw;
    }
}

namespace {

/// True for errors in the model; false for faults of this program, limits of memory, and cancels.
bool is_about_the_model(const Error& error) {
    return error.code() == ErrorCode::invalid_model || error.code() == ErrorCode::invalid_input ||
           error.code() == ErrorCode::not_supported;
}

}  // namespace

/// The newest rewrite that added the node of the main graph that the error names.
void Pipeline::note_refusal(const Error& error) {
    if (!is_about_the_model(error)) return;
    const std::string_view said = error.what();
    const auto is_named = [&](NodeId id) {
        return model_.graph.is_alive(id) &&
               said.find(model_.graph.node(id).describe()) != std::string_view::npos;
    };
    for (std::size_t i = report_.rewrites.size(); i-- > 0 && !refused_;) {
        const Rewrite& rewrite = report_.rewrites[i].rewrite;
        if (!report_.rewrites[i].place.is_main() || std::ranges::none_of(rewrite.added, is_named))
            continue;
        const auto pass = std::ranges::find(report_.passes, rewrite.pass, &PassRun::pass);
        if (pass == report_.passes.end()) return;
        refused_ = {static_cast<std::size_t>(pass - report_.passes.begin()),
                    std::string("what it made was refused: ") + error.what()};
    }
}

void Pipeline::add_rewrite(const Rewrite& rewrite, const GraphPath& place) {
    ++report_.passes[current_].applied;
    report_.rewrites.push_back({place, entries_[current_].info.level, rewrite});
}

void Pipeline::add_miss(NearMiss miss) { misses_[current_].push_back(std::move(miss)); }

void Pipeline::import(std::string_view domain) {
    if (!domain.empty()) model_.opset_imports.emplace(domain, 1);
}

void Pipeline::set_metadata(std::string_view key, std::string value) {
    for (auto& [name, text] : model_.metadata)
        if (name == key) {
            text = std::move(value);
            return;
        }
    model_.metadata.emplace_back(key, std::move(value));
}

bool Pipeline::run_on_subgraphs(std::size_t index, Graph& graph, const Scope& scope,
                                const GraphPath& place) {
    bool changed = false;
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        for (const std::string& name : graph_attributes(graph.node(id))) {
            const Node& node = graph.node(id);
            auto copy = std::make_shared<Graph>(*node.graph_attribute(name));
            if (!run_on(index, *copy, &scope, place.inner(node, name))) continue;
            Attribute replaced = *node.attribute(name);
            replaced.value = GraphPtr(std::move(copy));
            GraphEdit(graph).set_attribute(id, std::move(replaced));
            changed = true;
        }
    }
    return changed;
}

bool Pipeline::run_on(std::size_t index, Graph& graph, const Scope* outer, const GraphPath& place) {
    const PassBody& body = bodies_[index];
    if (model_.opset() < body.least_opset || model_.opset() > body.most_opset) return false;
    bool changed = false;
    if (!body.main_graph_only) {
        const Scope scope{model_, graph, outer, options_.provider};
        changed = run_on_subgraphs(index, graph, scope, place);
    }
    GraphContext context(*this, model_, graph, outer, place, entries_[index].info);
    if (body.run) body.run(context);
    else context.apply(body.rules);
    context.check_reported("pass " + std::string(entries_[index].info.name));
    context.edit().finish();
    return changed || context.changed();
}

bool Pipeline::run_on_model(std::size_t index) {
    const std::vector<NodeId> before(model_.graph.nodes().begin(), model_.graph.nodes().end());
    std::vector<std::vector<NodeId>> origins_before;
    for (NodeId id : before) origins_before.push_back(model_.graph.node(id).origins);
    std::string remark = bodies_[index].run_model(model_, options_, progress_.cancel);
    progress_.cancel.throw_if_cancelled();
    if (remark.empty()) return false;
    Rewrite rewrite;
    rewrite.pass = report_.passes[index].pass;
    rewrite.remark = std::move(remark);
    const std::unordered_set<NodeId> old(before.begin(), before.end());
    std::set<NodeId> origins;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (model_.graph.is_alive(before[i])) continue;
        rewrite.removed.push_back(before[i]);
        origins.insert(origins_before[i].begin(), origins_before[i].end());
    }
    for (NodeId id : model_.graph.nodes())
        if (!old.contains(id)) rewrite.added.push_back(id);
    rewrite.origins.assign(origins.begin(), origins.end());
    rewrite.origin_count = rewrite.origins.size();
    add_rewrite(rewrite, {});
    return true;
}

void Pipeline::run_pass(std::size_t index) {
    PassRun& run = report_.passes[index];
    if (!run.skipped.empty() || settled_at_[index] == changes_) return;
    current_ = index;
    progress_.step(run.pass, -1);
    const Clock::time_point start = Clock::now();
    const auto before = static_cast<std::ptrdiff_t>(count_nodes(model_.graph));
    misses_[index].clear();
    bool changed = false;
    try {
        changed = bodies_[index].run_model ? run_on_model(index)
                                           : run_on(index, model_.graph, nullptr, {});
        progress_.cancel.throw_if_cancelled();
    } catch (Error& error) {
        // Passes of level disabled only expand the model: what they refuse is a fault of the model.
        // invalid_input is about an option of the caller.
        if (is_about_the_model(error) && error.code() != ErrorCode::invalid_input &&
            run.level != Level::disabled)
            refused_ = {index, std::string("what it made was refused: ") + error.what()};
        throw error.at("pass " + run.pass);
    } catch (const std::logic_error& error) {  // of a container: a bug of the pass
        throw Error(ErrorCode::internal, error.what()).at("pass " + run.pass);
    }
    if (changed) {
        ++changes_;
        if (options_.verify) verify(model_, progress_.cancel);
        if (bodies_[index].changes_shapes) infer();
        run.node_change += static_cast<std::ptrdiff_t>(count_nodes(model_.graph)) - before;
    } else {
        settled_at_[index] = changes_;
    }
    run.nanoseconds += since(start);
}

void Pipeline::run() {
    const Clock::time_point start = Clock::now();
    report_.nodes_before = count_nodes(model_.graph);
    const std::size_t slots_before = model_.graph.node_slots();
    const auto first_of_session = std::ranges::find(
        entries_, Level::session, [](const PassEntry& e) { return e.info.level; });
    const auto sweeping = static_cast<std::size_t>(first_of_session - entries_.begin());
    if (sweeping > 0) run_to_fixed_point(sweeping);
    run_session_passes(sweeping);
    if (!may_rewrite()) report_.fixed_point = false;
    make_node_names_unique(model_.graph, slots_before);
    verify(model_, progress_.cancel);
    for (std::size_t i = 0; i < misses_.size(); ++i) {
        drop_narrower(misses_[i]);
        report_.passes[i].missed = misses_[i].size();
        std::ranges::move(misses_[i], std::back_inserter(report_.near_misses));
    }
    std::ranges::stable_sort(report_.near_misses, {}, &NearMiss::shortfall);
    std::ranges::move(after_widening_runs_, std::back_inserter(report_.passes));
    report_.nodes_after = count_nodes(model_.graph);
    report_.nanoseconds = since(start);
}

void Pipeline::run_session_passes(std::size_t first) {
    bool widened = false;
    for (std::size_t i = first; i < bodies_.size() && may_rewrite(); ++i) {
        if (widened && entries_[i].group > PassGroup::widen) {
            run_after_widening();
            widened = false;
            if (!may_rewrite()) return;
        }
        const std::size_t before = changes_;
        run_pass(i);
        widened = widened || (entries_[i].group == PassGroup::widen && changes_ != before);
    }
}

void Pipeline::run_after_widening() {
    if (!after_widening_) return;
    std::optional<std::size_t> left;
    if (options_.stop_after) left = *options_.stop_after - report_.rewrites.size();
    PipelineReport done = after_widening_(model_, left);
    for (AppliedRewrite& applied : done.rewrites) {
        applied.level = Level::session;
        report_.rewrites.push_back(std::move(applied));
    }
    for (PassRun& run : done.passes) {
        if (run.applied == 0) continue;
        run.level = Level::session;
        run.missed = 0;
        after_widening_runs_.push_back(std::move(run));
    }
    ++changes_;
}

void Pipeline::run_to_fixed_point(std::size_t sweeping) {
    // On devices each node is a launch. Layers may be joined one per sweep, since sizes of one
    // layer follow from the rewritten layer before it.
    const int most = options_.provider == "cpu" ? options_.sweeps : 8 * options_.sweeps;
    infer();
    for (std::size_t changes = 0; changes != changes_ && may_rewrite();) {
        if (report_.sweeps == most) {
            report_.fixed_point = false;
            break;
        }
        changes = changes_;
        ++report_.sweeps;
        for (std::size_t i = 0; i < sweeping && may_rewrite(); ++i) {
            // Layout passes hide operators from passes of lower levels, so they run after those
            // change nothing more.
            const bool starts_layout = entries_[i].info.level == Level::all &&
                                       (i == 0 || entries_[i - 1].info.level != Level::all);
            if (starts_layout && changes != changes_ && report_.sweeps < most) break;
            run_pass(i);
        }
        if (changes != changes_) infer();
    }
}

PipelineReport Pipeline::take_report() { return std::move(report_); }

}  // namespace lapidary
