// SPDX-License-Identifier: Apache-2.0
// The values of a plan for one set of input shapes. A frame keeps from run to run everything that
// running needs: where each value lies, which values each step reads and writes, and the frames of
// subgraphs. The first run takes its memory from the heap and records it. place() then makes a
// plan, and later runs with the same shapes allocate only what leaves the session. A value whose
// shape differs from the recorded one uses the heap in that run.
//
// Every byte has one owner. Bytes that are planned (the arena, storages of graph outputs) belong to
// the plan until the run ends: steps write them in place, and their tensors have no owner. To keep
// such a value (in a sequence, an optional, or as the result of a branch), copy it. Bytes with an
// owner are counted, shared freely and never written again.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "exec/device/device_memory.h"
#include "exec/memory/memory_pattern.h"
#include "exec/run/output_buffers.h"
#include "exec/plan/plan.h"
#include "exec/run/run_state.h"
#include "exec/device/captured_segment.h"

namespace lapidary {

class StepContext;

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

    void set(ValueId id, const RuntimeValue& value) { slots_[id.index] = value; }
    /// The caller's memory for outputs of the next run; null: none. It must outlive the run.
    void write_outputs_to(const OutputBuffers* buffers) { buffers_ = buffers; }
    /// Runs all steps. Errors name the node.
    void run(RunState& state);
    /// A value to hand out after the run. Its storage counts from then on; it has no owner if the
    /// input it came from had none.
    RuntimeValue result(ValueId id) const;
    /// result() of the graph outputs, in order.
    std::vector<RuntimeValue> outputs() const;
    /// Releases what the run held beside the planned memory.
    void release();
    /// Resets the frame to its state after construction with those residents, for other input
    /// shapes. Cheaper than a new frame. Only for a frame without a pattern, between runs.
    void start_over(ResidentFlags residents);

    /// True after a run that recorded something place() does not know yet. Until place() runs
    /// allocate each value separately.
    bool wants_place() const { return wants_place_; }
    /// Plans the memory of this frame and, inside it, of its subgraphs.
    void place(const CancelToken& cancel);
    std::uint64_t arena_bytes() const { return pattern_ ? pattern_->total_bytes : 0; }
    /// Moves the planned values to `arena`, which must hold arena_bytes() and outlive the next run.
    void bind(std::byte* arena);
    /// Null before place(). Constant; place() makes a new one.
    const std::shared_ptr<const MemoryPattern>& pattern() const { return pattern_; }
    /// Null: all steps run on the CPU.
    DeviceMemory* devices() { return devices_.get(); }

private:
    friend class StepContext;
    friend class BranchRunner;
    friend class WriteCheck;

    /// Element type and shape of a value as last recorded; for a planned value also its address.
    struct Home {
        Tensor tensor;
        bool is_planned = false;
        bool is_off_plan = false;  // the slot holds something else in this run
    };
    /// Storage in which graph outputs leave the session, reused once its other holders have
    /// released it.
    struct HandedOut {
        static constexpr std::size_t kept = 2;  // a loop reads one and writes the other
        std::vector<std::uint32_t> values;
        std::vector<Tensor> storages;
        std::size_t oldest = 0;
        std::shared_ptr<const void> owner;  // of the storage of this run; null: the caller's
    };

    const RuntimeValue* locate(ValueId id) const;
    Tensor& output(StepContext& step, std::size_t index, DType dtype, Shape shape);
    void set_output(StepContext& step, std::size_t index, RuntimeValue value);
    RuntimeValue keep(const RuntimeValue& value) const;
    void begin(RunState& state);
    void run_next(std::size_t& step, RunState& state);
    void take_storages();
    /// The caller's memory for the output in which all of these values lie; null: none.
    void* callers_storage(const HandedOut& out) const;
    /// Runs one step's kernel; errors name the node.
    void run_step(std::size_t index, RunState& state);
    void run_kernel(std::size_t index, RunState& state);
    /// Throws internal if the last step wrote into bytes of another live value.
    void check_writes(std::size_t index);
    void let_go(std::size_t index);
    void record(std::size_t index, std::int64_t begin_ns, std::int64_t end_ns);
    void find_deaths();
    void request_place();

    const Plan& plan_;
    Frame* const outer_;
    const std::vector<std::uint8_t>* keep_;
    RunState* state_ = nullptr;
    std::vector<RuntimeValue> slots_;
    std::vector<Home> homes_;
    std::deque<StepContext> steps_;
    std::vector<std::uint32_t> transient_;  // values that are cleared after each run
    // by ValueId::index, of values that no step writes; recorded
    std::vector<std::uint64_t> input_bytes_;
    std::vector<HandedOut> handed_out_;
    std::shared_ptr<const MemoryPattern> pattern_;
    std::byte* arena_ = nullptr;
    std::unique_ptr<DeviceMemory> devices_;
    std::vector<CapturedSegment> segments_;  // of steps that may be replayed
    std::size_t next_segment_ = 0;
    const OutputBuffers* buffers_ = nullptr;
    bool plans_memory_ = false, is_tracing_ = false, is_traced_ = false, wants_place_ = false;
    std::size_t off_plan_ = 0;
    // where writes are checked: values that exist and are still needed
    std::vector<std::uint32_t> live_;
};

/// A value that no longer depends on planned memory: shared if it has an owner, else copied.
RuntimeValue detached(const RuntimeValue& value, Budget& budget);

}  // namespace lapidary
