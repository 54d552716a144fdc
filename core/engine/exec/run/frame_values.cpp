// SPDX-License-Identifier: Apache-2.0
#include "exec/run/frame_values.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "exec/run/detached.h"

namespace lapidary {
namespace {

bool has_type(const Tensor& tensor, DType dtype, const Shape& shape) {
    return tensor.dtype() == dtype && tensor.shape() == shape;
}

/// True if each of the values lies beside the first bytes of `place`, or is exactly these.
bool are_same_or_disjoint(const Tensor& place, std::uint64_t bytes,
                          std::span<const RuntimeValue* const> values) {
    const auto begin = reinterpret_cast<std::uintptr_t>(place.raw());
    return std::ranges::all_of(values, [&](const RuntimeValue* value) {
        if (value == nullptr || !value->is_tensor() || value->tensor().is_deferred()) return true;
        const auto at = reinterpret_cast<std::uintptr_t>(value->tensor().raw());
        const std::uint64_t size = value->tensor().byte_size();
        if (size == 0 || bytes == 0 || at + size <= begin || begin + bytes <= at) return true;
        return at == begin && size == bytes;
    });
}

/// Element type and shape alone.
Tensor type_of(const Tensor& tensor) {
    return Tensor::borrow(tensor.dtype(), tensor.shape(), nullptr, nullptr);
}

}  // namespace

FrameValues::FrameValues(const Plan& plan, const FrameValues* outer, bool plans_memory,
                         const std::vector<std::uint8_t>* keep, SlotDevices* devices,
                         ResidentFlags residents)
    : plan_(plan), outer_(outer), keep_(keep), plans_memory_(plans_memory),
      slots_(plan.graph->value_slots()), placements_(slots_.size()),
      input_bytes_(slots_.size(), MemoryTrace::nothing) {
    find_transient();
    if (plan.devices)
        devices_ =
            std::make_unique<DeviceMemory>(plan, plans_memory, *devices, std::move(residents));
}

const RuntimeValue* FrameValues::locate(ValueId id) const {
    if (const RuntimeValue& constant = plan_.constants[id.index]; !constant.is_empty())
        return &constant;
    const Value& v = plan_.graph->value(id);
    return v.kind == ValueKind::captured ? outer_->locate(v.outer) : &slots_[id.index];
}

void FrameValues::find_transient() {
    transient_.clear();
    for (ValueId id : plan_.graph->inputs()) transient_.push_back(id.index);
    for (const Step& step : plan_.steps)
        for (ValueId v : plan_.graph->node(step.node).outputs)
            if (v && !(pattern_ && pattern_->in_arena(v.index))) transient_.push_back(v.index);
}

void FrameValues::begin_run(Budget& budget) {
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
    output_storages_.take(slots_, buffers_, budget);
}

bool FrameValues::end_trace() {
    if (!is_tracing_) return false;
    is_traced_ = true;
    is_tracing_ = false;
    return true;
}

void FrameValues::leave_plan(ValuePlacement& placement) {
    placement.is_off_plan = true;
    ++off_plan_;
}

/// Whether a value that grows has so many bytes in the plan.
bool FrameValues::has_room(std::uint32_t value, DType dtype, const Shape& shape) const {
    return !pattern_->grows.empty() && pattern_->grows[value] != 0 && pattern_->in_arena(value) &&
           placements_[value].tensor.dtype() == dtype &&
           storage_bytes(dtype, element_count(shape)) <= pattern_->value_bytes[value];
}

void FrameValues::change_shape(std::uint32_t value, const Shape& shape) {
    Tensor& tensor = placements_[value].tensor;
    tensor = Tensor::borrow(tensor.dtype(), shape, tensor.mutable_raw(), nullptr);
    slots_[value] = tensor;
}

Tensor* FrameValues::planned(std::uint32_t value, DType dtype, const Shape& shape,
                             std::span<const RuntimeValue* const> shared) {
    ValuePlacement& placement = placements_[value];
    if (!placement.is_planned || placement.is_off_plan) return nullptr;
    const bool is_as_before = has_type(placement.tensor, dtype, shape);
    if ((is_as_before || has_room(value, dtype, shape)) &&
        (pattern_->grows.empty() ||
         are_same_or_disjoint(slots_[value].tensor(), storage_bytes(dtype, element_count(shape)),
                              shared))) {
        if (!is_as_before) change_shape(value, shape);
        return &slots_[value].tensor();
    }
    leave_plan(placement);
    return nullptr;
}

Tensor& FrameValues::allocate(std::uint32_t value, DType dtype, Shape shape, const Tensor* source,
                              Budget& budget) {
    RuntimeValue& slot = slots_[value];
    if (source && source->dtype() == dtype && source->owner() &&
        source->size() == element_count(shape))
        slot = source->reshaped(std::move(shape));
    else if (void* theirs = buffers_ ? buffers_->memory_of(value, dtype, shape) : nullptr)
        slot = Tensor::borrow(dtype, std::move(shape), theirs, nullptr);
    else slot = budget.allocate(dtype, std::move(shape));
    if (is_tracing_ && dtype != DType::string) placements_[value].tensor = type_of(slot.tensor());
    return slot.tensor();
}

void FrameValues::set_output(std::uint32_t value, RuntimeValue made, bool is_scratch,
                             Budget& budget) {
    ValuePlacement& placement = placements_[value];
    RuntimeValue& slot = slots_[value];
    if (made.is_tensor()) {
        const Tensor& t = made.tensor();
        if (placement.is_planned && !placement.is_off_plan && t.is_unowned() &&
            (has_type(placement.tensor, t.dtype(), t.shape()) ||
             has_room(value, t.dtype(), t.shape()))) {
            if (placement.tensor.shape() != t.shape()) change_shape(value, t.shape());
            if (t.byte_size() != 0)
                std::memmove(slot.tensor().mutable_raw(), t.raw(), t.byte_size());
            return;
        }
        if (is_tracing_ && t.dtype() != DType::string && is_scratch) placement.tensor = type_of(t);
    }
    if (placement.is_planned && !placement.is_off_plan) leave_plan(placement);
    slot = is_lent(made) ? detached(made, budget) : std::move(made);
}

RuntimeValue FrameValues::result(ValueId id) const {
    const RuntimeValue& value = *locate(id);
    if (devices_ && plan_.devices->memory[id.index] != nullptr && value.is_tensor())
        return devices_->fetch(id, value.tensor());
    const bool is_placed = &value == &slots_[id.index] && placements_[id.index].is_planned &&
                           !placements_[id.index].is_off_plan;
    if (!is_placed || pattern_->in_arena(id.index)) return value;
    const Tensor& t = value.tensor();
    return Tensor::borrow(t.dtype(), t.shape(), const_cast<void*>(t.raw()),
                          output_storages_.owner(pattern_->values[id.index]));
}

void FrameValues::release() {
    if (devices_) devices_->drain();
    for (std::uint32_t v : transient_) slots_[v] = RuntimeValue{};
    if (devices_) devices_->release_residents();
    output_storages_.release();
    buffers_ = nullptr;
    if (off_plan_ == 0) return;
    LAPIDARY_ASSERT(pattern_);
    off_plan_ = 0;
    for (std::uint32_t v = 0; v < slots_.size(); ++v) {
        if (!placements_[v].is_off_plan) continue;
        placements_[v].is_off_plan = false;
        if (pattern_->in_arena(v)) slots_[v] = placements_[v].tensor;
    }
}

void FrameValues::start_over(ResidentFlags residents) {
    LAPIDARY_ASSERT(!pattern_);
    for (std::uint32_t v : transient_) {  // all that runs write, where no arena keeps any of it
        placements_[v] = {};
        input_bytes_[v] = MemoryTrace::nothing;
    }
    is_traced_ = false;
    if (devices_) devices_->start_over(std::move(residents));
}

MemoryTrace FrameValues::trace(const CancelToken& cancel) const {
    MemoryTrace trace;
    trace.value_bytes = input_bytes_;
    trace.is_planned.assign(slots_.size(), 0);
    trace.shapes.resize(slots_.size());
    for (std::size_t v = 0; v < slots_.size(); ++v) {
        if (v % 1024 == 0) cancel.throw_if_cancelled();
        if (const RuntimeValue& constant = plan_.constants[v]; constant.is_tensor())
            trace.value_bytes[v] = constant.tensor().byte_size();
        if (!placements_[v].tensor) continue;
        trace.value_bytes[v] = placements_[v].tensor.byte_size();
        trace.is_planned[v] = 1;
        trace.shapes[v] = placements_[v].tensor.shape();
    }
    return trace;
}

void FrameValues::place(std::shared_ptr<const MemoryPattern> pattern) {
    LAPIDARY_ASSERT(is_traced_ && pattern && pattern->values.size() == slots_.size());
    pattern_ = std::move(pattern);
    output_storages_.place(*pattern_);
    for (std::uint32_t v = 0; v < slots_.size(); ++v) {
        const MemoryPattern::Place& at = pattern_->values[v];
        placements_[v].is_planned = at.offset != MemoryPattern::none;
        if (placements_[v].is_planned && at.storage != 0)
            output_storages_.add(v, at, placements_[v].tensor);
    }
    find_transient();
}

void FrameValues::bind(std::byte* arena) {
    LAPIDARY_ASSERT(pattern_ && (arena != nullptr || pattern_->total_bytes == 0));
    for (std::uint32_t v = 0; v < slots_.size(); ++v) {
        if (!pattern_->in_arena(v)) continue;
        Tensor& placement = placements_[v].tensor;
        placement = Tensor::borrow(placement.dtype(), placement.shape(),
                                   arena + pattern_->values[v].offset, nullptr);
        slots_[v] = placement;
    }
}

}  // namespace lapidary
