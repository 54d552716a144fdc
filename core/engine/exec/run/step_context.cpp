// SPDX-License-Identifier: Apache-2.0
#include "exec/run/step_context.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "base/threads/inside_task.h"

namespace lapidary {

StepContext::StepContext(Frame& frame, const Step& step, bool plans_memory)
    : frame_(frame), step_(step), node_(frame.plan_.graph->node(step.node)),
      sharing_(step.kernel.sharing()), traces_scratch_(plans_memory) {
    for (ValueId v : node_.inputs) inputs_.push_back(v ? frame.locate(v) : nullptr);
    for (ValueId v : node_.outputs) outputs_.push_back(v ? v.index : none);
}

Tensor& StepContext::output(std::size_t index, DType dtype, Shape shape) {
    if (wants_output(index)) return frame_.output(*this, index, dtype, std::move(shape));
    auto it = std::ranges::find(dropped_, index, &std::pair<std::size_t, Tensor>::first);
    if (it == dropped_.end()) {
        dropped_.emplace_front(index, Tensor{});
        it = dropped_.begin();
    }
    it->second = scratch(dtype, std::move(shape));
    return it->second;
}

void StepContext::set_output(std::size_t index, RuntimeValue value) {
    if (wants_output(index)) frame_.set_output(*this, index, std::move(value));
}

Tensor StepContext::scratch(DType dtype, Shape shape) {
    // Which worker asks first differs from run to run: only the walking thread's requests have an
    // order.
    if (InsideTask::is_any() || dtype == DType::string)
        return state_->budget->allocate(dtype, std::move(shape));
    if (has_planned_scratch_) {
        const std::size_t order = next_scratch_++;
        if (order < scratch_.size() && scratch_[order].dtype() == dtype &&
            scratch_[order].shape() == shape)
            return scratch_[order];
        return state_->budget->allocate(dtype, std::move(shape));
    }
    Tensor tensor = state_->budget->allocate(dtype, std::move(shape));
    if (traces_scratch_ && scratch_.size() < MemoryTrace::most_scratch)
        scratch_.push_back(Tensor::borrow(dtype, tensor.shape(), tensor.mutable_raw(), nullptr));
    return tensor;
}

bool StepContext::is_scratch(const Tensor& tensor) const {
    return std::ranges::find(scratch_, tensor.raw(), &Tensor::raw) != scratch_.end();
}

void StepContext::end() {
    if (!has_planned_scratch_) traces_scratch_ = false;
    for (auto& [index, tensor] : dropped_) tensor = Tensor{};
}

void StepContext::start_over(bool plans_memory) {
    traces_scratch_ = plans_memory;
    scratch_.clear();
    dropped_.clear();
    subgraphs_.clear();
}

void StepContext::note_fallback(FallbackReason why) {
    fallback_ = why.text();
    frame_.plan_.fallbacks[index()].store(fallback_, std::memory_order_relaxed);
}

std::uint64_t StepContext::random_seed() const {
    return state_->seed * 0x9e3779b97f4a7c15ull +
           static_cast<std::uint64_t>(frame_.plan_.number) * 1000003u + node_.id.index;
}

std::vector<RuntimeValue> StepContext::run_subgraph(std::string_view attribute,
                                                    std::span<const RuntimeValue> inputs) {
    auto it = subgraphs_.find(attribute);
    if (it == subgraphs_.end()) {
        const auto plan = step_.subgraphs.find(attribute);
        if (plan == step_.subgraphs.end())
            fail("attribute " + quote(attribute) + " with a graph is required but missing");
        auto frame =
            std::make_unique<Frame>(*plan->second, &frame_, frame_.plans_memory_, state_->cancel);
        it = subgraphs_.emplace(attribute, std::move(frame)).first;
    }
    Frame& inner = *it->second;
    const auto names = step_.subgraphs.find(attribute)->second->graph->inputs();
    if (inputs.size() > names.size())
        fail("subgraph " + quote(attribute) + " takes " + std::to_string(names.size()) +
             " inputs, got " + std::to_string(inputs.size()));
    state_->cancel.throw_if_cancelled();
    struct Release {
        ~Release() { frame.release(); }
        Frame& frame;
    } const release{inner};
    for (std::size_t i = 0; i < inputs.size(); ++i) inner.set(names[i], inputs[i]);
    try {
        inner.run(*state_);
    } catch (Error& e) { throw e.at(std::string(attribute)); }
    return inner.outputs();
}

}  // namespace lapidary
