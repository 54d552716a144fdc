// SPDX-License-Identifier: Apache-2.0
// Device memory of the values of a frame. A value of a device has a tensor in its slot like any other, with element
// type and shape but without data; its owner is the place on the device. The first run takes a block for each value;
// place() then plans one block per device, as the frame does for host memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exec/device_plan.h"
#include "exec/plan.h"

namespace lapidary {

class DeviceMemory {
public:
    DeviceMemory(const Plan& plan, bool plans_memory);

    /// What a slot holds for the value, whose contents are unknown. Throws limit_exceeded.
    Tensor take(ValueId id, DType dtype, Shape shape);
    void begin_step(std::size_t step) { next_scratch_[step] = 0; }
    DevicePlace scratch(std::size_t step, std::uint64_t bytes, const Limits& limits);
    static DeviceTensor in(const Tensor& slot);

    /// Null: not uploaded to that device.
    const DeviceTensor* constant(const DeviceProvider& device, ValueId id) const;
    /// What the providers tell of the runs so far: "cuda: ...", one after the other.
    std::string notes();
    DeviceQueue& queue(const DeviceProvider& device) { return *queues_[plan_.devices->index_of(device)]; }
    /// A value of a device in host memory.
    Tensor fetch(ValueId id, const Tensor& slot);
    /// Waits for all that is queued. What fails there failed the run, or nobody needs.
    void drain() noexcept;

    /// After the first run.
    void place(const CancelToken& cancel);
    /// By device: bytes of the block that bind() wants. Zeros before place().
    const std::vector<std::uint64_t>& planned_bytes() const { return planned_bytes_; }
    void bind(std::size_t device, const std::shared_ptr<DeviceBlock>& block);
    /// Lets go of the bound blocks.
    void unbind();

private:
    struct Home {
        std::uint64_t bytes = 0;                   // taken in the first run
        std::uint64_t offset = 0;                  // in the device's block
        std::shared_ptr<const DevicePlace> place;  // null: not bound
    };

    const Plan& plan_;
    const bool plans_memory_;
    bool is_placed_ = false;
    std::vector<std::unique_ptr<DeviceQueue>> queues_;  // by device
    std::vector<Home> homes_;                           // by ValueId::index
    std::vector<std::vector<Home>> scratch_;            // by step, in the order asked for
    std::vector<std::size_t> next_scratch_;             // by step
    std::vector<std::uint64_t> planned_bytes_;
    std::vector<std::shared_ptr<DeviceBlock>> blocks_;  // bound; by device
};

}  // namespace lapidary
