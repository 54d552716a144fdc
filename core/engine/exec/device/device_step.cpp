// SPDX-License-Identifier: Apache-2.0
#include "exec/device/device_step.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "exec/device/device_memory.h"
#include "exec/run/step_context.h"

namespace lapidary {
namespace {

/// The context of a device's kernel for a step of a frame.
class StepOnDevice final : public DeviceContext {
public:
    StepOnDevice(StepContext& step, const DeviceProvider& device,
                 const std::vector<std::size_t>& host_inputs)
        : step_(step), device_(device), host_inputs_(host_inputs), memory_(step.devices()) {
        memory_.begin_step(step.index());
    }
    const Node& node() const override { return step_.node(); }
    bool has_input(std::size_t i) const override {
        return i < node().inputs.size() && node().inputs[i];
    }
    DeviceTensor input(std::size_t i) const override {
        if (!has_input(i) || reads_on_host(i)) misuse("input", i, "is not on the device");
        if (const DeviceTensor* constant = memory_.constant(device_, node().inputs[i]))
            return *constant;
        return DeviceMemory::in(step_.input(i));
    }
    const Tensor& host_input(std::size_t i) const override {
        if (!has_input(i) || (!reads_on_host(i) && !step_.is_constant(i)))
            misuse("input", i, "is not on the host");
        return step_.input(i);
    }
    bool wants_output(std::size_t i) const override { return step_.wants_output(i); }
    DeviceTensor output(std::size_t i, DType dtype, Shape shape) override {
        if (!wants_output(i)) {
            const std::uint64_t bytes = storage_bytes(dtype, element_count(shape));
            return {dtype, std::move(shape), scratch(bytes)};
        }
        step_.check_size(dtype, shape);
        Tensor slot = memory_.take(node().outputs[i], dtype, std::move(shape));
        DeviceTensor output = DeviceMemory::in(slot);
        step_.set_output(i, std::move(slot));
        return output;
    }
    DevicePlace scratch(std::uint64_t bytes) override {
        return memory_.scratch(step_.index(), bytes, limits());
    }
    DeviceQueue& queue() override { return memory_.queue(device_); }
    ThreadPool& threads() override { return step_.threads(); }
    const CancelToken& cancel() const override { return step_.cancel(); }
    const Limits& limits() const override { return step_.limits(); }
    std::uint64_t random_seed() const override { return step_.random_seed(); }

private:
    bool reads_on_host(std::size_t i) const {
        return std::ranges::find(host_inputs_, i) != host_inputs_.end();
    }
    [[noreturn]] void misuse(const char* what, std::size_t i, const char* why) const {
        lapidary::fail(ErrorCode::internal, "kernel of " + device_.name() + ": " + what + " " +
                                                std::to_string(i) + " " + why);
    }

    StepContext& step_;
    const DeviceProvider& device_;
    const std::vector<std::size_t>& host_inputs_;
    DeviceMemory& memory_;
};

class DeviceStep final : public Kernel {
public:
    DeviceStep(const DeviceProvider& device, DeviceKernelChoice choice)
        : device_(device), kernel_(std::move(choice.kernel)),
          host_inputs_(std::move(choice.host_inputs)) {}
    void run(KernelContext& context) const override {
        StepOnDevice step(static_cast<StepContext&>(context), device_, host_inputs_);
        kernel_->run(step);
    }
    const std::vector<std::size_t>& host_inputs() const { return host_inputs_; }

private:
    const DeviceProvider& device_;
    std::unique_ptr<DeviceKernel> kernel_;
    std::vector<std::size_t> host_inputs_;
};

class CopyStep final : public Kernel {
public:
    CopyStep(const DeviceProvider& device, CopyDirection direction)
        : device_(device), direction_(direction) {}
    void run(KernelContext& context) const override {
        auto& step = static_cast<StepContext&>(context);
        DeviceMemory& memory = step.devices();
        const Tensor& from = step.input(0);
        const ValueId output = step.node().outputs[0];
        if (memory.has(step.node().inputs[0], lies_on_device) ||
            memory.has(output, is_not_copied)) {
            step.set_output(0, from);
        } else if (direction_ == CopyDirection::to_host) {
            const DeviceTensor source = DeviceMemory::in(from);
            memory.download(device_, step.output(0, from.dtype(), from.shape()), source.place);
        } else {
            Tensor slot = memory.take(output, from.dtype(), from.shape());
            memory.upload(device_, DeviceMemory::in(slot).place, from);
            step.set_output(0, std::move(slot));
        }
    }

private:
    const DeviceProvider& device_;
    CopyDirection direction_;
};

}  // namespace

KernelChoice DeviceProvider::make_kernel(const KernelRequest& request) const {
    DeviceKernelChoice made = make_device_kernel(request);
    KernelChoice choice;
    choice.name = made.name;
    choice.unread_inputs = std::move(made.unread_inputs);
    choice.passed_over = std::move(made.passed_over);
    if (made.kernel) choice.kernel = std::make_shared<const DeviceStep>(*this, std::move(made));
    return choice;
}

const std::vector<std::size_t>* host_inputs_of(const KernelChoice& choice) {
    const auto* const step = dynamic_cast<const DeviceStep*>(choice.kernel.get());
    return step ? &step->host_inputs() : nullptr;
}

KernelChoice make_copy_kernel(const DeviceProvider& device, CopyDirection direction) {
    KernelChoice choice;
    choice.name = direction == CopyDirection::to_host ? "copy.to_host" : "copy.to_device";
    choice.kernel = std::make_shared<const CopyStep>(device, direction);
    return choice;
}

}  // namespace lapidary
