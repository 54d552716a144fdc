// SPDX-License-Identifier: Apache-2.0
// The values of a plan for one set of input shapes. Everything that running needs is made once and
// kept from run to run: where each value lies, which values each step reads and writes, frames of
// subgraphs. The first run takes its memory from the heap and records it; place() then lays a plan,
// and later runs with the same shapes allocate only what they hand out. A value that comes out in
// another shape than the first time takes the heap for that run.
//
// Every byte has one owner. Bytes that the plan places (the arena, storages of graph outputs) are
// the plan's until the run ends: steps write them in place, their tensors have no owner, and
// whoever wants to hold on to such a value (a sequence, an optional, a branch that hands it on)
// copies it. Bytes with an owner are counted, shared freely and never written again.
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
    /// `keep`: by ValueId::index, inner values to keep for reading after the run; such a frame is
    /// for few runs and plans no memory. Throws cancelled. `devices`: what the main frame of a plan
    /// with steps on devices shares with others; `residents`: what of its values lies there beyond
    /// the run.
    Frame(const Plan& plan, Frame* outer, bool plan_memory, const CancelToken& cancel,
          const std::vector<std::uint8_t>* keep = nullptr, SlotDevices* devices = nullptr,
          ResidentFlags residents = {});
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    void set(ValueId id, const RuntimeValue& value) { slots_[id.index] = value; }
    /// Memory of the caller for outputs of the next run; null: none. Outlives the run.
    void write_outputs_to(const OutputBuffers* buffers) { buffers_ = buffers; }
    /// Runs all steps. Errors carry the node in their where-chain.
    void run(RunState& state);
    /// A value to hand out after the run: in storage that is counted from then on, or unowned where
    /// whoever set an input lent it.
    RuntimeValue result(ValueId id) const;
    /// result() of the graph outputs, in order.
    std::vector<RuntimeValue> outputs() const;
    /// Lets go of what the run held beside the planned memory.
    void release();
    /// As made anew with those residents, for other input shapes: cheaper than another frame. Only
    /// of a frame without a pattern, between runs.
    void start_over(ResidentFlags residents);

    /// True after a run that recorded something place() does not know yet. Until then runs take
    /// their memory singly.
    bool wants_place() const { return wants_place_; }
    /// Lays out the memory of this frame and, inside it, those of its subgraphs.
    void place(const CancelToken& cancel);
    std::uint64_t arena_bytes() const { return pattern_ ? pattern_->total_bytes : 0; }
    /// Moves the planned values to `arena`, which holds arena_bytes() and outlives the next run.
    void bind(std::byte* arena);
    /// Null before place(). Never changes; place() makes another.
    const std::shared_ptr<const MemoryPattern>& pattern() const { return pattern_; }
    /// Null: all steps run on the CPU.
    DeviceMemory* devices() { return devices_.get(); }

private:
    friend class StepContext;
    friend class BranchRunner;
    friend class WriteCheck;

    /// Element type and shape of a value as last traced; planned: with its address.
    struct Home {
        Tensor tensor;
        bool is_planned = false;
        bool is_off_plan = false;  // the slot holds something else in this run
    };
    /// Storage that graph outputs leave in, reused once nobody else holds it.
    struct HandedOut {
        static constexpr std::size_t kept = 2;  // of which a loop reads one and writes one
        std::vector<std::uint32_t> values;
        std::vector<Tensor> storages;
        std::size_t oldest = 0;
        std::shared_ptr<const void> owner;  // of the storage of this run; null: it is the caller's
    };

    const RuntimeValue* locate(ValueId id) const;
    Tensor& output(StepContext& step, std::size_t index, DType dtype, Shape shape);
    void set_output(StepContext& step, std::size_t index, RuntimeValue value);
    RuntimeValue keep(const RuntimeValue& value) const;
    void begin(RunState& state);
    void run_next(std::size_t& step, RunState& state);
    void take_storages();
    /// The caller's memory for the output that all of these values lie in; null: there is none.
    void* callers_storage(const HandedOut& out) const;
    /// Runs one step's kernel; errors carry the node.
    void run_step(std::size_t index, RunState& state);
    void run_kernel(std::size_t index, RunState& state);
    /// Throws internal when the step that just ran wrote into bytes of another live value.
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
    std::vector<std::uint32_t> transient_;  // values that no run leaves behind
    // by ValueId::index, of values that no step writes; traced
    std::vector<std::uint64_t> input_bytes_;
    std::vector<HandedOut> handed_out_;
    std::shared_ptr<const MemoryPattern> pattern_;
    std::byte* arena_ = nullptr;
    std::unique_ptr<DeviceMemory> devices_;
    std::vector<CapturedSegment> segments_;  // of steps that may be repeated
    std::size_t next_segment_ = 0;
    const OutputBuffers* buffers_ = nullptr;
    bool plans_memory_ = false, is_tracing_ = false, is_traced_ = false, wants_place_ = false;
    std::size_t off_plan_ = 0;
    // where writes are checked: values that are there and still needed
    std::vector<std::uint32_t> live_;
};

/// A value free of storage that is only lent (planned memory): shared where owned, copied where
/// not.
RuntimeValue detached(const RuntimeValue& value, Budget& budget);

}  // namespace lapidary
