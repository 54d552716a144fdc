// SPDX-License-Identifier: Apache-2.0
#include <lapidary/exec/session.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include <lapidary/base/error.h>
#include <lapidary/exec/compute.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/profile/session_overhead.h>

#include "base/memory/page_memory.h"
#include "exec/memory/address_owners.h"
#include "exec/compiled_model.h"
#include "exec/plan/prepare_graph.h"
#include "exec/device/resident_memory.h"
#include "exec/run/run_slot.h"
#include "graph/copy_model.h"

namespace lapidary {

struct Session::State {
    CompiledModel compiled;
    WeightWatch weights;
    NewestPattern newest;
    // by all runs
    std::shared_ptr<std::atomic<std::int64_t>> memory_in_use =
        std::make_shared<std::atomic<std::int64_t>>(0);
    std::unique_ptr<RunSlot> first;
    std::mutex mutex;
    // under the mutex; as many as there were other runs at a time
    std::vector<std::unique_ptr<RunSlot>> further;
    ResidentMemories residents;  // by device

    ~State() {
        for (const auto& memory : residents) memory->close();
    }
    void make_residents();
    std::shared_ptr<Budget> make_budget() const;
    RunSlot& take_slot();
    void shrink_free_slots();
};

namespace {

struct GiveBack {
    ~GiveBack() { slot.give_back(); }
    RunSlot& slot;
};

}  // namespace

std::shared_ptr<Budget> Session::State::make_budget() const {
    const SessionOptions& options = compiled.options;
    return std::make_shared<Budget>(options.limits,
                                    options.enable_cpu_mem_arena
                                        ? std::make_unique<ActivationArena>(options.arena_extend)
                                        : nullptr,
                                    memory_in_use);
}

void Session::State::make_residents() {
    if (!compiled.plan->devices) return;
    for (const DevicePlan::Device& device : compiled.plan->devices->devices) {
        const auto named = [&](const auto& provider) {
            return provider->device() == device.provider;
        };
        const auto provider = std::ranges::find_if(compiled.options.providers, named);
        residents.push_back(
            std::make_shared<ResidentMemory>(*provider, compiled.options.limits, memory_in_use));
    }
}

// A single caller always gets the first slot, without a lock.
RunSlot& Session::State::take_slot() {
    if (first->try_take()) return *first;
    const std::lock_guard lock(mutex);
    for (const auto& slot : further)
        if (slot->try_take()) return *slot;
    auto threads =
        make_session_threads(compiled.threads, compiled.options.resources.spinning, compiled.setup);
    further.push_back(std::make_unique<RunSlot>(compiled, weights, newest, residents,
                                                std::move(threads), make_budget()));
    further.back()->try_take();
    return *further.back();
}

void Session::State::shrink_free_slots() {
    const auto shrink = [](RunSlot& slot) {
        if (!slot.try_take()) return;
        const GiveBack back{slot};
        slot.shrink();
    };
    const std::lock_guard lock(mutex);
    if (further.empty()) return;
    shrink(*first);
    for (const auto& slot : further) shrink(*slot);
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

namespace {

/// The threads of the session as a whole.
std::unique_ptr<SessionThreads> start_threads(CompiledModel& compiled) {
    const SessionOptions& options = compiled.options;
    const int wanted =
        options.resources.threads > 0 ? options.resources.threads : default_thread_count();
    auto setup = std::make_shared<ThreadSetup>();
    setup->processors = parse_affinities(options.thread_affinities, wanted);
    setup->denormal_as_zero = options.denormal_as_zero;
    auto threads = make_session_threads(wanted, options.resources.spinning, setup);
    compiled.threads = threads->threads();
    compiled.setup = setup;
    if (compiled.is_parallel())
        compiled.steps_at_a_time = usable_thread_count(options.resources.inter_threads);
    return threads;
}

/// The graph gets its copies. Nothing where the session has no provider but the CPU.
std::optional<DevicePlacement> place(CompiledModel& compiled, const KernelOptions& options,
                                     WeightStore& weights, const CancelToken& cancel) {
    Graph& graph = compiled.model.graph;
    const SessionOptions& session = compiled.options;
    DevicePlacement placement =
        place_nodes(graph, session.providers, session.fallback, options, weights, cancel);
    insert_copies(graph, placement, cancel);
    compiled.placement = report_placement(graph, placement);
    return placement;
}

void choose_kernels(CompiledModel& compiled, const KernelOptions& options, WeightStore& weights,
                    const std::optional<DevicePlacement>& placement, const CancelToken& cancel) {
    PlannedSteps steps =
        plan_steps(compiled.model, options, weights, cancel, placement ? &*placement : nullptr);
    compiled.plan = std::move(steps.plan);
    collect_plans(*compiled.plan, compiled.plans);
    std::ranges::sort(compiled.plans, {}, [](const Plan* p) { return p->number; });
    GraphEdit edit(compiled.model.graph);
    for (ValueId v : steps.unread) edit.drop_constant_data(v);
}

/// Phases for the passes of level session within their phase, which is the last one.
void report_passes(CompiledModel& compiled) {
    CompilePhase phase = compiled.phases.back();
    const std::int64_t end = phase.end_ns;
    ++phase.depth;
    for (const PassRun& run : compiled.session_passes.passes) {
        phase.end_ns = std::min(phase.begin_ns + run.nanoseconds, end);
        phase.name = run.pass + ": " + std::to_string(run.applied) +
                     (run.applied == 1 ? " rewrite" : " rewrites");
        if (run.applied > 0) compiled.phases.push_back(phase);
        phase.begin_ns = phase.end_ns;
    }
}

}  // namespace

Session Session::compile(ModelPtr model, const SessionOptions& given, const Progress& progress) {
    auto state = std::make_unique<State>();
    CompiledModel& compiled = state->compiled;
    const PhaseRunner phase = [&](std::string name, const std::function<void()>& work) {
        progress.step(name);
        CompilePhase done{.name = std::move(name), .depth = 1};  // inside of the initialization
        done.begin_ns = steady_now_ns() - compiled.origin_ns;
        work();
        done.end_ns = steady_now_ns() - compiled.origin_ns;
        compiled.phases.push_back(std::move(done));
    };
    compiled.options = resolve_config(given);
    const SessionOptions& options = compiled.options;
    KernelOptions kernel_options;
    kernel_options.winograd = options.winograd;
    const Compute compute = compute_of(options);
    kernel_options.rounds_inputs_to = compute == Compute::fp16   ? DType::f16
                                      : compute == Compute::bf16 ? DType::bf16
                                                                 : DType::undefined;
    kernel_options.reference_only = options.reference_kernels;
    WeightStore weights;
    std::unique_ptr<SessionThreads> threads;
    std::shared_ptr<Budget> budget;
    std::unique_ptr<BranchRunner> branches;
    try {
        compiled.model = copy_model(*model, progress.cancel);
        compiled.weight_bytes = count_weights(compiled.model);
        // if the caller gave the model away, weights are released as they are packed
        model.reset();
        compiled.session_passes = prepare_graph(compiled.model, options, progress, phase);
        report_passes(compiled);
        phase("start threads", [&] {
            threads = start_threads(compiled);
            kernel_options.threads = compiled.threads;
            budget = state->make_budget();
            // prepared for the first run
            budget->prepare(prepared_arena_bytes(count_weights(compiled.model)));
        });
        std::optional<DevicePlacement> placement;
        if (!options.providers.empty() || options.fallback != Fallback::allow)
            phase("place nodes",
                  [&] { placement = place(compiled, kernel_options, weights, progress.cancel); });
        phase("choose kernels", [&] {
            choose_kernels(compiled, kernel_options, weights, placement, progress.cancel);
        });
        if (compiled.is_parallel())
            branches = std::make_unique<BranchRunner>(*compiled.plan, compiled.steps_at_a_time,
                                                      compiled.threads, compiled.setup);
        phase("pack weights", [&] {
            threads->execute([&] { weights.fill(*threads, progress.cancel); });
            for (const Plan* p : compiled.plans)  // the others, which a run would have to wait for
                for (const RuntimeValue& constant : p->constants)
                    if (constant.is_tensor() && constant.tensor().is_deferred()) {
                        progress.cancel.throw_if_cancelled();
                        constant.tensor().raw();
                    }
        });
    } catch (Error& e) {
        if (!compiled.model.path.empty()) throw e.at(compiled.model.path.string());
        throw;
    }
    trim_heap();  // what passes and packing took on the way
    if (weights.pages() && weights.pages()->has_usual())
        state->weights.set_usual_pages(weights.pages());
    state->make_residents();
    state->first =
        std::make_unique<RunSlot>(compiled, state->weights, state->newest, state->residents,
                                  std::move(threads), std::move(budget), std::move(branches));
    compiled.phases.insert(compiled.phases.begin(), {std::string(initialization_phase), 0, 0,
                                                     steady_now_ns() - compiled.origin_ns});
    return Session(std::move(state));
}

void Session::run(const NamedValues& inputs, const RunOptions& options, RunResult& result) {
    try {
        {
            const GiveBack slot{state_->take_slot()};
            slot.slot.run(inputs, options, result);
        }
        if (options.shrink_arena) state_->shrink_free_slots();
    } catch (Error& e) {
        const auto& path = state_->compiled.model.path;
        if (!path.empty()) throw e.at(path.string());
        throw;
    }
}

RunResult Session::run(const NamedValues& inputs, const RunOptions& options) {
    RunResult result;
    run(inputs, options, result);
    return result;
}

DeviceValue Session::to_device(std::string_view input, const Tensor& tensor) {
    const CompiledModel& compiled = state_->compiled;
    const Graph& graph = compiled.model.graph;
    const ValueId id = graph.find_value(input);
    if (!id || graph.value(id).kind != ValueKind::input)
        fail_input("the model has no input " + quote(input));
    const ResidentPlan::Input* at =
        compiled.plan->devices ? compiled.plan->devices->residents.input(id) : nullptr;
    if (at == nullptr || at->device == nullptr) return tensor;
    return state_->residents[compiled.plan->devices->index_of(*at->device)]->upload(tensor);
}

const Model& Session::model() const { return state_->compiled.model; }
const PipelineReport& Session::session_passes() const { return state_->compiled.session_passes; }
int Session::threads() const { return state_->compiled.threads; }
const PlacementReport& Session::placement() const { return state_->compiled.placement; }

PlanInfo Session::plan() const {
    PlanInfo info;
    const Plan& plan = *state_->compiled.plan;
    for (const Step& s : plan.steps) {
        StepInfo step;
        step.node = s.node;
        step.name = step_name(plan, s);
        step.op = plan.graph->node(s.node).qualified_op();
        step.kernel = s.kernel.name;
        step.provider = s.provider->name();
        for (const Rejection& r : s.kernel.passed_over)
            step.passed_over.emplace_back(r.kernel, r.reason);
        const std::size_t index = info.steps.size();
        const char* const why = plan.fallbacks[index].load(std::memory_order_relaxed);
        step.fallback = why != nullptr ? why : s.reference_reason;
        info.steps.push_back(std::move(step));
    }
    info.weight_bytes = static_cast<std::uint64_t>(state_->compiled.weight_bytes);
    const auto pattern = state_->newest.get();
    if (plan.devices)
        for (const DevicePlan::Device& device : plan.devices->devices) {
            const std::size_t number = info.providers.size();
            const bool is_planned = pattern != nullptr && number < pattern->device_bytes.size();
            info.providers.push_back({device.provider->name(),
                                      is_planned ? pattern->device_bytes[number] : 0,
                                      device.constant_bytes});
        }
    if (pattern == nullptr) return info;
    info.arena_bytes = pattern->total_bytes;
    AddressOwners owners;
    for (std::size_t step = 0; step < plan.steps.size(); ++step)
        for (ValueId v : plan.graph->node(plan.steps[step].node).outputs) {
            if (!v || !pattern->in_arena(v.index)) continue;
            const std::uint64_t offset = pattern->values[v.index].offset,
                                bytes = pattern->value_bytes[v.index];
            const bool shares = owners.add(offset, bytes, step, plan.last_use[v.index]).has_value();
            info.blocks.push_back(
                {plan.graph->value(v).name, step, plan.last_use[v.index], offset, bytes, shares});
        }
    return info;
}

}  // namespace lapidary
