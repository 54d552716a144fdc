// SPDX-License-Identifier: Apache-2.0
// Runs the steps of a plan for one set of input shapes. A frame keeps from run to run everything
// that running needs: the table of values (frame_values.h), which values each step reads and
// writes, and the frames of subgraphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "exec/device/segment_replay.h"
#include "exec/run/frame_values.h"
#include "exec/run/observed_frame.h"
#include "exec/run/run_state.h"
#include "exec/run/write_check.h"

namespace lapidary {

class Frame {
public:
    /// `keep`: by ValueId::index, inner values to keep for reading after the run; such a frame
    /// serves few runs and plans no memory. `devices`: for the main frame of a plan with steps on
    /// devices, what it shares with other frames. `residents`: which of its values stay on devices
    /// after the run. Throws cancelled.
    Frame(const Plan& plan, Frame* outer, bool plan_memory, const CancelToken& cancel,
          const std::vector<std::uint8_t>* keep = nullptr, SlotDevices* devices = nullptr,
          ResidentFlags residents = {});
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    void set(ValueId id, const RuntimeValue& value) { values_.slots()[id.index] = value; }
    /// The caller's memory for outputs of the next run; null: none. It must outlive the run.
    void write_outputs_to(const OutputBuffers* buffers) { values_.write_outputs_to(buffers); }
    /// Runs all steps. Errors name the node.
    void run(RunState& state);
    /// FrameValues::result()
    RuntimeValue result(ValueId id) const { return values_.result(id); }
    /// result() of the graph outputs, in order.
    std::vector<RuntimeValue> outputs() const;
    /// Releases what the run held beside the planned memory.
    void release() { values_.release(); }
    /// Resets the frame to its state after construction with those residents, for other input
    /// shapes. Cheaper than a new frame. Only for a frame without a pattern, between runs.
    void start_over(ResidentFlags residents);

    // ---- run() in parts, for running the steps in another order (branch_runner.h)
    void begin(RunState& state);
    /// Runs one step's kernel; errors name the node. Several threads may run steps that do not
    /// depend on each other.
    void run_step(std::size_t index, RunState& state);
    /// Releases a value whose readers are done.
    void drop(std::uint32_t value) { values_.drop(value); }

    // ---- its memory, between runs
    /// True after a run that recorded something place() does not know yet. Until place() runs
    /// allocate each value separately.
    bool wants_place() const { return wants_place_; }
    /// Plans the memory of this frame and, inside it, of its subgraphs.
    void place(const CancelToken& cancel);
    /// Plans the memory of this frame with room for `runs` further ones (with_room()). `before`:
    /// the frame of the run in front of its own. False: one of them has a plan, recorded nothing or
    /// has subgraphs or devices, or the plan would need more than `most_bytes`; nothing is changed
    /// then. Throws cancelled.
    bool place_with_room(const Frame& before, std::int64_t runs, std::uint64_t most_bytes,
                         const CancelToken& cancel);
    std::uint64_t arena_bytes() const { return pattern() ? pattern()->total_bytes : 0; }
    /// Moves the planned values to `arena`, which must hold arena_bytes() and outlive the next run.
    void bind(std::byte* arena);
    /// Null before place(). Constant; place() makes a new one.
    const std::shared_ptr<const MemoryPattern>& pattern() const { return values_.pattern(); }
    /// Null: all steps run on the CPU.
    DeviceMemory* devices() { return values_.devices(); }

private:
    class FrameStep;

    void run_kernel(std::size_t index, RunState& state);
    void run_next(std::size_t& step, RunState& state);
    void release_after(std::size_t index);
    void find_released();
    void request_place();
    bool is_plain() const;
    MemoryTrace plain_trace(const CancelToken& cancel) const;

    Frame* const outer_;
    FrameValues values_;
    WriteCheck write_check_;
    ObservedFrame observed_;
    std::deque<FrameStep> steps_;
    // by step: values to release after it
    std::vector<std::vector<std::uint32_t>> released_after_;
    SegmentReplay replay_;
    std::byte* arena_ = nullptr;
    bool wants_place_ = false;
};

}  // namespace lapidary
