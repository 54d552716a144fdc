// SPDX-License-Identifier: Apache-2.0
#include <lapidary/session.h>

#include <algorithm>
#include <system_error>
#include <thread>

#include <lapidary/error.h>
#include <lapidary/graph_edit.h>

#include "base/mapping_guard.h"
#include "exec/branch_runner.h"
#include "exec/frame.h"
#include "exec/input_check.h"
#include "exec/prepare_graph.h"
#include "exec/profile_build.h"

namespace lapidary {

struct Session::State {
    /// What is ready for one set of input shapes.
    struct Prepared {
        InputSignature inputs;
        std::unique_ptr<Frame> frame;
    };

    Model model;
    SessionOptions options;
    std::unique_ptr<SessionThreads> threads;
    std::shared_ptr<Budget> budget;
    std::unique_ptr<Plan> plan;
    std::unique_ptr<BranchRunner> branches;  // null: one step at a time
    std::vector<const Plan*> plans;          // by number
    Tensor arena;
    std::vector<Prepared> prepared;  // latest used first
    std::int64_t weight_bytes = 0;
    std::vector<Span> phases;
    std::int64_t origin_ns = steady_now_ns();
    std::uint64_t damage_seen = 0;  // of MappingGuard, when the weights were last looked at
    std::weak_ptr<LargePages> usual_pages;  // of weights, that wait for the second run
    bool has_run = false;
    std::jthread collapsing;

    void run(const NamedValues& inputs, const RunOptions& options, RunResult& result);
    Prepared& prepare(const NamedValues& inputs);
    void run_once(Prepared& on, const NamedValues& inputs, RunState& run, ProfileBuild* profile, std::span<const ValueId> extra, RunResult& result);
    void bind(Frame& frame);
    void require_whole_weights();
    void collapse_weights();
};

namespace {

constexpr std::size_t most_prepared = 16;

}  // namespace

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session Session::compile(ModelPtr model, const SessionOptions& given, const Progress& progress) {
    auto state = std::make_unique<State>();
    const PhaseRunner phase = [&](std::string name, const std::function<void()>& work) {
        progress.step(name);
        Span span;
        span.kind = EventKind::phase;
        span.begin_ns = steady_now_ns() - state->origin_ns;
        work();
        span.end_ns = steady_now_ns() - state->origin_ns;
        span.name = std::move(name);
        state->phases.push_back(std::move(span));
    };
    state->options = resolve_config(given);
    const SessionOptions& options = state->options;
    KernelOptions kernel_options;
    kernel_options.winograd = options.winograd;
    kernel_options.reference_only = options.reference_kernels;
    WeightStore weights;
    std::shared_ptr<ThreadSetup> setup;
    int at_a_time = 1, share = 1;
    try {
        state->model = *model;
        model.reset();  // whoever gave it away lets the weights go as they are packed
        prepare_graph(state->model, options, progress, phase);
        phase("start threads", [&] {
            const int threads = options.intra_threads > 0 ? options.intra_threads : default_thread_count();
            setup = std::make_shared<ThreadSetup>();
            setup->processors = parse_affinities(options.thread_affinities, threads);
            setup->denormal_as_zero = options.denormal_as_zero;
            state->threads = make_session_threads(threads, options.allow_spinning, setup);
            kernel_options.threads = share = state->threads->threads();
            if (options.execution_mode == ExecutionMode::parallel) {
                at_a_time = std::clamp(options.inter_threads > 0 ? options.inter_threads : default_thread_count(), 1, 256);
                kernel_options.threads = share = std::max(share / at_a_time, 1);
            }
            state->budget = std::make_shared<Budget>(
                options.limits, options.enable_cpu_mem_arena ? std::make_unique<ActivationArena>(options.arena_extend) : nullptr);
            state->weight_bytes = count_weights(state->model);
            state->budget->prepare(std::min<std::uint64_t>(state->weight_bytes / 32, 16 << 20));  // of which the first run is served
        });
        phase("choose kernels", [&] {
            PlannedSteps steps = plan_steps(state->model, kernel_options, weights);
            state->plan = std::move(steps.plan);
            collect_plans(*state->plan, state->plans);
            std::ranges::sort(state->plans, {}, [](const Plan* p) { return p->number; });
            GraphEdit edit(state->model.graph);
            for (ValueId v : steps.unread) {
                std::optional<Tensor>& constant = edit.fields(v).constant;
                constant = Tensor::borrow(constant->dtype(), constant->shape(), nullptr, nullptr);
            }
        });
        if (options.execution_mode == ExecutionMode::parallel) {
            // The workers of several pools have no numbers of their own that affinities could name.
            const auto anywhere = std::make_shared<ThreadSetup>(ThreadSetup{{}, setup->denormal_as_zero});
            state->branches = std::make_unique<BranchRunner>(*state->plan, at_a_time, share, options.allow_spinning, anywhere);
        }
        phase("pack weights", [&] {
            state->threads->execute([&] { weights.fill(*state->threads, progress.cancel); });
            for (const Plan* p : state->plans)  // the others, which a run would have to wait for
                for (const RuntimeValue& constant : p->constants)
                    if (constant.is_tensor() && constant.tensor().is_deferred()) constant.tensor().raw();
        });
    } catch (Error& e) {
        if (!state->model.path.empty()) throw e.at(state->model.path.string());
        throw;
    }
    if (weights.pages() && weights.pages()->has_usual()) state->usual_pages = weights.pages();
    return Session(std::move(state));
}

// Weights are mapped: a program that truncates their file turns them into zeros under the session.
void Session::State::require_whole_weights() {
    if (MappingGuard::damage_count() == damage_seen) return;
    for (const Plan* p : plans)
        for (const RuntimeValue& constant : p->constants)
            if (constant.is_tensor()) MappingGuard::require_whole(constant.tensor().identity());
    damage_seen = MappingGuard::damage_count();
}

// A session that runs again goes on to do so, one that ran once may have been made for that.
void Session::State::collapse_weights() {
    const auto pages = usual_pages.lock();
    usual_pages.reset();
    if (!pages) return;
    try {
        collapsing = std::jthread([pages](const std::stop_token& stop) { pages->collapse(stop); });
    } catch (const std::system_error&) {  // no thread to be had: the pages stay as they are
    }
}

void Session::State::bind(Frame& frame) {
    if (frame.pattern() == nullptr) return;
    if (const std::uint64_t bytes = frame.arena_bytes(); static_cast<std::uint64_t>(arena.size()) < bytes) {
        arena = Tensor{};
        budget->shrink();  // what the traced run took
        arena = budget->allocate_planned(bytes);
    }
    frame.bind(static_cast<std::byte*>(arena.mutable_raw()));
}

Session::State::Prepared& Session::State::prepare(const NamedValues& inputs) {
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        if (!prepared[i].inputs.matches(inputs)) continue;
        if (i != 0) std::rotate(prepared.begin(), prepared.begin() + static_cast<std::ptrdiff_t>(i), prepared.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return prepared[0];
    }
    InputSignature signature = check_inputs(model.graph, inputs);
    auto found = std::ranges::find_if(prepared, [&](const Prepared& p) { return p.inputs.is_same_set(signature); });
    if (found == prepared.end()) {
        if (prepared.size() >= most_prepared) prepared.pop_back();
        prepared.push_back({{}, std::make_unique<Frame>(*plan, nullptr, options.enable_mem_pattern && !branches)});
        found = prepared.end() - 1;
    }
    found->inputs = std::move(signature);
    std::rotate(prepared.begin(), found, found + 1);
    return prepared[0];
}

void Session::State::run_once(Prepared& on, const NamedValues& inputs, RunState& run, ProfileBuild* profile, std::span<const ValueId> extra,
                              RunResult& result) {
    Frame& frame = *on.frame;
    struct Release {
        ~Release() { frame.release(); }
        Frame& frame;
    };
    {
        const Release release{frame};
        const auto ids = model.graph.outputs();
        if (result.outputs.size() == ids.size() + extra.size())
            for (auto& [name, value] : result.outputs) value = RuntimeValue{};
        else result.outputs.resize(ids.size() + extra.size());
        bind(frame);
        for (std::size_t i = 0; i < inputs.size(); ++i) frame.set(on.inputs.entries()[i].id, inputs[i].second);
        if (profile) profile->begin_run();
        if (branches) branches->run(frame, run);
        else threads->execute([&] { frame.run(run); });
        if (profile) profile->end_run();
        require_whole_weights();
        for (std::size_t i = 0; i < result.outputs.size(); ++i) {
            const ValueId id = i < ids.size() ? ids[i] : extra[i - ids.size()];
            result.outputs[i].first = model.graph.value(id).name;
            result.outputs[i].second = detached(frame.result(id), *budget);
        }
    }
    if (frame.wants_place()) frame.place();
}

void Session::State::run(const NamedValues& inputs, const RunOptions& run_options, RunResult& result) {
    RunState run{*threads, budget, run_options.cancel, options.limits, run_options.progress};
    run.seed = options.random_seed;
    run.check_writes = options.check_writes && !branches;
    std::vector<ValueId> extra;
    Prepared keeping;
    std::vector<std::uint8_t> keep;
    Prepared* on = &keeping;
    if (run_options.extra_outputs.empty()) {
        on = &prepare(inputs);
    } else {
        keeping.inputs = check_inputs(model.graph, inputs);
        keep.assign(model.graph.value_slots(), 0);
        for (const std::string& name : run_options.extra_outputs) {
            const ValueId id = model.graph.find_value(name);
            if (!id) fail_input("there is no value " + quote(name) + " to return");
            keep[id.index] = 1;
            extra.push_back(id);
        }
        keeping.frame = std::make_unique<Frame>(*plan, nullptr, false, &keep);
    }
    std::unique_ptr<ProfileBuild> profile;
    if (run_options.profile) profile = std::make_unique<ProfileBuild>(plans, *threads, branches ? branches->at_a_time() : 1, *budget, origin_ns, run);
    budget->reset_peak();
    result.profile = nullptr;
    for (int repetition = 0; repetition < std::max(run_options.repetitions, 1); ++repetition) {
        if (has_run) collapse_weights();
        has_run = true;
        run_once(*on, inputs, run, profile.get(), extra, result);
    }
    if (profile) result.profile = profile->finish(phases, model, weight_bytes);
    if (run_options.shrink_arena) {
        arena = Tensor{};
        budget->shrink();
    }
}

void Session::run(const NamedValues& inputs, const RunOptions& options, RunResult& result) {
    try {
        state_->run(inputs, options, result);
    } catch (Error& e) {
        if (!state_->model.path.empty()) throw e.at(state_->model.path.string());
        throw;
    }
}

RunResult Session::run(const NamedValues& inputs, const RunOptions& options) {
    RunResult result;
    run(inputs, options, result);
    return result;
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
    const MemoryPattern* pattern = state_->prepared.empty() ? nullptr : state_->prepared[0].frame->pattern();
    if (pattern == nullptr) return info;
    info.arena_bytes = pattern->total_bytes;
    for (std::size_t step = 0; step < plan.steps.size(); ++step)
        for (ValueId v : plan.graph->node(plan.steps[step].node).outputs) {
            if (!v || !pattern->in_arena(v.index)) continue;
            const std::uint64_t offset = pattern->values[v.index].offset, bytes = pattern->value_bytes[v.index];
            const bool shares = std::ranges::any_of(info.blocks, [&](const MemoryBlock& b) {
                return b.last_step >= step && b.offset < offset + bytes && offset < b.offset + b.bytes;
            });
            info.blocks.push_back({plan.graph->value(v).name, step, plan.last_use[v.index], offset, bytes, shares});
        }
    return info;
}

}  // namespace lapidary
