// SPDX-License-Identifier: Apache-2.0
#include "exec/run/step_recorder.h"

#include <algorithm>

namespace lapidary {
namespace {

void note_types(const StepContext& step, const RunState& state) {
    RecordedTypes& types = *state.types;
    if (!types.begin(recording_lane, step.plan().number, step.index())) return;
    for (std::size_t i = 0; i < step.input_count(); ++i) {
        const RuntimeValue* const input = step.input_value(i);
        if (input == nullptr) continue;
        if (input->is_empty()) types.note_constant(recording_lane, step.node().inputs[i]);
        else types.note(recording_lane, *input, false);
    }
    for (std::uint32_t v : step.outputs())
        if (v != StepContext::none) types.note(recording_lane, step.values().slots()[v], true);
}

}  // namespace

void record_step(const StepContext& step, const RunState& state, std::int64_t begin_ns,
                 std::int64_t end_ns) {
    ProfileEvent event;
    event.kind = EventKind::kernel;
    if (const DeviceProvider* device = step.step().provider->device()) {
        DeviceMemory& memory = *step.values().devices();
        if (state.launch_ns != nullptr) *state.launch_ns += end_ns - begin_ns;
        const DeviceTime ran = memory.queue(*device).finish();
        begin_ns = ran.begin_ns;
        end_ns = ran.end_ns;
        if (const Node& node = step.node(); is_copy(node)) {
            if (memory.has(node.inputs[0], lies_on_device) ||
                memory.has(node.outputs[0], is_not_copied))
                return;
            event.kind = EventKind::copy;
            const RuntimeValue& copied = step.values().slots()[node.outputs[0].index];
            event.bytes = static_cast<std::int64_t>(copied.tensor().byte_size());
        }
    }
    event.end_ns = end_ns - state.origin_ns;
    event.begin_ns = begin_ns - state.origin_ns;
    event.thread = static_cast<std::uint16_t>(recording_lane);
    event.depth = static_cast<std::uint8_t>(std::min(step.plan().depth, 255));
    event.step = static_cast<std::uint32_t>(step.index());
    event.plan = static_cast<std::uint32_t>(step.plan().number);
    event.fallback = step.fallback();
    state.recorder->add(recording_lane, event);
    note_types(step, state);
}

}  // namespace lapidary
