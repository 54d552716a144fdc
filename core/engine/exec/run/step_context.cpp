// SPDX-License-Identifier: Apache-2.0
#include "exec/run/step_context.h"

#include <algorithm>

#include "base/assert.h"
#include "base/threads/inside_task.h"
#include "exec/run/detached.h"

namespace lapidary {

StepContext::StepContext(FrameValues& values, const Step& step)
    : values_(values), step_(step), node_(values.plan().graph->node(step.node)),
      sharing_(step.kernel.sharing()), traces_scratch_(values.plans_memory()) {
    for (ValueId v : node_.inputs) inputs_.push_back(v ? values.locate(v) : nullptr);
    for (ValueId v : node_.outputs) outputs_.push_back(v ? v.index : none);
}

std::span<const RuntimeValue* const> StepContext::shared_inputs(std::size_t output) const {
    const bool is_whole =
        sharing_.kind == StorageSharing::view || sharing_.kind == StorageSharing::overwrite;
    if (output != 0 || !is_whole) return {};
    return inputs_;
}

Tensor& StepContext::output(std::size_t index, DType dtype, Shape shape) {
    if (wants_output(index)) {
        const std::uint32_t value = outputs_[index];
        if (Tensor* planned = values_.planned(value, dtype, shape, shared_inputs(index)))
            return *planned;
        const bool is_view = sharing_.kind == StorageSharing::view && index == 0;
        return values_.allocate(value, dtype, std::move(shape),
                                is_view ? optional_input(0) : nullptr, *state_->budget);
    }
    auto it = std::ranges::find(dropped_, index, &std::pair<std::size_t, Tensor>::first);
    if (it == dropped_.end()) {
        dropped_.emplace_front(index, Tensor{});
        it = dropped_.begin();
    }
    it->second = scratch(dtype, std::move(shape));
    return it->second;
}

void StepContext::set_output(std::size_t index, RuntimeValue value) {
    if (!wants_output(index)) return;
    const bool lies_in_scratch =
        values_.is_tracing() && value.is_tensor() && is_scratch(value.tensor());
    values_.set_output(outputs_[index], std::move(value), lies_in_scratch, *state_->budget);
}

RuntimeValue StepContext::keep(const RuntimeValue& value) {
    return detached(value, *state_->budget);
}

Tensor StepContext::scratch(DType dtype, Shape shape) {
    // The order of workers' requests differs from run to run: only those of the walking thread are
    // recorded.
    if (InsideTask::is_any() || dtype == DType::string)
        return state_->budget->allocate(dtype, std::move(shape));
    if (has_planned_scratch_) {
        const std::size_t order = next_scratch_++;
        if (order < scratch_.size() && scratch_[order].dtype() == dtype &&
            scratch_[order].shape() == shape)
            return scratch_[order];
        if (has_room(order, dtype, shape))
            return scratch_[order] = Tensor::borrow(dtype, std::move(shape),
                                                    scratch_[order].mutable_raw(), nullptr);
        return state_->budget->allocate(dtype, std::move(shape));
    }
    Tensor tensor = state_->budget->allocate(dtype, std::move(shape));
    if (traces_scratch_ && scratch_.size() < MemoryTrace::most_scratch)
        scratch_.push_back(Tensor::borrow(dtype, tensor.shape(), tensor.mutable_raw(), nullptr));
    return tensor;
}

bool StepContext::has_room(std::size_t order, DType dtype, const Shape& shape) const {
    return order < scratch_room_.size() && scratch_[order].dtype() == dtype &&
           storage_bytes(dtype, element_count(shape)) <= scratch_room_[order];
}

bool StepContext::is_scratch(const Tensor& tensor) const {
    return std::ranges::find(scratch_, tensor.raw(), &Tensor::raw) != scratch_.end();
}

void StepContext::end() {
    if (!has_planned_scratch_) traces_scratch_ = false;
    for (auto& [index, tensor] : dropped_) tensor = Tensor{};
}

void StepContext::start_over() {
    traces_scratch_ = values_.plans_memory();
    scratch_.clear();
    dropped_.clear();
}

std::vector<std::uint64_t> StepContext::scratch_bytes() const {
    std::vector<std::uint64_t> bytes;
    for (const Tensor& t : scratch_) bytes.push_back(t.byte_size());
    return bytes;
}

void StepContext::bind_scratch(std::byte* arena, std::span<const std::uint64_t> offsets,
                               std::span<const std::uint64_t> room) {
    LAPIDARY_ASSERT(offsets.size() >= scratch_.size() && room.size() <= scratch_.size());
    has_planned_scratch_ = true;
    scratch_room_ = room;
    for (std::size_t i = 0; i < scratch_.size(); ++i)
        scratch_[i] =
            Tensor::borrow(scratch_[i].dtype(), scratch_[i].shape(), arena + offsets[i], nullptr);
}

void StepContext::note_fallback(FallbackReason why) {
    fallback_ = why.text();
    plan().fallbacks[index()].store(fallback_, std::memory_order_relaxed);
}

std::uint64_t StepContext::random_seed() const {
    return state_->seed * 0x9e3779b97f4a7c15ull +
           static_cast<std::uint64_t>(plan().number) * 1000003u + node_.id.index;
}

}  // namespace lapidary
