// SPDX-License-Identifier: Apache-2.0
#include <lapidary/session.h>

#include <algorithm>
#include <limits>
#include <set>

#include <lapidary/error.h>
#include <lapidary/infer.h>

#include "base/mapping_guard.h"
#include "exec/executor.h"
#include "exec/fusion/fusion.h"
#include "graph/inline_functions.h"
#include "exec/input_check.h"
#include "exec/profile_build.h"
#include "ops/channel_block.h"

namespace lapidary {

struct Session::State {
    Model model;
    SessionOptions options;
    std::unique_ptr<SessionThreads> threads;
    std::shared_ptr<Budget> budget;
    std::unique_ptr<Plan> plan;
    std::vector<const Plan*> plans;             // by number
    std::map<std::string, MemoryPattern> patterns;  // by input shapes
    const MemoryPattern* newest_pattern = nullptr;
    Tensor arena;
    std::int64_t weight_bytes = 0;
    std::vector<Span> phases;
    std::int64_t origin_ns = steady_now_ns();

    std::uint64_t damage_seen = 0;  // of MappingGuard, when the weights were last looked at

    RunResult run(const NamedValues& inputs, const RunOptions& options);
    void require_whole_weights();
    void prepare_arena(const MemoryPattern& pattern);
};

namespace {

constexpr std::size_t max_patterns = 16;

std::int64_t count_weights(const Model& model) {
    std::set<const void*> seen;
    std::int64_t bytes = 0;
    for (ValueId v : model.graph.initializers())
        if (const Tensor& t = *model.graph.value(v).constant; seen.insert(t.raw()).second) bytes += static_cast<std::int64_t>(t.byte_size());
    return bytes;
}

// What is known to be too large before anything ran.
void check_static_sizes(const Graph& graph, const Limits& limits) {
    for (NodeId id : graph.nodes())
        for (ValueId v : graph.node(id).outputs) {
            if (!v || !graph.value(v).type.is_static() || graph.value(v).type.dtype == DType::string) continue;
            const Type& type = graph.value(v).type;
            const auto tell = [&](const std::string& size) {
                throw Error(ErrorCode::limit_exceeded, "output " + quote(graph.value(v).name) + " would be " + to_string(type) + ", " + size +
                                                           "; the limit for one tensor is " + std::to_string(limits.tensor_bytes) + " bytes")
                    .at(graph.node(id).describe());
            };
            try {
                const std::uint64_t bytes = storage_bytes(type.dtype, element_count(type.static_shape()));
                if (bytes > limits.tensor_bytes) tell(std::to_string(bytes) + " bytes");
            } catch (const Error& e) {
                if (!e.where().empty()) throw;
                tell("more bytes than can be counted");
            }
        }
}

}  // namespace

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session Session::compile(ModelPtr model, const SessionOptions& options, const Progress& progress) {
    auto state = std::make_unique<State>();
    const auto phase = [&](std::string name, auto&& work) {
        progress.step(name);
        Span span;
        span.kind = EventKind::phase;
        span.begin_ns = steady_now_ns() - state->origin_ns;
        work();
        span.end_ns = steady_now_ns() - state->origin_ns;
        span.name = std::move(name);
        state->phases.push_back(std::move(span));
    };
    state->options = options;
    KernelOptions kernel_options;
    kernel_options.winograd = options.winograd;
    kernel_options.reference_only = options.reference_kernels;
    WeightStore weights;
    try {
        phase("expand functions", [&] {
            state->model = *model;
            inline_functions(state->model, options.limits);
        });
        phase("infer shapes", [&] {
            InferOptions infer;
            infer.dimensions = options.free_dimensions;
            infer_types(state->model, infer, progress);
            check_static_sizes(state->model.graph, options.limits);
        });
        if (options.fuse_steps && !options.reference_kernels)
            phase("fuse steps", [&] { fuse_steps(state->model.graph); });
        phase("start threads", [&] {
            state->threads = make_session_threads(options.intra_threads, options.allow_spinning);
            kernel_options.threads = state->threads->threads();
            state->budget = std::make_shared<Budget>(options.limits);
            state->weight_bytes = count_weights(state->model);
        });
        phase("choose kernels", [&] {
            mark_channel_block(state->model);
            MissingKernels missing;
            int counter = 0;
            state->plan = make_plan(state->model.graph, "", 0, counter, missing, kernel_options, weights);
            if (!missing.empty()) {
                std::string list;
                for (std::size_t i = 0; i < std::min<std::size_t>(missing.size(), 5); ++i) list += (i ? "; " : "") + missing[i];
                if (missing.size() > 5) list += "; and " + std::to_string(missing.size() - 5) + " more";
                fail_unsupported(std::to_string(missing.size()) + (missing.size() == 1 ? " node has" : " nodes have") + " no kernel: " + list);
            }
            collect_plans(*state->plan, state->plans);
            std::ranges::sort(state->plans, {}, [](const Plan* p) { return p->number; });
        });
        phase("pack weights", [&] { state->threads->execute([&] { weights.fill(*state->threads, progress.cancel); }); });
    } catch (Error& e) {
        if (!model->path.empty()) throw e.at(model->path.string());
        throw;
    }
    return Session(std::move(state));
}

// Weights are mapped: a program that truncates their file turns them into zeros under the session.
void Session::State::require_whole_weights() {
    if (MappingGuard::damage_count() == damage_seen) return;
    for (const Plan* p : plans)
        for (const RuntimeValue& constant : p->constants)
            if (constant.is_tensor() && MappingGuard::is_damaged_at(constant.tensor().raw()))
                fail(ErrorCode::io_failure, "the file of the weights was truncated while the model was in use; load it again");
    damage_seen = MappingGuard::damage_count();
}

void Session::State::prepare_arena(const MemoryPattern& pattern) {
    if (arena && static_cast<std::uint64_t>(arena.size()) >= pattern.total_bytes) return;
    arena = Tensor{};
    arena = budget->allocate(DType::u8, {static_cast<std::int64_t>(pattern.total_bytes)});
}

RunResult Session::State::run(const NamedValues& inputs, const RunOptions& run_options) {
    const std::string key = check_inputs(model.graph, inputs);
    RunState run{*threads, budget, run_options.cancel, options.limits};
    run.seed = options.random_seed;
    run.progress = run_options.progress;
    run.keep.assign(model.graph.value_slots(), 0);
    std::vector<ValueId> extra;
    for (const std::string& name : run_options.extra_outputs) {
        const ValueId id = model.graph.find_value(name);
        if (!id) fail_input("there is no value " + quote(name) + " to return");
        run.keep[id.index] = 1;
        extra.push_back(id);
    }

    std::unique_ptr<ProfileBuild> profile;
    if (run_options.profile) profile = std::make_unique<ProfileBuild>(plans, *threads, *budget, origin_ns, run);
    RunResult result;
    budget->reset_peak();
    for (int repetition = 0; repetition < std::max(run_options.repetitions, 1); ++repetition) {
        std::vector<std::uint64_t> trace;
        run.pattern = nullptr;
        run.trace = nullptr;
        if (options.enable_mem_pattern) {
            if (const auto it = patterns.find(key); it != patterns.end()) {
                prepare_arena(it->second);
                run.pattern = newest_pattern = &it->second;
                run.arena = static_cast<std::byte*>(arena.mutable_raw());
            } else {
                trace.assign(model.graph.value_slots(), 0);
                run.trace = &trace;
            }
        }
        Frame frame(*plan, run, nullptr);
        for (const auto& [name, value] : inputs) frame.set(model.graph.find_value(name), value);
        if (profile) profile->begin_run();
        threads->execute([&] { frame.run(); });
        if (profile) profile->end_run();
        require_whole_weights();

        result.outputs.clear();
        const auto values = frame.outputs();
        for (std::size_t i = 0; i < values.size(); ++i)
            result.outputs.emplace_back(model.graph.value(model.graph.outputs()[i]).name, detached(values[i], *budget));
        for (ValueId id : extra) result.outputs.emplace_back(model.graph.value(id).name, detached(frame.get(id), *budget));
        // A run that returned inner values kept them out of the trace: not the pattern to go by.
        if (run.trace && extra.empty()) {
            if (patterns.size() >= max_patterns) patterns.clear();
            newest_pattern = &(patterns[key] = make_pattern(*plan, trace));
        }
    }
    if (profile) result.profile = profile->finish(phases, model, weight_bytes);
    return result;
}

RunResult Session::run(const NamedValues& inputs, const RunOptions& options) {
    try {
        return state_->run(inputs, options);
    } catch (Error& e) {
        if (!state_->model.path.empty()) throw e.at(state_->model.path.string());
        throw;
    }
}

const Model& Session::model() const { return state_->model; }
int Session::threads() const { return state_->threads->threads(); }

PlanInfo Session::plan() const {
    PlanInfo info;
    const Plan& plan = *state_->plan;
    for (const Step& s : plan.steps) {
        StepInfo step;
        step.node = s.node;
        step.name = step_name(plan, s);
        step.op = plan.graph->node(s.node).qualified_op();
        step.kernel = s.kernel.name;
        for (const Rejection& r : s.kernel.passed_over) step.passed_over.emplace_back(r.kernel, r.reason);
        info.steps.push_back(std::move(step));
    }
    info.weight_bytes = static_cast<std::uint64_t>(state_->weight_bytes);
    if (const MemoryPattern* pattern = state_->newest_pattern) {
        info.arena_bytes = pattern->total_bytes;
        for (std::size_t step = 0; step < plan.steps.size(); ++step)
            for (ValueId v : plan.graph->node(plan.steps[step].node).outputs)
                if (v && pattern->offsets[v.index] != MemoryPattern::none)
                    info.blocks.push_back({plan.graph->value(v).name, step, plan.last_use[v.index], pattern->offsets[v.index], pattern->bytes[v.index]});
    }
    return info;
}

}  // namespace lapidary
