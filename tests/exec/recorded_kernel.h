// SPDX-License-Identifier: Apache-2.0
// Recorded runs of a device's kernel, which can be repeated without the session.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/provider.h"

namespace lapidary::test {

/// One run with the arguments of the kernel. It does not keep their memory alive.
class RecordedKernel {
public:
    /// Runs the kernel and records its requests to the context.
    static std::shared_ptr<const RecordedKernel> run(const DeviceKernel& kernel,
                                                     DeviceContext& context,
                                                     std::span<const std::size_t> host_inputs,
                                                     std::span<const std::size_t> unread_inputs);
    /// Repeats the run. Throws internal if memory was released or the kernel requests something
    /// else.
    void run_again(DeviceQueue& queue) const;

private:
    friend class Recording;
    friend class Repetition;
    struct Value {
        DType dtype = DType::undefined;
        Shape shape;
        std::weak_ptr<DeviceBlock> block;
        std::uint64_t offset = 0;
        DeviceTensor now() const;
        static Value of(const DeviceTensor& tensor);
    };
    struct Output {
        std::size_t index = 0;
        Value value;
    };

    const DeviceKernel* kernel_ = nullptr;
    const Node* node_ = nullptr;
    std::vector<std::optional<Value>> inputs_;
    std::vector<Tensor> host_;  // by input; empty: it is on the device, or omitted
    std::vector<bool> wanted_;
    std::vector<Output> outputs_;  // in the order of the kernel's requests
    std::vector<Value> scratch_;
    Limits limits_;
    std::uint64_t seed_ = 0;
};

}  // namespace lapidary::test
