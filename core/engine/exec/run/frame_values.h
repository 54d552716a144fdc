// SPDX-License-Identifier: Apache-2.0
// The table of a frame's values: what each of them is during a run, and where it lies. The first
// run takes its memory from the heap and records it. A plan is then made, and later runs with the
// same shapes allocate only what leaves the session. A value whose shape differs from the recorded
// one is off the plan: it uses the heap in that run. In a plan with room (with_room()) values that
// grow may have any shape that fits.
//
// Every byte has one owner. Bytes that are planned (the arena, storages of graph outputs) belong to
// the plan until the run ends: steps write them in place, and their tensors have no owner. To keep
// such a value (in a sequence, an optional, or as the result of a branch), copy it. Bytes with an
// owner are counted, shared freely and never written again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exec/device/device_memory.h"
#include "exec/memory/memory_pattern.h"
#include "exec/plan/plan.h"
#include "exec/run/output_buffers.h"
#include "exec/run/output_storages.h"

namespace lapidary {

class FrameValues {
public:
    /// `outer`: values of the graph around, which captured ones are found in; null: there is none.
    /// `keep`, by ValueId::index: inner values to keep for reading after the run; null: none.
    FrameValues(const Plan& plan, const FrameValues* outer, bool plans_memory,
                const std::vector<std::uint8_t>* keep, SlotDevices* devices,
                ResidentFlags residents);
    FrameValues(const FrameValues&) = delete;
    FrameValues& operator=(const FrameValues&) = delete;

    const Plan& plan() const { return plan_; }
    bool plans_memory() const { return plans_memory_; }
    /// Null: all steps run on the CPU.
    DeviceMemory* devices() const { return devices_.get(); }
    /// Null before place().
    const std::shared_ptr<const MemoryPattern>& pattern() const { return pattern_; }

    // ---- one value
    /// Constants, captured values and the frame's own. Its address is the same in every run.
    const RuntimeValue* locate(ValueId id) const;
    /// By ValueId::index: what the frame itself holds, empty where the value is not there.
    std::vector<RuntimeValue>& slots() { return slots_; }
    const std::vector<RuntimeValue>& slots() const { return slots_; }
    /// True if the value stays after its last reader: it lies in the arena, or is read after the
    /// run.
    bool stays(std::uint32_t value) const {
        return (pattern_ && pattern_->in_arena(value)) || is_kept(value);
    }
    /// Releases a value whose readers are done, unless it is to be read after the run.
    void drop(std::uint32_t value) {
        if (!is_kept(value)) slots_[value] = RuntimeValue{};
    }
    /// A value to hand out after the run. Its storage counts from then on; it has no owner if the
    /// input it came from had none.
    RuntimeValue result(ValueId id) const;

    // ---- a run
    /// The caller's memory for outputs of the next run; null: none. It must outlive the run.
    void write_outputs_to(const OutputBuffers* buffers) { buffers_ = buffers; }
    /// After the inputs are set. Throws limit_exceeded.
    void begin_run(Budget& budget);
    /// True if the run was the first and recorded what a plan needs.
    bool end_trace();
    bool is_tracing() const { return is_tracing_; }
    /// The planned place of an output that has this type; null: allocate() it. `shared`: inputs
    /// whose bytes the step's output may have by the plan; in a plan with room their sizes decide
    /// whether it may in this run.
    Tensor* planned(std::uint32_t value, DType dtype, const Shape& shape,
                    std::span<const RuntimeValue* const> shared);
    /// Memory for an output that planned() has no place for. `source`: what it is a view of, null:
    /// of nothing. Throws limit_exceeded.
    Tensor& allocate(std::uint32_t value, DType dtype, Shape shape, const Tensor* source,
                     Budget& budget);
    /// An output that a kernel made or kept itself. `is_scratch`: it lies in scratch memory of the
    /// step, so that a plan may place it.
    void set_output(std::uint32_t value, RuntimeValue made, bool is_scratch, Budget& budget);
    /// True while a value of this run is off the plan.
    bool has_off_plan() const { return off_plan_ != 0; }
    /// As drop(), of a value that is off the plan; others stay.
    void drop_off_plan(std::uint32_t value) {
        if (placements_[value].is_off_plan) drop(value);
    }
    /// Releases what the run held beside the planned memory.
    void release();

    // ---- its memory, between runs
    bool is_traced() const { return is_traced_; }
    /// What the first run took, without the scratch memory of steps.
    MemoryTrace trace(const CancelToken& cancel) const;
    void place(std::shared_ptr<const MemoryPattern> pattern);
    /// Moves the planned values to `arena`, which must outlive the next run.
    void bind(std::byte* arena);
    /// Resets the table to its state after construction with those residents. Only before place().
    void start_over(ResidentFlags residents);

private:
    /// Element type and shape of a value as last recorded; for a planned value also its address.
    struct ValuePlacement {
        Tensor tensor;
        bool is_planned = false;
        bool is_off_plan = false;  // the slot holds something else in this run
    };

    bool is_kept(std::uint32_t value) const { return keep_ && (*keep_)[value]; }
    void leave_plan(ValuePlacement& placement);
    bool has_room(std::uint32_t value, DType dtype, const Shape& shape) const;
    void change_shape(std::uint32_t value, const Shape& shape);
    void find_transient();

    const Plan& plan_;
    const FrameValues* const outer_;
    const std::vector<std::uint8_t>* const keep_;
    const bool plans_memory_;
    std::vector<RuntimeValue> slots_;
    std::vector<ValuePlacement> placements_;
    std::vector<std::uint32_t> transient_;  // values that are cleared after each run
    // by ValueId::index, of values that no step writes; recorded
    std::vector<std::uint64_t> input_bytes_;
    OutputStorages output_storages_;
    std::shared_ptr<const MemoryPattern> pattern_;
    std::unique_ptr<DeviceMemory> devices_;
    const OutputBuffers* buffers_ = nullptr;
    bool is_tracing_ = false, is_traced_ = false;
    std::size_t off_plan_ = 0;  // values of this run
};

}  // namespace lapidary
