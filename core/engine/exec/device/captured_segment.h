// SPDX-License-Identifier: Apache-2.0
// A run of consecutive steps on one device that can be replayed. If a later run gives the segment
// the same shapes at the same addresses (and the same contents where kernels read host memory), its
// kernels get the same arguments as before. The device then queues them again in one call
// (DeviceQueue::repeat()) and the session skips the single steps.
// Used only in sequential runs without a profile, for frames whose device memory is planned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "exec/device/device_memory.h"
#include "exec/memory/memory_pattern.h"
#include "exec/plan/plan.h"

namespace lapidary {

class CapturedSegment {
public:
    /// How many recordings a segment keeps. Two are usual: state that passes from run to run
    /// alternates between two places.
    static constexpr std::size_t most_recordings = 4;
    static constexpr std::size_t least_kernels = 2;
    /// Limit on the host memory that kernels read, which is kept for comparison.
    static constexpr std::size_t most_host_bytes = 4096;

    std::size_t begin() const { return begin_; }
    std::size_t end() const { return end_; }  // the step after the last one

    /// Queues what the steps queued before. Returns false if no recording fits: then the caller
    /// runs the steps and calls note_walked(). `slots`: those of the frame, as Frame::set() and
    /// earlier steps left them.
    bool repeat(std::vector<RuntimeValue>& slots, DeviceMemory& memory);
    /// Makes a recording, after the steps ran because repeat() returned false.
    void note_walked(const std::vector<RuntimeValue>& slots, DeviceMemory& memory);

private:
    friend class SegmentSearch;
    friend std::vector<CapturedSegment> find_segments(const Plan& plan, const DeviceMemory& memory,
                                                      const MemoryPattern& pattern);

    /// An address on the device. It does not keep the memory alive.
    struct DeviceAddress {
        std::weak_ptr<DeviceBlock> block;
        std::uint64_t offset = 0;
        bool is(const DevicePlace& place) const;
        static DeviceAddress of(const DevicePlace& place) { return {place.block, place.offset}; }
    };
    struct Input {
        std::uint32_t value = 0;  // ValueId::index
        bool on_host = false;
        friend bool operator==(const Input&, const Input&) = default;
    };
    struct Output {
        ValueId value;
        bool is_read_later = false;  // false: it only stays on the device
    };
    /// A value as it was in the recorded run.
    struct Seen {
        DType dtype = DType::undefined;
        Shape shape;
        DeviceAddress address;
        std::vector<std::byte> host;
    };
    /// The inputs and outputs of the segment in one run, and the calls that repeat it.
    struct Recording {
        std::uint64_t layout = 0;  // DeviceMemory::layout()
        std::vector<Seen> inputs, outputs;
        std::shared_ptr<const DeviceCalls> calls;
        std::uint64_t used = 0;
    };

    bool is_seen(const Recording& recording, const std::vector<RuntimeValue>& slots) const;
    bool restore_outputs(const Recording& recording, std::vector<RuntimeValue>& slots,
                         DeviceMemory& memory) const;
    /// Empty where an input cannot be compared.
    std::optional<Recording> recording_of(const std::vector<RuntimeValue>& slots,
                                          const DeviceMemory& memory) const;
    Recording& place_for_another();

    const DeviceProvider* device_ = nullptr;
    std::size_t begin_ = 0, end_ = 0, kernels_ = 0;
    std::vector<Input> inputs_;    // made by earlier steps or by the caller
    std::vector<Output> outputs_;  // in the order in which steps make them
    // inputs that no later step reads, in memory that is not planned
    std::vector<std::uint32_t> released_inputs_;
    std::vector<Recording> recordings_;
    // between repeat() and note_walked(): a recording without outputs and calls
    std::optional<Recording> walked_;
    std::uint64_t unplanned_ = 0;  // DeviceMemory::unplanned() before the walk
    std::uint64_t clock_ = 0;
};

/// The segments of a main plan, in the order of their steps. `pattern`: of the frame's host memory.
std::vector<CapturedSegment> find_segments(const Plan& plan, const DeviceMemory& memory,
                                           const MemoryPattern& pattern);

}  // namespace lapidary
