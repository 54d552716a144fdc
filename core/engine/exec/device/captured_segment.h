// SPDX-License-Identifier: Apache-2.0
// Steps of one device that follow each other without anything between them. Where a frame runs
// again and what goes into such a segment has the places and shapes that it had before (and where
// kernels read it in host memory: the same contents), all that its kernels are told is the same
// too: its device queues them again at once (DeviceQueue::repeat()), and the steps are not walked.
// Only for runs that are walked in order and that nobody watches, of frames whose device memory is
// planned.
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
    /// Ways in which a segment is kept: state that is handed from run to run lies in two places in
    /// turn.
    static constexpr std::size_t most_ways = 4;
    static constexpr std::size_t least_kernels = 2;
    /// Of all that kernels read in host memory, kept for comparison.
    static constexpr std::size_t most_host_bytes = 4096;

    std::size_t begin() const { return begin_; }
    std::size_t end() const { return end_; }  // the step behind the last one

    /// Queues what the steps did before. False: they have to be walked, and note_walked() called
    /// then. `slots`: of the frame, as Frame::set() and steps before left them.
    bool repeat(std::vector<RuntimeValue>& slots, DeviceMemory& memory);
    /// After the walk that repeat() asked for.
    void note_walked(const std::vector<RuntimeValue>& slots, DeviceMemory& memory);

private:
    friend class SegmentSearch;
    friend std::vector<CapturedSegment> find_segments(const Plan& plan, const DeviceMemory& memory,
                                                      const MemoryPattern& pattern);

    /// A place on the device, distinguished from others without keeping its memory.
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
        bool is_read_later = false;  // else it only stays on the device
    };
    /// A value as it was.
    struct Seen {
        DType dtype = DType::undefined;
        Shape shape;
        DeviceAddress address;
        std::vector<std::byte> host;
    };
    /// What the segment was given and gave, and how to do that again.
    struct Recording {
        std::uint64_t layout = 0;  // DeviceMemory::layout()
        std::vector<Seen> inputs, outputs;
        std::shared_ptr<const DeviceCalls> calls;
        std::uint64_t used = 0;
    };

    bool is_seen(const Recording& recording, const std::vector<RuntimeValue>& slots) const;
    bool gives_again(const Recording& recording, std::vector<RuntimeValue>& slots,
                     DeviceMemory& memory) const;
    /// Nothing: an input is none that can be compared.
    std::optional<Recording> recording_of(const std::vector<RuntimeValue>& slots,
                                          const DeviceMemory& memory) const;
    Recording& place_for_another();

    const DeviceProvider* device_ = nullptr;
    std::size_t begin_ = 0, end_ = 0, kernels_ = 0;
    std::vector<Input> inputs_;    // that steps before it or the caller made
    std::vector<Output> outputs_;  // in the order in which steps make them
    // inputs that nobody reads later, in memory that no plan places
    std::vector<std::uint32_t> dies_;
    std::vector<Recording> recordings_;
    // between repeat() and note_walked(); without outputs and calls
    std::optional<Recording> walked_;
    std::uint64_t unplanned_ = 0;  // DeviceMemory::unplanned() before the walk
    std::uint64_t clock_ = 0;
};

/// In the order of their steps. `plan` is no subgraph's; `pattern`: of its frame's host memory.
std::vector<CapturedSegment> find_segments(const Plan& plan, const DeviceMemory& memory,
                                           const MemoryPattern& pattern);

}  // namespace lapidary
