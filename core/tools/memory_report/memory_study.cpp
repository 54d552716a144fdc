// SPDX-License-Identifier: Apache-2.0
#include <lapidary/cost/memory_report.h>

#include <algorithm>
#include <list>
#include <mutex>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>

#include "base/at.h"
#include "exec/plan/operator_in_words.h"
#include "base/threads/session_threads.h"
#include "exec/plan/prepare_graph.h"
#include "graph/copy_model.h"
#include "graph/inline_functions.h"
#include "inputs/input_sizes.h"
#include "memory_report/memory_layout.h"
#include "memory_report/memory_verdict.h"
#include "memory_report/process_parts.h"

namespace lapidary {
namespace {

constexpr std::size_t most_kept = 6;

/// The results that only depend on fusion, threads and sizes.
struct Prepared {
    MemoryAssumptions key;
    Model model;
    std::unique_ptr<Plan> plan;
    ExpectedMemory expected;
    std::uint64_t weight_bytes = 0, prepared_arena = 0;
    ProcessMemory process;  // what lies still in it
    std::vector<std::pair<std::string, std::int64_t>> assumed;
};
using PreparedPtr = std::shared_ptr<const Prepared>;

/// Assumptions that need no new compilation have their defaults here.
MemoryAssumptions key_of(const MemoryAssumptions& assumptions) {
    MemoryAssumptions key;
    key.fused_steps = assumptions.fused_steps;
    key.disabled_passes = assumptions.disabled_passes;
    key.threads = assumptions.threads > 0 ? assumptions.threads : default_thread_count();
    key.dimensions = assumptions.dimensions;
    return key;
}

std::vector<std::string> free_names(const Model& model) {
    std::vector<std::string> names;
    for (ValueId v : model.graph.inputs()) {
        const Value& input = model.graph.value(v);
        if (input.constant || !input.type.shape) continue;
        for (const Dim& dim : *input.type.shape)
            if (dim.is_symbolic() && dim.symbol().find_first_of("+*/() ") == std::string::npos &&
                std::ranges::find(names, dim.symbol()) == names.end())
                names.push_back(dim.symbol());
    }
    return names;
}

PreparedPtr prepare(const Model& model, const MemoryAssumptions& key, const Progress& progress) {
    auto prepared = std::make_shared<Prepared>();
    prepared->key = key;
    prepared->model = copy_model(model, progress.cancel);
    SessionOptions options;
    options.resources.threads = key.threads;
    options.session_passes.set =
        key.fused_steps ? SessionPasses::Set::all : SessionPasses::Set::preparing;
    options.session_passes.disabled = key.disabled_passes;
    options.free_dimensions = key.dimensions;
    options = resolve_config(std::move(options));
    const auto weights_as_given = static_cast<std::uint64_t>(count_weights(prepared->model));
    prepare_graph(prepared->model, options, progress,
                  [&](const std::string& name, const std::function<void()>& work) {
                      progress.step(name);
                      work();
                  });
    prepared->weight_bytes = weights_as_given;
    prepared->prepared_arena = prepared_arena_bytes(count_weights(prepared->model));
    const InputSizes sizes(prepared->model, {}, key.dimensions, usual_lengths(model));
    for (const std::string& name : free_names(prepared->model))
        if (const auto size = sizes.size_of(Dim::symbolic(name));
            size && !key.dimensions.contains(name))
            prepared->assumed.emplace_back(name, *size);

    progress.step("choose kernels");
    KernelOptions kernel_options;
    kernel_options.threads = key.threads;
    WeightStore weights;
    prepared->plan = plan_steps(prepared->model, kernel_options, weights, progress.cancel).plan;
    weights.place();
    prepared->process =
        still_parts(model, prepared->model, *prepared->plan, weights.bytes(), progress.cancel);

    progress.step("ask kernels");
    std::optional<Model> concrete;
    if (!prepared->assumed.empty()) {
        concrete = copy_model(model, progress.cancel);
        inline_functions(*concrete, options.limits, progress.cancel);
        InferOptions infer;
        infer.dimensions = key.dimensions;
        infer.dimensions.insert(prepared->assumed.begin(), prepared->assumed.end());
        infer_types(*concrete, infer, progress);
    }
    StepSurvey survey(key.threads, options.limits);
    prepared->expected = expect_memory(
        *prepared->plan, [&](const Dim& dim) { return sizes.size_of(dim); },
        concrete ? &concrete->graph : nullptr, survey, progress.cancel);
    for (ValueId v : prepared->model.graph.inputs())
        if (const Value& input = prepared->model.graph.value(v); !input.constant)
            if (const std::uint64_t bytes = prepared->expected.trace.value_bytes[v.index];
                bytes != MemoryTrace::nothing)
                prepared->process.inputs += bytes;
    return prepared;
}

/// Pages that a run in this layout writes. Without an arena the heap gives back what is free.
std::uint64_t written_bytes(const MemoryLayout& layout, const std::vector<MemoryMoment>& moments) {
    if (layout.held_bytes != 0) return layout.touched_bytes;
    std::uint64_t most = 0;
    for (const MemoryMoment& moment : moments) most = std::max(most, moment.used());
    return most;
}

}  // namespace

struct MemoryStudy::State {
    ModelPtr model;
    std::mutex mutex;
    std::list<PreparedPtr> kept;  // latest used first

    PreparedPtr prepared_for(const MemoryAssumptions& assumptions, const Progress& progress) {
        const MemoryAssumptions key = key_of(assumptions);
        {
            const std::lock_guard lock(mutex);
            for (auto it = kept.begin(); it != kept.end(); ++it)
                if ((*it)->key == key) {
                    kept.splice(kept.begin(), kept, it);
                    return kept.front();
                }
        }
        PreparedPtr made = prepare(*model, key, progress);
        const std::lock_guard lock(mutex);
        kept.push_front(made);
        if (kept.size() > most_kept) kept.pop_back();
        return made;
    }
};

MemoryStudy::MemoryStudy(ModelPtr model) : state_(new State{std::move(model), {}, {}}) {}
MemoryStudy::~MemoryStudy() = default;
const ModelPtr& MemoryStudy::model() const { return state_->model; }

MemoryReport MemoryStudy::report(const MemoryAssumptions& assumptions, const Progress& progress) {
    const PreparedPtr prepared = state_->prepared_for(assumptions, progress);
    const Plan& plan = *prepared->plan;
    progress.step("lay out memory");
    MemoryReport report;
    report.assumptions = assumptions;
    report.threads = prepared->key.threads;
    for (const Step& step : plan.steps) {
        if (report.steps.size() % 1024 == 0) progress.cancel.throw_if_cancelled();
        report.steps.push_back(step_name(plan, step));
        report.step_ops.push_back(operator_in_words(plan.graph->node(step.node)));
        report.step_nodes.push_back(step.node);
    }
    const auto layout_of = [&](const MemoryAssumptions& under) {
        return lay_out(plan, prepared->expected, under, prepared->prepared_arena, progress.cancel);
    };
    MemoryLayout layout = layout_of(assumptions);
    report.tensors = std::move(layout.tensors);
    report.address_end = layout.address_end;
    report.moments = moments_of(report.tensors, plan.steps.size());
    for (std::size_t i = 0; i < report.moments.size(); ++i) {
        if (report.moments[i].used() <= report.needed_bytes) continue;
        report.needed_bytes = report.moments[i].used();
        report.peak_step = i;
    }
    report.block_bytes = layout.held_bytes != 0 ? layout.held_bytes : report.needed_bytes;
    if (layout.held_bytes != 0)
        for (MemoryMoment& moment : report.moments)
            moment.waste = report.block_bytes - std::min(report.block_bytes, moment.used());
    report.weight_bytes = prepared->weight_bytes;
    report.process = prepared->process;
    report.process.activations = written_bytes(layout, report.moments);
    if (assumptions.plan) {  // which is made after the first run, a run without one
        MemoryAssumptions first = assumptions;
        first.plan = false;
        const MemoryLayout unplanned = layout_of(first);
        report.process.activations =
            std::max(report.process.activations,
                     written_bytes(unplanned, moments_of(unplanned.tensors, plan.steps.size())));
    }
    report.unknown = prepared->expected.unknown;
    report.assumed = prepared->assumed;
    report.at_peak = report.alive_at(report.peak_step);
    report.verdict = memory_verdict(report);
    return report;
}

std::vector<std::pair<std::string, std::int64_t>> MemoryStudy::free_dimensions() {
    Model model = *state_->model;
    inline_functions(model, Limits{});
    infer_types(model);
    const InputSizes sizes(model, {}, {}, usual_lengths(model));
    std::vector<std::pair<std::string, std::int64_t>> dimensions;
    for (const std::string& name : free_names(model))
        dimensions.emplace_back(name, sizes.size_of(Dim::symbolic(name)).value_or(1));
    return dimensions;
}

MemoryReport memory_report(const ModelPtr& model, const MemoryAssumptions& assumptions,
                           const Progress& progress) {
    return MemoryStudy(model).report(assumptions, progress);
}

std::vector<std::size_t> MemoryReport::alive_at(std::size_t step) const {
    std::vector<std::size_t> alive;
    for (std::size_t i = 0; i < tensors.size() && tensors[i].first_step <= step; ++i) {
        if (tensors[i].last_step < step || tensors[i].bytes == 0) continue;
        // A tensor counts if the tensor whose bytes it lies in was released; otherwise those are
        // counted already.
        std::ptrdiff_t host = tensors[i].shares;
        while (host >= 0 && at(tensors, host).last_step < step) host = at(tensors, host).shares;
        if (host >= 0 && at(tensors, host).bytes >= tensors[i].bytes) continue;
        alive.push_back(i);
    }
    std::ranges::stable_sort(
        alive, [&](std::size_t a, std::size_t b) { return tensors[a].bytes > tensors[b].bytes; });
    return alive;
}

}  // namespace lapidary
