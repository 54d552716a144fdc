// SPDX-License-Identifier: Apache-2.0
// One step of a frame as its kernel sees it.
#pragma once

#include <forward_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exec/run/frame.h"

namespace lapidary {

class WriteCheck;

class StepContext final : public KernelContext {
public:
    StepContext(Frame& frame, const Step& step, bool plans_memory);

    const Node& node() const override { return node_; }
    std::size_t input_count() const override { return inputs_.size(); }
    const RuntimeValue* input_value(std::size_t index) const override {
        return index < inputs_.size() ? inputs_[index] : nullptr;
    }
    std::size_t output_count() const override { return outputs_.size(); }
    bool wants_output(std::size_t index) const override {
        return index < outputs_.size() && outputs_[index] != none;
    }
    Tensor& output(std::size_t index, DType dtype, Shape shape) override;
    void set_output(std::size_t index, RuntimeValue value) override;
    RuntimeValue keep(const RuntimeValue& value) override { return frame_.keep(value); }
    Tensor scratch(DType dtype, Shape shape) override;
    ThreadPool& threads() override { return state_->kernel_threads; }
    const CancelToken& cancel() const override { return state_->cancel; }
    const Limits& limits() const override { return state_->limits; }
    std::uint64_t random_seed() const override;
    void note_fallback(FallbackReason why) override;
    std::vector<RuntimeValue> run_subgraph(std::string_view attribute,
                                           std::span<const RuntimeValue> inputs) override;

    // ---- for steps on devices
    DeviceMemory& devices() { return *frame_.devices_; }
    std::size_t index() const {
        return static_cast<std::size_t>(&step_ - frame_.plan_.steps.data());
    }
    /// Throws limit_exceeded if a value of that size is too large.
    void check_size(DType dtype, const Shape& shape) const { state_->budget->check(dtype, shape); }
    bool is_constant(std::size_t input) const {
        return frame_.plan_.graph->value(node_.inputs[input]).is_constant();
    }

private:
    friend class Frame;
    friend class WriteCheck;
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void begin(RunState& state) {
        state_ = &state;
        next_scratch_ = 0;
        fallback_ = nullptr;
    }
    void end();
    /// For Frame::start_over().
    void start_over(bool plans_memory);
    /// True if `tensor` lies in scratch memory of this step.
    bool is_scratch(const Tensor& tensor) const;

    Frame& frame_;
    const Step& step_;
    const Node& node_;
    const StorageSharing sharing_;
    RunState* state_ = nullptr;
    std::vector<const RuntimeValue*> inputs_;  // null: omitted
    std::vector<std::uint32_t> outputs_;       // ValueId::index; none: unwanted
    std::vector<std::uint32_t> deaths_;        // values to release after the step
    // in the order of requests: type and shape; if planned, also the address
    std::vector<Tensor> scratch_;
    std::size_t next_scratch_ = 0;
    const char* fallback_ = nullptr;  // why this run used the reference kernel
    bool traces_scratch_ = false, has_planned_scratch_ = false;
    std::forward_list<std::pair<std::size_t, Tensor>> dropped_;  // unwanted outputs
    std::map<std::string, std::unique_ptr<Frame>, std::less<>> subgraphs_;
};

}  // namespace lapidary
