// SPDX-License-Identifier: Apache-2.0
#include "exec/run/frame.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <lapidary/base/error.h>

#include "exec/run/step_context.h"
#include "exec/memory/storage_sharing.h"
#include "exec/run/write_check.h"

namespace lapidary {
namespace {

bool is_lent(const RuntimeValue& value) {
    if (value.is_tensor()) return value.tensor().is_unowned();
    if (value.is_sequence()) return std::ranges::any_of(value.sequence().items, is_lent);
    return value.is_map() && value.map().values.is_unowned();
}

bool has_type(const Tensor& tensor, DType dtype, const Shape& shape) {
    return tensor.dtype() == dtype && tensor.shape() == shape;
}

}  // namespace

RuntimeValue detached(const RuntimeValue& value, Budget& budget) {
    if (!is_lent(value)) return value;
    if (value.is_tensor()) {
        const Tensor& t = value.tensor();
        Tensor copy = budget.allocate(t.dtype(), t.shape());
        // tensors of strings always have an owner
        if (t.byte_size() != 0) std::memcpy(copy.mutable_raw(), t.raw(), t.byte_size());
        return copy;
    }
    if (value.is_sequence()) {
        Sequence copy;
        copy.element_type = value.sequence().element_type;
        for (const RuntimeValue& item : value.sequence().items)
            copy.items.push_back(detached(item, budget));
        return copy;
    }
    Map copy = value.map();
    copy.values = copy.values.clone();
    return copy;
}

Frame::Frame(const Plan& plan, Frame* outer, bool plan_memory, const CancelToken& cancel,
             const std::vector<std::uint8_t>* keep, SlotDevices* devices, ResidentFlags residents)
    : plan_(plan), outer_(outer), keep_(keep), slots_(plan.graph->value_slots()),
      homes_(slots_.size()), input_bytes_(slots_.size(), MemoryTrace::nothing),
      plans_memory_(plan_memory) {
    for (const Step& step : plan.steps) {
        if (steps_.size() % 1024 == 0) cancel.throw_if_cancelled();
        steps_.emplace_back(*this, step, plan_memory);
    }
    find_deaths();
    if (plan.devices)
        devices_ =
            std::make_unique<DeviceMemory>(plan, plan_memory, *devices, std::move(residents));
}

Frame::~Frame() = default;

const RuntimeValue* Frame::locate(ValueId id) const {
    if (const RuntimeValue& constant = plan_.constants[id.index]; !constant.is_empty())
        return &constant;
    const Value& v = plan_.graph->value(id);
    return v.kind == ValueKind::captured ? outer_->locate(v.outer) : &slots_[id.index];
}

// Values in the arena stay where they are; what else a step writes goes when its last reader is
// done.
void Frame::find_deaths() {
    const auto stays = [&](std::uint32_t v) {
        return (pattern_ && pattern_->in_arena(v)) || (keep_ && (*keep_)[v]);
    };
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        steps_[i].deaths_.clear();
        for (ValueId v : plan_.steps[i].dies_after)
            if (!stays(v.index)) steps_[i].deaths_.push_back(v.index);
    }
    transient_.clear();
    for (ValueId id : plan_.graph->inputs()) transient_.push_back(id.index);
    for (const StepContext& step : steps_)
        for (std::uint32_t v : step.outputs_)
            if (v != StepContext::none && !(pattern_ && pattern_->in_arena(v)))
                transient_.push_back(v);
}

void Frame::request_place() {
    for (Frame* f = this; f; f = f->outer_) f->wants_place_ = true;
}

Tensor& Frame::output(StepContext& step, std::size_t index, DType dtype, Shape shape) {
    const std::uint32_t v = step.outputs_[index];
    Home& home = homes_[v];
    RuntimeValue& slot = slots_[v];
    if (home.is_planned) {
        if (!home.is_off_plan && has_type(home.tensor, dtype, shape)) return slot.tensor();
        if (!home.is_off_plan) ++off_plan_;
        home.is_off_plan = true;
    }
    const Tensor* source =
        step.sharing_.kind == StorageSharing::view && index == 0 ? step.optional_input(0) : nullptr;
    if (source && source->dtype() == dtype && source->owner() &&
        source->size() == element_count(shape))
        slot = source->reshaped(std::move(shape));
    else if (void* theirs = buffers_ ? buffers_->memory_of(v, dtype, shape) : nullptr)
        slot = Tensor::borrow(dtype, std::move(shape), theirs, nullptr);
    else slot = state_->budget->allocate(dtype, std::move(shape));
    if (is_tracing_ && dtype != DType::string)
        home.tensor = Tensor::borrow(dtype, slot.tensor().shape(), nullptr, nullptr);
    return slot.tensor();
}

void Frame::set_output(StepContext& step, std::size_t index, RuntimeValue value) {
    const std::uint32_t v = step.outputs_[index];
    Home& home = homes_[v];
    RuntimeValue& slot = slots_[v];
    if (value.is_tensor()) {
        const Tensor& t = value.tensor();
        if (home.is_planned && !home.is_off_plan && t.is_unowned() &&
            has_type(home.tensor, t.dtype(), t.shape())) {
            if (t.byte_size() != 0)
                std::memmove(slot.tensor().mutable_raw(), t.raw(), t.byte_size());
            return;
        }
        if (is_tracing_ && t.dtype() != DType::string && step.is_scratch(t))
            home.tensor = Tensor::borrow(t.dtype(), t.shape(), nullptr, nullptr);
    }
    if (home.is_planned && !home.is_off_plan) {
        home.is_off_plan = true;
        ++off_plan_;
    }
    slot = is_lent(value) ? keep(value) : std::move(value);
}

RuntimeValue Frame::keep(const RuntimeValue& value) const {
    return detached(value, *state_->budget);
}

void Frame::begin(RunState& state) {
    state_ = &state;
    is_tracing_ = plans_memory_ && !is_traced_;
    if (devices_) devices_->begin_run();
    for (ValueId id : plan_.graph->inputs()) {
        RuntimeValue& slot = slots_[id.index];
        if (slot.is_empty())
            // a default that no input replaces
            if (const Value& v = plan_.graph->value(id); v.constant) slot = *v.constant;
        if (devices_ && devices_->has(id, lies_on_device)) continue;
        if (is_tracing_ && slot.is_tensor()) input_bytes_[id.index] = slot.tensor().byte_size();
    }
    if (!handed_out_.empty()) take_storages();
    if (!state.check_writes) return;
    live_.clear();
    for (ValueId id : plan_.graph->inputs()) live_.push_back(id.index);
}

void* Frame::callers_storage(const HandedOut& out) const {
    for (std::uint32_t whole : out.values) {
        const Tensor& home = homes_[whole].tensor;
        if (pattern_->values[whole].offset != 0) continue;
        void* theirs = buffers_->memory_of(whole, home.dtype(), home.shape());
        const auto lies_within = [&](std::uint32_t v) {
            return pattern_->values[v].offset + homes_[v].tensor.byte_size() <= home.byte_size();
        };
        if (theirs && std::ranges::all_of(out.values, lies_within)) return theirs;
    }
    return nullptr;
}

void Frame::take_storages() {
    const auto lay = [this](const HandedOut& out, void* at) {
        for (std::uint32_t v : out.values)
            slots_[v] =
                Tensor::borrow(homes_[v].tensor.dtype(), homes_[v].tensor.shape(),
                               static_cast<std::byte*>(at) + pattern_->values[v].offset, nullptr);
    };
    for (std::size_t i = 0; i < handed_out_.size(); ++i) {
        HandedOut& out = handed_out_[i];
        out.owner = nullptr;
        if (void* theirs = buffers_ ? callers_storage(out) : nullptr) {
            lay(out, theirs);
            continue;
        }
        Tensor* storage = nullptr;
        for (Tensor& t : out.storages)
            if (t.owner().use_count() == 1) storage = &t;
        // Orders this after the reads of the last holder, which use_count() alone does not. Race
        // detectors do not understand fences; they see that the standard libraries count up
        // atomically with acquire and release.
        std::atomic_thread_fence(std::memory_order_acquire);
        if (storage != nullptr) std::shared_ptr<const void>(storage->owner()).reset();
        if (storage == nullptr) {
            const auto bytes = static_cast<std::int64_t>(pattern_->handed_out[i]);
            if (out.storages.size() < HandedOut::kept) {
                out.storages.reserve(HandedOut::kept);
                storage = &out.storages.emplace_back();
            } else {
                storage = &out.storages[out.oldest++ % HandedOut::kept];
            }
            *storage = Tensor{};
            *storage = state_->budget->allocate(DType::u8, {bytes});
        }
        lay(out, storage->mutable_raw());
        out.owner = storage->owner();
    }
}

void Frame::run_kernel(std::size_t index, RunState& state) {
    StepContext& step = steps_[index];
    step.begin(state);
    if (state.recorder == nullptr) {
        plan_.steps[index].kernel.run(step);
    } else {
        const std::int64_t begin_ns = steady_now_ns();
        plan_.steps[index].kernel.run(step);
        record(index, begin_ns, steady_now_ns());
    }
    if (state.check_writes) check_writes(index);
    for (std::uint32_t v : step.outputs_)
        if (v != StepContext::none && slots_[v].is_tensor() &&
            slots_[v].tensor().dtype() == DType::string)
            state.budget->charge_text(slots_[v].tensor());
    step.end();
}

void Frame::check_writes(std::size_t index) {
    for (std::uint32_t v : steps_[index].outputs_)
        if (v != StepContext::none) live_.push_back(v);
    WriteCheck(*this, index).require_own_bytes();
    std::erase_if(live_, [&](std::uint32_t v) { return plan_.last_use[v] <= index; });
}

void Frame::run_step(std::size_t index, RunState& state) {
    const auto place = [&] { return plan_.graph->node(plan_.steps[index].node).describe(); };
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

void Frame::let_go(std::size_t index) {
    for (std::uint32_t v : steps_[index].deaths_) slots_[v] = RuntimeValue{};
    if (off_plan_ == 0) return;
    for (ValueId v : plan_.steps[index].dies_after)
        if (homes_[v.index].is_off_plan && !(keep_ && (*keep_)[v.index]))
            slots_[v.index] = RuntimeValue{};
}

void Frame::record(std::size_t index, std::int64_t begin_ns, std::int64_t end_ns) {
    ProfileEvent event;
    event.kind = EventKind::kernel;
    if (const DeviceProvider* device = plan_.steps[index].provider->device()) {
        if (state_->launch_ns != nullptr) *state_->launch_ns += end_ns - begin_ns;
        const DeviceTime ran = devices_->queue(*device).finish();
        begin_ns = ran.begin_ns;
        end_ns = ran.end_ns;
        if (const Node& node = steps_[index].node_; is_copy(node)) {
            if (devices_->has(node.inputs[0], lies_on_device) ||
                devices_->has(node.outputs[0], is_not_copied))
                return;
            event.kind = EventKind::copy;
            event.bytes =
                static_cast<std::int64_t>(slots_[node.outputs[0].index].tensor().byte_size());
        }
    }
    event.end_ns = end_ns - state_->origin_ns;
    event.begin_ns = begin_ns - state_->origin_ns;
    event.thread = static_cast<std::uint16_t>(recording_lane);
    event.depth = static_cast<std::uint8_t>(std::min(plan_.depth, 255));
    event.step = static_cast<std::uint32_t>(index);
    event.plan = static_cast<std::uint32_t>(plan_.number);
    event.fallback = steps_[index].fallback_;
    state_->recorder->add(recording_lane, event);
    SeenTypes& types = *state_->types;
    if (!types.begin(recording_lane, plan_.number, index)) return;
    const StepContext& step = steps_[index];
    for (std::size_t i = 0; i < step.inputs_.size(); ++i) {
        if (step.inputs_[i] == nullptr) continue;
        if (step.inputs_[i]->is_empty()) types.note_constant(recording_lane, step.node_.inputs[i]);
        else types.note(recording_lane, *step.inputs_[i], false);
    }
    for (std::uint32_t v : step.outputs_)
        if (v != StepContext::none) types.note(recording_lane, slots_[v], true);
}

/// The next step, or all of a segment that is repeated.
void Frame::run_next(std::size_t& step, RunState& state) {
    state.cancel.throw_if_cancelled();
    const bool is_watched = state.recorder != nullptr || state.check_writes;
    CapturedSegment* const segment =
        next_segment_ < segments_.size() && !is_watched ? &segments_[next_segment_] : nullptr;
    if (segment && segment->begin() == step && segment->repeat(slots_, *devices_)) {
        step = segment->end();
        ++next_segment_;
        return;
    }
    run_step(step, state);
    let_go(step);
    ++step;
    if (!segment || segment->end() != step) return;
    segment->note_walked(slots_, *devices_);
    ++next_segment_;
}

void Frame::run(RunState& state) {
    begin(state);
    next_segment_ = 0;
    const std::size_t total = plan_.steps.size();
    for (std::size_t step = 0, reported = 0; step < total;) {
        run_next(step, state);
        if (outer_ == nullptr && state.progress)
            while (reported < step)
                state.progress(static_cast<int>(++reported), static_cast<int>(total));
    }
    if (!is_tracing_) return;
    is_traced_ = true;
    is_tracing_ = false;
    request_place();
}

RuntimeValue Frame::result(ValueId id) const {
    const RuntimeValue& value = *locate(id);
    if (devices_ && plan_.devices->memory[id.index] != nullptr && value.is_tensor())
        return devices_->fetch(id, value.tensor());
    const bool is_placed =
        &value == &slots_[id.index] && homes_[id.index].is_planned && !homes_[id.index].is_off_plan;
    if (!is_placed || pattern_->in_arena(id.index)) return value;
    const HandedOut& out = handed_out_[pattern_->values[id.index].storage - 1];
    const Tensor& t = value.tensor();
    return Tensor::borrow(t.dtype(), t.shape(), const_cast<void*>(t.raw()), out.owner);
}

std::vector<RuntimeValue> Frame::outputs() const {
    std::vector<RuntimeValue> out;
    const auto ids = plan_.graph->outputs();
    out.reserve(ids.size());
    for (ValueId v : ids) out.push_back(result(v));
    return out;
}

void Frame::release() {
    if (devices_) devices_->drain();
    for (std::uint32_t v : transient_) slots_[v] = RuntimeValue{};
    if (devices_) devices_->let_go();
    for (HandedOut& out : handed_out_) out.owner = nullptr;
    buffers_ = nullptr;
    if (off_plan_ == 0) return;
    off_plan_ = 0;
    for (std::uint32_t v = 0; v < slots_.size(); ++v) {
        if (!homes_[v].is_off_plan) continue;
        homes_[v].is_off_plan = false;
        if (pattern_->in_arena(v)) slots_[v] = homes_[v].tensor;
    }
}

void Frame::start_over(ResidentFlags residents) {
    for (std::uint32_t v : transient_) {  // all that runs write, where no arena keeps any of it
        homes_[v] = {};
        input_bytes_[v] = MemoryTrace::nothing;
    }
    for (StepContext& step : steps_) step.start_over(plans_memory_);
    is_traced_ = wants_place_ = false;
    if (devices_) devices_->start_over(std::move(residents));
}

void Frame::place(const CancelToken& cancel) {
    if (!is_traced_) {
        wants_place_ = false;
        return;
    }
    // Frames that are laid out have to be bound: once an inner one is, nothing stops before all
    // are.
    const CancelToken never;
    const bool has_inner =
        std::ranges::any_of(steps_, [](const StepContext& s) { return !s.subgraphs_.empty(); });
    const CancelToken& until_laid_out = has_inner ? never : cancel;
    MemoryTrace trace;
    trace.value_bytes = input_bytes_;
    trace.is_planned.assign(slots_.size(), 0);
    trace.shapes.resize(slots_.size());
    for (std::size_t v = 0; v < slots_.size(); ++v) {
        if (v % 1024 == 0) until_laid_out.throw_if_cancelled();
        if (const RuntimeValue& constant = plan_.constants[v]; constant.is_tensor())
            trace.value_bytes[v] = constant.tensor().byte_size();
        if (!homes_[v].tensor) continue;
        trace.value_bytes[v] = homes_[v].tensor.byte_size();
        trace.is_planned[v] = 1;
        trace.shapes[v] = homes_[v].tensor.shape();
    }
    // Subgraphs of one step run one at a time: they share what lies behind its working memory.
    for (StepContext& step : steps_) {
        auto& bytes = trace.scratch_bytes.emplace_back();
        for (const Tensor& t : step.scratch_) bytes.push_back(t.byte_size());
        std::uint64_t inner = 0;
        for (auto& [name, frame] : step.subgraphs_) {
            frame->place(never);
            inner = std::max(inner, frame->arena_bytes());
        }
        if (inner != 0) bytes.push_back(inner);
    }
    MemoryPattern pattern = make_pattern(plan_, trace, true, until_laid_out);
    if (devices_) {
        devices_->place(until_laid_out);
        pattern.device_bytes = devices_->planned_bytes();
    }
    pattern_ = std::make_shared<const MemoryPattern>(std::move(pattern));
    wants_place_ = false;
    handed_out_.assign(pattern_->handed_out.size(), {});
    for (std::uint32_t v = 0; v < slots_.size(); ++v) {
        const MemoryPattern::Place& at = pattern_->values[v];
        homes_[v].is_planned = at.offset != MemoryPattern::none;
        if (homes_[v].is_planned && at.storage != 0)
            handed_out_[at.storage - 1].values.push_back(v);
    }
    find_deaths();
    if (devices_) segments_ = find_segments(plan_, *devices_, *pattern_);
    arena_ = nullptr;
}

void Frame::bind(std::byte* arena) {
    if (!pattern_ || arena == arena_) return;
    arena_ = arena;
    const auto at = [&](const Tensor& t, std::uint64_t offset) {
        return Tensor::borrow(t.dtype(), t.shape(), arena + offset, nullptr);
    };
    for (std::uint32_t v = 0; v < slots_.size(); ++v)
        if (pattern_->in_arena(v))
            slots_[v] = homes_[v].tensor = at(homes_[v].tensor, pattern_->values[v].offset);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        StepContext& step = steps_[i];
        step.has_planned_scratch_ = true;
        for (std::size_t s = 0; s < step.scratch_.size(); ++s)
            step.scratch_[s] = at(step.scratch_[s], pattern_->scratch[i][s]);
        for (auto& [name, frame] : step.subgraphs_)
            if (frame->pattern_)
                frame->bind(arena + (frame->arena_bytes() != 0 ? pattern_->scratch[i].back() : 0));
    }
}

}  // namespace lapidary
