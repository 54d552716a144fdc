// SPDX-License-Identifier: Apache-2.0
#include "recorded_kernel.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "base/threads/serial_threads.h"

namespace lapidary::test {

DeviceTensor RecordedKernel::Value::now() const {
    auto there = block.lock();
    if (there == nullptr) fail(ErrorCode::internal, "memory of a repeated run is gone");
    return {dtype, shape, {std::move(there), offset}};
}

RecordedKernel::Value RecordedKernel::Value::of(const DeviceTensor& tensor) {
    return {tensor.dtype, tensor.shape, tensor.place.block, tensor.place.offset};
}

/// Forwards a kernel's requests and records them.
class Recording final : public DeviceContext {
public:
    Recording(RecordedKernel& to, DeviceContext& from) : to_(to), from_(from) {}
    const Node& node() const override { return from_.node(); }
    bool has_input(std::size_t i) const override { return from_.has_input(i); }
    DeviceTensor input(std::size_t i) const override { return from_.input(i); }
    const Tensor& host_input(std::size_t i) const override { return from_.host_input(i); }
    bool wants_output(std::size_t i) const override { return from_.wants_output(i); }
    DeviceTensor output(std::size_t i, DType dtype, Shape shape) override {
        DeviceTensor made = from_.output(i, dtype, std::move(shape));
        to_.outputs_.push_back({i, RecordedKernel::Value::of(made)});
        return made;
    }
    DevicePlace scratch(std::uint64_t bytes) override {
        DevicePlace place = from_.scratch(bytes);
        to_.scratch_.push_back(
            RecordedKernel::Value::of({DType::u8, {static_cast<std::int64_t>(bytes)}, place}));
        return place;
    }
    DeviceQueue& queue() override { return from_.queue(); }
    ThreadPool& threads() override { return from_.threads(); }
    const CancelToken& cancel() const override { return from_.cancel(); }
    const Limits& limits() const override { return from_.limits(); }
    std::uint64_t random_seed() const override { return from_.random_seed(); }

private:
    RecordedKernel& to_;
    DeviceContext& from_;
};

class Repetition final : public DeviceContext {
public:
    Repetition(const RecordedKernel& of, DeviceQueue& queue) : of_(of), queue_(queue) {}
    const Node& node() const override { return *of_.node_; }
    bool has_input(std::size_t i) const override {
        return i < of_.inputs_.size() && node().inputs[i];
    }
    DeviceTensor input(std::size_t i) const override { return of_.inputs_.at(i).value().now(); }
    const Tensor& host_input(std::size_t i) const override { return of_.host_.at(i); }
    bool wants_output(std::size_t i) const override {
        return i < of_.wanted_.size() && of_.wanted_[i];
    }
    DeviceTensor output(std::size_t i, DType dtype, Shape shape) override {
        if (next_output_ == of_.outputs_.size())
            fail(ErrorCode::internal, "a repeated run asks for one more output");
        const RecordedKernel::Output& made = of_.outputs_[next_output_++];
        if (made.index != i || made.value.dtype != dtype || made.value.shape != shape)
            fail(ErrorCode::internal, "a repeated run makes another output");
        return made.value.now();
    }
    DevicePlace scratch(std::uint64_t bytes) override {
        if (next_scratch_ == of_.scratch_.size())
            fail(ErrorCode::internal, "a repeated run asks for more memory");
        const RecordedKernel::Value& given = of_.scratch_[next_scratch_++];
        if (given.shape[0] != static_cast<std::int64_t>(bytes))
            fail(ErrorCode::internal, "a repeated run asks for other memory");
        return given.now().place;
    }
    DeviceQueue& queue() override { return queue_; }
    ThreadPool& threads() override { return threads_; }
    const CancelToken& cancel() const override { return cancel_; }
    const Limits& limits() const override { return of_.limits_; }
    std::uint64_t random_seed() const override { return of_.seed_; }

private:
    const RecordedKernel& of_;
    DeviceQueue& queue_;
    SerialThreads threads_;
    CancelToken cancel_;
    std::size_t next_output_ = 0, next_scratch_ = 0;
};

std::shared_ptr<const RecordedKernel> RecordedKernel::run(
    const DeviceKernel& kernel, DeviceContext& context, std::span<const std::size_t> host_inputs,
    std::span<const std::size_t> unread_inputs) {
    const auto has = [](std::span<const std::size_t> list, std::size_t i) {
        return std::ranges::find(list, i) != list.end();
    };
    auto made = std::make_shared<RecordedKernel>();
    made->kernel_ = &kernel;
    made->node_ = &context.node();
    made->inputs_.resize(context.node().inputs.size());
    made->host_.resize(context.node().inputs.size());
    for (std::size_t i = 0; i < made->inputs_.size(); ++i) {
        if (!context.has_input(i) || has(unread_inputs, i)) continue;
        if (has(host_inputs, i)) made->host_[i] = context.host_input(i).clone();
        else made->inputs_[i] = Value::of(context.input(i));
    }
    for (std::size_t i = 0; i < context.node().outputs.size(); ++i)
        made->wanted_.push_back(context.wants_output(i));
    made->limits_ = context.limits();
    made->seed_ = context.random_seed();
    Recording recording(*made, context);
    kernel.run(recording);
    return made;
}

void RecordedKernel::run_again(DeviceQueue& queue) const {
    Repetition again(*this, queue);
    kernel_->run(again);
}

}  // namespace lapidary::test
