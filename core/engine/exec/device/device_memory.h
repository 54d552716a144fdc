// SPDX-License-Identifier: Apache-2.0
// The device memory of a frame's values. A value on a device has a tensor in its slot like any
// other, with element type and shape but without data; the tensor's owner is its address on the
// device. The first run takes a block for each value. place() then plans one block per device, as
// the frame does for host memory. Values that stay on the device after the run always lie in
// separate blocks (exec/device/resident_memory.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/at.h"
#include "exec/device/device_blocks.h"
#include "exec/device/device_plan.h"
#include "exec/plan/plan.h"
#include "exec/device/resident_memory.h"

namespace lapidary {

/// By ValueId::index: the bits below. Empty: no value stays on a device.
using ResidentFlags = std::vector<std::uint8_t>;
// a graph input whose value is already on the device
inline constexpr std::uint8_t lies_on_device = 1;
inline constexpr std::uint8_t stays_on_device = 2;  // made by a node there and kept for later runs
inline constexpr std::uint8_t is_not_copied = 4;    // a copy to the host that is not requested

/// What the frames of a slot share, since they run one after the other. By device, as in
/// DevicePlan::devices.
struct SlotDevices {
    ResidentMemories residents;
    std::vector<std::shared_ptr<DeviceBlocks>> blocks;  // of values that are not planned
    /// For the first run of each frame. A frame that runs again opens queues that know its runs and
    /// replay them. Opening one makes streams and pins memory, which would be wasted where shapes
    /// grow from run to run and no frame runs twice.
    std::vector<std::unique_ptr<DeviceQueue>> queues;
};
SlotDevices make_slot_devices(const DevicePlan& plan, ResidentMemories residents);

class DeviceMemory {
public:
    /// `shared` must outlive this object.
    DeviceMemory(const Plan& plan, bool plans_memory, SlotDevices& shared, ResidentFlags flags);

    /// At the start of each run. Throws what opening a queue throws.
    void begin_run();

    /// The slot's tensor for a value whose contents are not yet written. Throws limit_exceeded.
    Tensor take(ValueId id, DType dtype, Shape shape);
    void begin_step(std::size_t step) { next_scratch_[step] = 0; }
    DevicePlace scratch(std::size_t step, std::uint64_t bytes, const Limits& limits);
    static DeviceTensor in(const Tensor& slot);

    /// Null if the constant is not uploaded to that device.
    const DeviceTensor* constant(const DeviceProvider& device, ValueId id) const;
    /// The notes of the devices' queues on the runs so far: "cuda: ...", one after the other.
    std::string notes();
    DeviceQueue& queue(const DeviceProvider& device) {
        return queue(plan_.devices->index_of(device));
    }
    /// Copy between host memory and a device, and count the bytes. upload() returns when `from` may
    /// change, download() when `to` is written.
    void upload(const DeviceProvider& device, const DevicePlace& to, const Tensor& from);
    void download(const DeviceProvider& device, Tensor& to, const DevicePlace& from);
    /// Bytes copied in that direction since begin_run().
    std::uint64_t copied(CopyDirection direction) const { return at(copied_, direction); }
    /// Copies the value of a device to host memory.
    Tensor fetch(ValueId id, const Tensor& slot);
    /// Waits for all queued work. Throws the error of work that failed.
    void finish();
    /// Waits like finish(), but drops errors: the run has already failed, or its result is not
    /// needed.
    void drain() noexcept;

    const ResidentFlags& flags() const { return flags_; }
    bool has(ValueId id, std::uint8_t flag) const {
        return !flags_.empty() && (flags_[id.index] & flag) != 0;
    }
    /// The value of this run that stays on the device; absent until it is made.
    DeviceValue resident(ValueId id) const;
    /// Number of the values of this run so far that stay on the device.
    std::size_t resident_count() const;
    void drop_residents_from(std::size_t count);
    /// After drain(): releases the values that stay.
    void release_residents() { residents_.clear(); }

    /// For Frame::start_over(): resets this object to its state after construction with those
    /// flags. Only before place().
    void start_over(ResidentFlags flags);
    /// Plans the memory, after the first run.
    void place(const CancelToken& cancel);
    /// By device: bytes that the block of bind() must hold. Zeros before place().
    const std::vector<std::uint64_t>& planned_bytes() const { return planned_bytes_; }
    void bind(std::size_t device, const std::shared_ptr<DeviceBlock>& block);
    /// Releases the bound blocks.
    void unbind();
    /// A number that changes whenever the planned values have moved.
    std::uint64_t layout() const { return layout_; }
    /// How many values and scratch areas were not in planned blocks so far, without the values that
    /// stay.
    std::uint64_t unplanned() const { return unplanned_; }

private:
    struct PlannedArea {
        std::uint64_t bytes = 0;                   // taken in the first run
        std::uint64_t offset = 0;                  // in the device's block
        std::shared_ptr<const DevicePlace> place;  // null: not bound
    };

    /// Offsets of the node's outputs in its input 0 where nothing has to be moved: they are views
    /// of it, or its parts one after the other. Else empty.
    std::vector<std::uint64_t> parts_of(const Node& node, const DeviceProvider& device) const;
    DeviceQueue& queue(std::size_t device) {
        return queues_.empty() ? *shared_.queues[device] : *queues_[device];
    }
    void count(CopyDirection direction, std::uint64_t bytes) { at(copied_, direction) += bytes; }

    const Plan& plan_;
    const bool plans_memory_;
    bool is_placed_ = false, has_run_ = false;
    SlotDevices& shared_;
    ResidentFlags flags_;
    // by device; empty in the first run, which uses those of the slot
    std::vector<std::unique_ptr<DeviceQueue>> queues_;
    std::array<std::atomic<std::uint64_t>, 2> copied_{};  // by CopyDirection
    mutable std::mutex mutex_;  // of residents_: branches of a graph make values at the same time
    // made by this run, by ValueId::index
    std::vector<std::pair<std::uint32_t, DeviceValue>> residents_;
    std::vector<PlannedArea> value_areas_;  // by ValueId::index
    // by step, in the order of requests
    std::vector<std::vector<PlannedArea>> scratch_areas_;
    std::vector<std::size_t> next_scratch_;  // by step
    std::vector<std::uint64_t> planned_bytes_;
    std::vector<std::shared_ptr<DeviceBlock>> blocks_;  // bound; by device
    std::uint64_t layout_ = 0;
    std::atomic<std::uint64_t> unplanned_ = 0;
};

}  // namespace lapidary
