// SPDX-License-Identifier: Apache-2.0
// One step of a frame as its kernel sees it. Running a subgraph of the node is left to the frame
// (frame.h). All other members are final, so that kernels of devices call them directly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <span>
#include <utility>
#include <vector>

#include "exec/run/frame_values.h"
#include "exec/run/run_state.h"

namespace lapidary {

class StepContext : public KernelContext {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Both outlive it.
    StepContext(FrameValues& values, const Step& step);

    const Node& node() const final { return node_; }
    std::size_t input_count() const final { return inputs_.size(); }
    const RuntimeValue* input_value(std::size_t index) const final {
        return index < inputs_.size() ? inputs_[index] : nullptr;
    }
    std::size_t output_count() const final { return outputs_.size(); }
    bool wants_output(std::size_t index) const final {
        return index < outputs_.size() && outputs_[index] != none;
    }
    Tensor& output(std::size_t index, DType dtype, Shape shape) final;
    void set_output(std::size_t index, RuntimeValue value) final;
    RuntimeValue keep(const RuntimeValue& value) final;
    Tensor scratch(DType dtype, Shape shape) final;
    ThreadPool& threads() final { return state_->kernel_threads; }
    const CancelToken& cancel() const final { return state_->cancel; }
    const Limits& limits() const final { return state_->limits; }
    std::uint64_t random_seed() const final;
    void note_fallback(FallbackReason why) final;

    // ---- for steps on devices
    DeviceMemory& devices() { return *values_.devices(); }
    std::size_t index() const { return static_cast<std::size_t>(&step_ - plan().steps.data()); }
    /// Throws limit_exceeded if a value of that size is too large.
    void check_size(DType dtype, const Shape& shape) const { state_->budget->check(dtype, shape); }
    bool is_constant(std::size_t input) const {
        return plan().graph->value(node_.inputs[input]).is_constant();
    }

    // ---- for what watches steps: recorder, check of writes
    const FrameValues& values() const { return values_; }
    const Plan& plan() const { return values_.plan(); }
    const Step& step() const { return step_; }
    const StorageSharing& sharing() const { return sharing_; }
    /// ValueId::index of each output; none: unwanted.
    std::span<const std::uint32_t> outputs() const { return outputs_; }
    /// Why this run used the reference kernel; null: it did not.
    const char* fallback() const { return fallback_; }

    // ---- for the frame that runs it
    void begin(RunState& state) {
        state_ = &state;
        next_scratch_ = 0;
        fallback_ = nullptr;
    }
    void end();
    /// For Frame::start_over().
    void start_over();
    /// Bytes of its scratch memory in the order of requests of the first run.
    std::vector<std::uint64_t> scratch_bytes() const;
    /// Moves its scratch memory to `arena`; `offsets` in the order of scratch_bytes(). `room`: how
    /// many bytes each may have, of other shapes too; empty: those of the first run.
    void bind_scratch(std::byte* arena, std::span<const std::uint64_t> offsets,
                      std::span<const std::uint64_t> room = {});

protected:
    RunState& state() { return *state_; }

private:
    /// True if `tensor` lies in scratch memory of this step.
    bool is_scratch(const Tensor& tensor) const;
    /// Inputs whose bytes the output may have as a whole.
    std::span<const RuntimeValue* const> shared_inputs(std::size_t output) const;
    /// Whether scratch memory of the plan holds such a tensor.
    bool has_room(std::size_t order, DType dtype, const Shape& shape) const;

    FrameValues& values_;
    const Step& step_;
    const Node& node_;
    const StorageSharing sharing_;
    RunState* state_ = nullptr;
    std::vector<const RuntimeValue*> inputs_;  // null: omitted
    std::vector<std::uint32_t> outputs_;
    // in the order of requests: type and shape; if planned, also the address
    std::vector<Tensor> scratch_;
    std::span<const std::uint64_t> scratch_room_;  // of bind_scratch()
    std::size_t next_scratch_ = 0;
    const char* fallback_ = nullptr;
    bool traces_scratch_ = false, has_planned_scratch_ = false;
    std::forward_list<std::pair<std::size_t, Tensor>> dropped_;  // unwanted outputs
};

}  // namespace lapidary
