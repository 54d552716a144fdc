// SPDX-License-Identifier: Apache-2.0
// What of one call of Session::run() comes from devices and stays there (RunOptions::device_inputs,
// resident_outputs).
#pragma once

#include <string>
#include <vector>

#include <lapidary/exec/run_options.h>

#include "exec/compiled_model.h"
#include "exec/run/frame.h"
#include "exec/device/resident_memory.h"

namespace lapidary {

class ResidentRun {
public:
    /// Throws invalid_input for an output that the model does not have, is asked for twice, has a
    /// buffer as well or is declared to be no tensor, and for a value that is absent; what a copy
    /// to the host throws.
    ResidentRun(const CompiledModel& compiled, const RunOptions& options,
                const NamedValues& inputs);

    /// Those given, then those of device_inputs: of values that stay on the device element type and
    /// shape alone.
    const NamedValues& inputs() const { return inputs_; }
    /// For the frame that runs it.
    const ResidentFlags& flags() const { return flags_; }
    bool keeps(ValueId output) const;
    /// After the run, before the frame lets go of its values. Throws invalid_input for an output
    /// that is no tensor.
    void collect(Frame& frame, Budget& budget, RunResult& result) const;

private:
    struct Kept {
        std::string name;
        ValueId id, original;   // original: of what the device made; none: it lies in host memory
        std::string reason;     // why it does
        DeviceValue passed_on;  // an input of the run; absent: it is none
    };
    void add_input(const NamedDeviceValue& given, const RunOptions& options);
    void add_output(const std::string& name, const RunOptions& options);
    std::string why_on_host(const NamedDeviceValue& given, ValueId id,
                            const RunOptions& options) const;
    void flag(ValueId id, std::uint8_t bit) { flags_[id.index] |= bit; }

    const CompiledModel& compiled_;
    const Graph& graph_;
    NamedValues inputs_;
    ResidentFlags flags_;
    std::vector<Kept> kept_;
    std::vector<NotResident> not_resident_;  // inputs
    std::uint64_t downloaded_ = 0;           // bytes of inputs that were copied to the host
};

}  // namespace lapidary
