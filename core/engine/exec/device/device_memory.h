// SPDX-License-Identifier: Apache-2.0
// Device memory of the values of a frame. A value of a device has a tensor in its slot like any
// other, with element type and shape but without data; its owner is the place on the device. The
// first run takes a block for each value; place() then plans one block per device, as the frame
// does for host memory. Values that stay on the device after the run lie in blocks of their own
// (exec/device/resident_memory.h), in every run.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "exec/device/device_blocks.h"
#include "exec/device/device_plan.h"
#include "exec/plan/plan.h"
#include "exec/device/resident_memory.h"

namespace lapidary {

/// By ValueId::index, bits of those below; empty: nothing stays.
using ResidentFlags = std::vector<std::uint8_t>;
inline constexpr std::uint8_t lies_on_device = 1;   // a graph input whose value the run finds there
inline constexpr std::uint8_t stays_on_device = 2;  // made by a node there, for later runs
inline constexpr std::uint8_t is_not_copied = 4;    // a copy to the host that nobody asks for

/// What the frames of a slot share, one after the other; by device, as in DevicePlan::devices.
struct SlotDevices {
    ResidentMemories residents;
    std::vector<std::shared_ptr<DeviceBlocks>> blocks;  // of values that no plan places
    /// Of each frame's first run. Frames that run again get queues of their own, which know their
    /// runs and replay them: to open one a device makes streams and pins memory, and where shapes
    /// grow from run to run none comes again.
    std::vector<std::unique_ptr<DeviceQueue>> queues;
};
SlotDevices make_slot_devices(const DevicePlan& plan, ResidentMemories residents);

class DeviceMemory {
public:
    /// `shared` outlives it.
    DeviceMemory(const Plan& plan, bool plans_memory, SlotDevices& shared, ResidentFlags flags);

    /// At the begin of each run. Throws what opening a queue throws.
    void begin_run();

    /// What a slot holds for the value, whose contents are unknown. Throws limit_exceeded.
    Tensor take(ValueId id, DType dtype, Shape shape);
    void begin_step(std::size_t step) { next_scratch_[step] = 0; }
    DevicePlace scratch(std::size_t step, std::uint64_t bytes, const Limits& limits);
    static DeviceTensor in(const Tensor& slot);

    /// Null: not uploaded to that device.
    const DeviceTensor* constant(const DeviceProvider& device, ValueId id) const;
    /// What the providers tell of the runs so far: "cuda: ...", one after the other.
    std::string notes();
    DeviceQueue& queue(const DeviceProvider& device) {
        return queue(plan_.devices->index_of(device));
    }
    /// Between host memory and a place on the device, counted. The first returns when `from` may
    /// change, the second when `to` is written.
    void upload(const DeviceProvider& device, const DevicePlace& to, const Tensor& from);
    void download(const DeviceProvider& device, Tensor& to, const DevicePlace& from);
    /// Bytes of both since begin_run().
    std::uint64_t copied(CopyDirection direction) const {
        return copied_[static_cast<std::size_t>(direction)];
    }
    /// A value of a device in host memory.
    Tensor fetch(ValueId id, const Tensor& slot);
    /// Waits for all that is queued; throws what failed there.
    void finish();
    /// The same. What fails there failed the run, or nobody needs.
    void drain() noexcept;

    const ResidentFlags& flags() const { return flags_; }
    bool has(ValueId id, std::uint8_t flag) const {
        return !flags_.empty() && (flags_[id.index] & flag) != 0;
    }
    /// What this run made of a value that stays; absent before it is made.
    DeviceValue resident(ValueId id) const;
    /// Of values that stay and that this run has made so far.
    std::size_t resident_count() const;
    void drop_residents_from(std::size_t count);
    /// After drain(): of what stays.
    void let_go() { residents_.clear(); }

    /// Of Frame::start_over(): as made anew with those flags, before place().
    void start_over(ResidentFlags flags);
    /// After the first run.
    void place(const CancelToken& cancel);
    /// By device: bytes of the block that bind() wants. Zeros before place().
    const std::vector<std::uint64_t>& planned_bytes() const { return planned_bytes_; }
    void bind(std::size_t device, const std::shared_ptr<DeviceBlock>& block);
    /// Lets go of the bound blocks.
    void unbind();
    /// Another number each time after the planned values moved.
    std::uint64_t layout() const { return layout_; }
    /// Values and working memory so far that lay in no planned block, those that stay not counted.
    std::uint64_t unplanned() const { return unplanned_; }

private:
    struct Home {
        std::uint64_t bytes = 0;                   // taken in the first run
        std::uint64_t offset = 0;                  // in the device's block
        std::shared_ptr<const DevicePlace> place;  // null: not bound
    };

    /// Where in input 0 the outputs of a node lie that need not be moved: all of it, or one after
    /// the other; else empty.
    std::vector<std::uint64_t> parts_of(const Node& node, const DeviceProvider& device) const;
    DeviceQueue& queue(std::size_t device) {
        return queues_.empty() ? *shared_.queues[device] : *queues_[device];
    }
    void count(CopyDirection direction, std::uint64_t bytes) {
        copied_[static_cast<std::size_t>(direction)] += bytes;
    }

    const Plan& plan_;
    const bool plans_memory_;
    bool is_placed_ = false, has_run_ = false;
    SlotDevices& shared_;
    ResidentFlags flags_;
    // by device; empty: those of the slot, for the first run
    std::vector<std::unique_ptr<DeviceQueue>> queues_;
    std::array<std::atomic<std::uint64_t>, 2> copied_{};  // by CopyDirection
    mutable std::mutex mutex_;  // of residents_: branches of a graph make values at the same time
    // by ValueId::index, that this run made
    std::vector<std::pair<std::uint32_t, DeviceValue>> residents_;
    std::vector<Home> homes_;  // by ValueId::index
    // by step, in the order asked for
    std::vector<std::vector<Home>> scratch_;
    std::vector<std::size_t> next_scratch_;  // by step
    std::vector<std::uint64_t> planned_bytes_;
    std::vector<std::shared_ptr<DeviceBlock>> blocks_;  // bound; by device
    std::uint64_t layout_ = 0;
    std::atomic<std::uint64_t> unplanned_ = 0;
};

}  // namespace lapidary
