// SPDX-License-Identifier: Apache-2.0
#include "exec/run/frame.h"

#include <algorithm>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <lapidary/base/error.h>

#include "base/assert.h"
#include "exec/run/step_recorder.h"

namespace lapidary {

/// A step whose node may hold graphs: each runs in a frame of its own, made when it first runs.
class Frame::FrameStep final : public StepContext {
public:
    FrameStep(Frame& frame, const Step& step) : StepContext(frame.values_, step), frame_(frame) {}
    std::vector<RuntimeValue> run_subgraph(std::string_view attribute,
                                           std::span<const RuntimeValue> inputs) override;
    void begin(RunState& state) {
        StepContext::begin(state);
        subgraph_runs_ = 0;
    }
    /// Resets the step to its state after construction.
    void start_over() {
        StepContext::start_over();
        subgraphs_.clear();
    }
    const auto& subgraphs() const { return subgraphs_; }

private:
    Frame& subgraph(std::string_view attribute);

    Frame& frame_;
    std::map<std::string, std::unique_ptr<Frame>, std::less<>> subgraphs_;
    std::int64_t subgraph_runs_ = 0;  // in this call of the node
};

Frame& Frame::FrameStep::subgraph(std::string_view attribute) {
    if (const auto it = subgraphs_.find(attribute); it != subgraphs_.end()) return *it->second;
    const auto plan = step().subgraphs.find(attribute);
    if (plan == step().subgraphs.end())
        fail("attribute " + quote(attribute) + " with a graph is required but missing");
    auto frame = std::make_unique<Frame>(*plan->second, &frame_, frame_.values_.plans_memory(),
                                         state().cancel);
    return *subgraphs_.emplace(attribute, std::move(frame)).first->second;
}

std::vector<RuntimeValue> Frame::FrameStep::run_subgraph(std::string_view attribute,
                                                         std::span<const RuntimeValue> inputs) {
    Frame& inner = subgraph(attribute);
    const auto names = inner.values_.plan().graph->inputs();
    if (inputs.size() > names.size())
        fail("subgraph " + quote(attribute) + " takes " + std::to_string(names.size()) +
             " inputs, got " + std::to_string(inputs.size()));
    state().cancel.throw_if_cancelled();
    struct Release {
        ~Release() { frame.release(); }
        Frame& frame;
    } const release{inner};
    for (std::size_t i = 0; i < inputs.size(); ++i) inner.set(names[i], inputs[i]);
    inner.observed_.set_iteration(subgraph_runs_++);
    try {
        inner.run(state());
    } catch (Error& e) { throw e.at(std::string(attribute)); }
    return inner.outputs();
}

Frame::Frame(const Plan& plan, Frame* outer, bool plan_memory, const CancelToken& cancel,
             const std::vector<std::uint8_t>* keep, SlotDevices* devices, ResidentFlags residents)
    : outer_(outer), values_(plan, outer ? &outer->values_ : nullptr, plan_memory, keep, devices,
                             std::move(residents)),
      write_check_(values_, outer ? &outer->write_check_ : nullptr),
      observed_(values_, outer ? &outer->observed_ : nullptr), released_after_(plan.steps.size()) {
    LAPIDARY_ASSERT(keep == nullptr || !plan_memory);
    for (const Step& step : plan.steps) {
        if (steps_.size() % 1024 == 0) cancel.throw_if_cancelled();
        steps_.emplace_back(*this, step);
    }
    find_released();
}

Frame::~Frame() = default;

// Values in the arena stay where they are. Other values are released after their last reader.
void Frame::find_released() {
    for (std::size_t i = 0; i < released_after_.size(); ++i) {
        released_after_[i].clear();
        for (ValueId v : values_.plan().steps[i].released_after)
            if (!values_.stays(v.index)) released_after_[i].push_back(v.index);
    }
}

void Frame::request_place() {
    for (Frame* f = this; f; f = f->outer_) f->wants_place_ = true;
}

void Frame::begin(RunState& state) {
    values_.begin_run(*state.budget);
    if (state.check_writes) write_check_.begin_run();
    if (state.observer != nullptr) state.observer->graph_begins(observed_);
}

void Frame::run_kernel(std::size_t index, RunState& state) {
    FrameStep& step = steps_[index];
    step.begin(state);
    if (state.recorder == nullptr) {
        step.step().kernel.run(step);
    } else {
        const std::int64_t begin_ns = steady_now_ns();
        step.step().kernel.run(step);
        record_step(step, state, begin_ns, steady_now_ns());
    }
    if (state.check_writes) write_check_.check(step);
    if (state.observer != nullptr) state.observer->node_ran(observed_, step.node());
    for (std::uint32_t v : step.outputs()) {
        if (v == StepContext::none) continue;
        const RuntimeValue& made = values_.slots()[v];
        if (made.is_tensor() && made.tensor().dtype() == DType::string)
            state.budget->charge_text(made.tensor());
    }
    step.end();
}

void Frame::run_step(std::size_t index, RunState& state) {
    const auto place = [&] { return steps_[index].node().describe(); };
    try {
        run_kernel(index, state);
    } catch (Error& e) {
        if (e.code() == ErrorCode::cancelled) throw;
        throw e.at(place());
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::limit_exceeded, "the system refused memory").at(place());
    } catch (const std::length_error&) {
        throw Error(ErrorCode::limit_exceeded, "a list would be longer than memory allows")
            .at(place());
    }
}

void Frame::release_after(std::size_t index) {
    for (std::uint32_t v : released_after_[index]) values_.slots()[v] = RuntimeValue{};
    if (!values_.has_off_plan()) return;
    for (ValueId v : values_.plan().steps[index].released_after) values_.drop_off_plan(v.index);
}

/// The next step, or all of a segment that is repeated.
void Frame::run_next(std::size_t& step, RunState& state) {
    state.cancel.throw_if_cancelled();
    const bool is_watched =
        state.recorder != nullptr || state.check_writes || state.observer != nullptr;
    if (!is_watched && replay_.repeat(step, values_.slots(), values_.devices())) return;
    run_step(step, state);
    release_after(step);
    ++step;
    if (!is_watched) replay_.note_walked(step, values_.slots(), values_.devices());
}

void Frame::run(RunState& state) {
    begin(state);
    replay_.begin_run();
    const std::size_t total = steps_.size();
    for (std::size_t step = 0, reported = 0; step < total;) {
        run_next(step, state);
        if (outer_ == nullptr && state.progress)
            while (reported < step)
                state.progress(static_cast<int>(++reported), static_cast<int>(total));
    }
    if (values_.end_trace()) request_place();
}

std::vector<RuntimeValue> Frame::outputs() const {
    std::vector<RuntimeValue> out;
    const auto ids = values_.plan().graph->outputs();
    out.reserve(ids.size());
    for (ValueId v : ids) out.push_back(result(v));
    return out;
}

void Frame::start_over(ResidentFlags residents) {
    for (FrameStep& step : steps_) step.start_over();
    wants_place_ = false;
    values_.start_over(std::move(residents));
}

void Frame::place(const CancelToken& cancel) {
    if (!values_.is_traced()) {
        wants_place_ = false;
        return;
    }
    // Placed frames must be bound. So once the first inner frame is placed, this is no longer
    // cancelled.
    const CancelToken never;
    const bool has_inner =
        std::ranges::any_of(steps_, [](const FrameStep& s) { return !s.subgraphs().empty(); });
    const CancelToken& until_laid_out = has_inner ? never : cancel;
    MemoryTrace trace = values_.trace(until_laid_out);
    // Subgraphs of one step run one at a time: they share the memory behind its working memory.
    for (FrameStep& step : steps_) {
        auto& bytes = trace.scratch_bytes.emplace_back(step.scratch_bytes());
        std::uint64_t inner = 0;
        for (auto& [name, frame] : step.subgraphs()) {
            frame->place(never);
            inner = std::max(inner, frame->arena_bytes());
        }
        if (inner != 0) bytes.push_back(inner);
    }
    const Plan& plan = values_.plan();
    MemoryPattern pattern = make_pattern(plan, trace, true, until_laid_out);
    DeviceMemory* const on_devices = values_.devices();
    if (on_devices) {
        on_devices->place(until_laid_out);
        pattern.device_bytes = on_devices->planned_bytes();
    }
    values_.place(std::make_shared<const MemoryPattern>(std::move(pattern)));
    wants_place_ = false;
    find_released();
    if (on_devices) replay_.find(plan, *on_devices, *values_.pattern());
    arena_ = nullptr;
}

/// Whether it has recorded what it needs, without subgraphs and devices, and has no plan yet.
bool Frame::is_plain() const {
    return values_.is_traced() && !values_.pattern() &&
           std::ranges::all_of(values_.plan().steps, [](const Step& s) {
               return s.subgraphs.empty() && s.provider->device() == nullptr;
           });
}

MemoryTrace Frame::plain_trace(const CancelToken& cancel) const {
    MemoryTrace trace = values_.trace(cancel);
    for (const FrameStep& step : steps_) trace.scratch_bytes.push_back(step.scratch_bytes());
    return trace;
}

bool Frame::place_with_room(const Frame& before, std::int64_t runs, std::uint64_t most_bytes,
                            const CancelToken& cancel) {
    if (!is_plain() || !before.is_plain()) return false;
    const Plan& plan = values_.plan();
    const MemoryTrace trace =
        with_room(plan, before.plain_trace(cancel), plain_trace(cancel), runs, most_bytes, cancel);
    MemoryPattern pattern = make_pattern(plan, trace, true, cancel);
    if (pattern.total_bytes > most_bytes) return false;
    values_.place(std::make_shared<const MemoryPattern>(std::move(pattern)));
    wants_place_ = false;
    find_released();
    arena_ = nullptr;
    return true;
}

void Frame::bind(std::byte* arena) {
    if (!pattern() || arena == arena_) return;
    arena_ = arena;
    values_.bind(arena);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const std::vector<std::uint64_t>& offsets = pattern()->scratch[i];
        if (pattern()->scratch_bytes.empty()) steps_[i].bind_scratch(arena, offsets);
        else steps_[i].bind_scratch(arena, offsets, pattern()->scratch_bytes[i]);
        for (auto& [name, frame] : steps_[i].subgraphs())
            if (frame->pattern())
                frame->bind(arena + (frame->arena_bytes() != 0 ? offsets.back() : 0));
    }
}

}  // namespace lapidary
