// SPDX-License-Identifier: Apache-2.0
#include "exec/executor.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <lapidary/error.h>

namespace lapidary {
namespace {

bool is_lent(const RuntimeValue& value) {
    if (value.is_tensor()) return value.tensor().is_unowned();
    if (value.is_sequence()) return std::ranges::any_of(value.sequence().items, is_lent);
    return value.is_map() && value.map().values.is_unowned();
}

std::string shape_text(const RuntimeValue& value) {
    if (!value.is_tensor()) return value.describe();
    return std::string(name_of(value.tensor().dtype())) + to_string(value.tensor().shape());
}

}  // namespace

RuntimeValue detached(const RuntimeValue& value, Budget& budget) {
    if (!is_lent(value)) return value;
    if (value.is_tensor()) {
        const Tensor& t = value.tensor();
        Tensor copy = budget.allocate(t.dtype(), t.shape());
        if (t.byte_size() != 0) std::memcpy(copy.mutable_raw(), t.raw(), t.byte_size());  // strings are never lent
        return copy;
    }
    if (value.is_sequence()) {
        Sequence copy;
        copy.element_type = value.sequence().element_type;
        for (const RuntimeValue& item : value.sequence().items) copy.items.push_back(detached(item, budget));
        return copy;
    }
    Map copy = value.map();
    copy.values = copy.values.clone();
    return copy;
}

class StepContext final : public KernelContext {
public:
    StepContext(Frame& frame, const Step& step) : frame_(frame), step_(step), node_(frame.plan_.graph->node(step.node)) {}

    const Node& node() const override { return node_; }
    std::size_t input_count() const override { return node_.inputs.size(); }
    const RuntimeValue* input_value(std::size_t index) const override {
        if (index >= node_.inputs.size() || !node_.inputs[index]) return nullptr;
        return &frame_.get(node_.inputs[index]);
    }
    std::size_t output_count() const override { return node_.outputs.size(); }
    bool wants_output(std::size_t index) const override { return index < node_.outputs.size() && node_.outputs[index]; }

    Tensor& output(std::size_t index, DType dtype, Shape shape) override {
        RunState& state = frame_.state_;
        if (!wants_output(index)) {
            scratch_.push_back(std::make_unique<Tensor>(scratch(dtype, std::move(shape))));
            return *scratch_.back();
        }
        const ValueId id = node_.outputs[index];
        RuntimeValue& slot = frame_.slots_[id.index];
        if (Tensor planned = from_pattern(id, dtype, shape)) slot = std::move(planned);
        else slot = state.budget->allocate(dtype, std::move(shape));
        if (state.trace && frame_.outer_ == nullptr && dtype != DType::string && !state.keep[id.index])
            (*state.trace)[id.index] = slot.tensor().byte_size();
        return slot.tensor();
    }

    void set_output(std::size_t index, RuntimeValue value) override {
        if (wants_output(index)) frame_.slots_[node_.outputs[index].index] = keep(value);
    }

    RuntimeValue keep(const RuntimeValue& value) override { return detached(value, *frame_.state_.budget); }
    Tensor scratch(DType dtype, Shape shape) override { return frame_.state_.budget->allocate(dtype, std::move(shape)); }
    ThreadPool& threads() override { return frame_.state_.threads; }
    const CancelToken& cancel() const override { return frame_.state_.cancel; }
    const Limits& limits() const override { return frame_.state_.limits; }
    std::uint64_t random_seed() const override {
        return frame_.state_.seed * 0x9e3779b97f4a7c15ull + static_cast<std::uint64_t>(frame_.plan_.number) * 1000003u + node_.id.index;
    }

    std::vector<RuntimeValue> run_subgraph(std::string_view attribute, std::span<const RuntimeValue> inputs) override {
        const auto it = step_.subgraphs.find(attribute);
        if (it == step_.subgraphs.end()) fail("attribute " + quote(attribute) + " with a graph is required but missing");
        const Plan& plan = *it->second;
        const auto names = plan.graph->inputs();
        if (inputs.size() > names.size())
            fail("subgraph " + quote(attribute) + " takes " + std::to_string(names.size()) + " inputs, got " + std::to_string(inputs.size()));
        frame_.state_.cancel.throw_if_cancelled();
        Frame inner(plan, frame_.state_, &frame_);
        for (std::size_t i = 0; i < inputs.size(); ++i) inner.set(names[i], inputs[i]);
        try {
            inner.run();
        } catch (Error& e) {
            throw e.at(std::string(attribute));
        }
        return inner.outputs();
    }

private:
    Tensor from_pattern(ValueId id, DType dtype, const Shape& shape) const {
        const RunState& state = frame_.state_;
        if (state.pattern == nullptr || frame_.outer_ != nullptr || state.keep[id.index] || dtype == DType::string) return {};
        const std::uint64_t offset = state.pattern->offsets[id.index];
        if (offset == MemoryPattern::none) return {};
        state.budget->check(dtype, shape);
        if (storage_bytes(dtype, element_count(shape)) > state.pattern->bytes[id.index]) return {};
        return Tensor::borrow(dtype, shape, state.arena + offset, nullptr);
    }

    Frame& frame_;
    const Step& step_;
    const Node& node_;
    std::vector<std::unique_ptr<Tensor>> scratch_;
};

Frame::Frame(const Plan& plan, RunState& state, Frame* outer)
    : plan_(plan), state_(state), outer_(outer), slots_(plan.graph->value_slots()) {}

const RuntimeValue& Frame::get(ValueId id) const {
    if (const RuntimeValue& constant = plan_.constants[id.index]; !constant.is_empty()) return constant;
    const Value& v = plan_.graph->value(id);
    if (v.kind == ValueKind::captured) return outer_->get(v.outer);
    if (v.kind == ValueKind::input && v.constant && slots_[id.index].is_empty()) {
        const_cast<Frame*>(this)->slots_[id.index] = *v.constant;  // a default nobody overrode
    }
    return slots_[id.index];
}

void Frame::run_step(std::size_t index) {
    const Step& step = plan_.steps[index];
    StepContext context(*this, step);
    const bool profiled = state_.recorder != nullptr;
    ProfileEvent event;
    if (profiled) event.begin_ns = steady_now_ns();
    step.kernel.run(context);
    if (profiled) {
        event.end_ns = steady_now_ns() - state_.origin_ns;
        event.begin_ns -= state_.origin_ns;
        event.kind = EventKind::kernel;
        event.depth = static_cast<std::uint8_t>(std::min(plan_.depth, 255));
        event.step = static_cast<std::uint32_t>(index);
        event.plan = static_cast<std::uint32_t>(plan_.number);
        state_.recorder->add(0, event);
        std::string& shapes = (*state_.shapes)[static_cast<std::size_t>(plan_.number)][index];
        if (shapes.empty()) {
            const Node& n = context.node();
            for (std::size_t i = 0; i < n.inputs.size(); ++i)
                if (n.inputs[i]) shapes += (shapes.empty() ? "" : " x ") + shape_text(get(n.inputs[i]));
            shapes += " ->";
            for (ValueId v : n.outputs)
                if (v) shapes += " " + shape_text(slots_[v.index]);
        }
    }
    for (ValueId v : step.dies_after)
        if (outer_ != nullptr || !state_.keep[v.index]) slots_[v.index] = RuntimeValue{};
}

void Frame::run() {
    const int total = static_cast<int>(plan_.steps.size());
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
        state_.cancel.throw_if_cancelled();
        const auto place = [&] { return plan_.graph->node(plan_.steps[i].node).describe(); };
        try {
            run_step(i);
        } catch (Error& e) {
            if (e.code() == ErrorCode::cancelled) throw;
            throw e.at(place());
        } catch (const std::bad_alloc&) {
            throw Error(ErrorCode::limit_exceeded, "the system refused memory").at(place());
        } catch (const std::length_error&) {
            throw Error(ErrorCode::limit_exceeded, "a list would be longer than memory allows").at(place());
        }
        if (outer_ == nullptr && state_.progress) state_.progress(static_cast<int>(i) + 1, total);
    }
}

std::vector<RuntimeValue> Frame::outputs() const {
    std::vector<RuntimeValue> out;
    for (ValueId v : plan_.graph->outputs()) out.push_back(get(v));
    return out;
}

}  // namespace lapidary
