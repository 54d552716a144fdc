// SPDX-License-Identifier: Apache-2.0
// Runs of a kernel of a device as they were asked for, to be done again without the session.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/provider.h"

namespace lapidary::test {

/// One run: what the kernel was told, but for memory, which this does not keep alive.
class RecordedKernel {
public:
    /// Runs the kernel and notes what it asks for.
    static std::shared_ptr<const RecordedKernel> run(const DeviceKernel& kernel,
                                                     DeviceContext& context,
                                                     std::span<const std::size_t> host_inputs,
                                                     std::span<const std::size_t> unread_inputs);
    /// The same again. Throws internal where memory is gone or the kernel asks for something else.
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
    std::vector<Tensor> host_;  // by input; absent: it is on the device, or there is none
    std::vector<bool> wanted_;
    std::vector<Output> outputs_;  // in the order asked for, as is
    std::vector<Value> scratch_;
    Limits limits_;
    std::uint64_t seed_ = 0;
};

}  // namespace lapidary::test
