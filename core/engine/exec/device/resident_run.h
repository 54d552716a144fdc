// SPDX-License-Identifier: Apache-2.0
// Inputs of one Session::run() call that come from devices, and outputs that stay there
// (RunOptions::device_inputs, resident_outputs).
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
    /// Throws invalid_input for an output that the model does not have, that is named twice, that
    /// also has a buffer or that is declared as something other than a tensor; for an absent value;
    /// and what a copy to the host throws.
    ResidentRun(const CompiledModel& compiled, const RunOptions& options,
                const NamedValues& inputs);

    /// The given inputs, then those of device_inputs. Values on a device have only element type and
    /// shape here.
    const NamedValues& inputs() const { return inputs_; }
    /// For the frame that runs them.
    const ResidentFlags& flags() const { return flags_; }
    bool keeps(ValueId output) const;
    /// After the run, before the frame releases its values. Throws invalid_input for an output that
    /// is not a tensor.
    void collect(Frame& frame, Budget& budget, RunResult& result) const;

private:
    struct Kept {
        std::string name;
        // original: the value that the device made; none: it lies in host memory
        ValueId id, original;
        std::string reason;     // why it lies in host memory
        DeviceValue passed_on;  // set where an input of the run is also the output
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
    std::vector<NotResident> not_resident_;  // inputs that were copied to the host
    std::uint64_t downloaded_ = 0;           // bytes of inputs that were copied to the host
};

}  // namespace lapidary
