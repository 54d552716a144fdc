// SPDX-License-Identifier: Apache-2.0
#include "exec/device/resident_run.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "exec/run/detached.h"

namespace lapidary {
namespace {

constexpr const char* no_device = "the session runs on the CPU alone";

bool is_asked_for(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

bool is_output(const Graph& graph, ValueId id) {
    return std::ranges::find(graph.outputs(), id) != graph.outputs().end();
}

}  // namespace

ResidentRun::ResidentRun(const CompiledModel& compiled, const RunOptions& options,
                         const NamedValues& inputs)
    : compiled_(compiled), graph_(compiled.model.graph) {
    inputs_.reserve(inputs.size() + options.device_inputs.size());
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
    kept_.reserve(options.resident_outputs.size());
    if (compiled.plan->devices) flags_.assign(graph_.value_slots(), 0);
    for (const NamedDeviceValue& given : options.device_inputs) add_input(given, options);
    for (const std::string& name : options.resident_outputs) add_output(name, options);
}

/// Empty: the value stays where it is.
std::string ResidentRun::why_on_host(const NamedDeviceValue& given, ValueId id,
                                     const RunOptions& options) const {
    if (!compiled_.plan->devices) return no_device;
    const ResidentPlan::Input* input = compiled_.plan->devices->residents.input(id);
    // which is refused where inputs are checked
    if (input == nullptr) return "the model has no such input";
    if (input->device == nullptr) return input->reason;
    const bool is_passed_on =
        is_output(graph_, id) && !is_asked_for(options.resident_outputs, given.name);
    if (is_passed_on || is_asked_for(options.extra_outputs, given.name))
        return "the run hands it out in host memory";
    const DeviceProvider& holder = ResidentMemory::memory_of(given.value)->device();
    if (&holder == input->device) return {};
    return holder.name() == input->device->name()
               ? "it lies on " + quote(holder.name()) + " as another session opened it"
               : "it lies on " + quote(holder.name()) + ", nodes on " +
                     quote(input->device->name()) + " read it";
}

void ResidentRun::add_input(const NamedDeviceValue& given, const RunOptions& options) {
    if (!given.value)
        fail_input("the value on a device for input " + quote(given.name) + " is absent");
    if (given.value.is_on_host()) {
        inputs_.emplace_back(given.name, given.value.to_host());
        return;
    }
    const ValueId id = graph_.find_value(given.name);
    if (std::string reason = why_on_host(given, id, options); !reason.empty()) {
        inputs_.emplace_back(given.name, given.value.to_host());
        not_resident_.push_back({given.name, std::move(reason)});
        downloaded_ += given.value.byte_size();
        return;
    }
    inputs_.emplace_back(given.name, ResidentMemory::slot_of(given.value));
    flag(id, lies_on_device);
}

void ResidentRun::add_output(const std::string& name, const RunOptions& options) {
    const ValueId id = output_named(graph_, name);
    const auto refuse = [&](const std::string& why) { fail_input("output " + quote(name) + why); };
    if (keeps(id)) refuse(" is to stay on the device twice");
    if (std::ranges::find(options.output_buffers, name, &OutputBuffer::name) !=
        options.output_buffers.end())
        refuse(
            " is to stay on the device and has a buffer in host memory: expected one of the two");
    const Type& type = graph_.value(id).type;
    if (type.kind != Type::Kind::tensor && type.kind != Type::Kind::unknown)
        refuse(": only tensors stay on a device, it is " + to_string(type));
    Kept kept{name, id, {}, {}, {}};
    if (graph_.value(id).kind == ValueKind::input) {
        const auto given = std::ranges::find(options.device_inputs, name, &NamedDeviceValue::name);
        if (given != options.device_inputs.end()) kept.passed_on = given->value;
    }
    if (!compiled_.plan->devices) {
        kept.reason = no_device;
    } else if (const ResidentPlan::Output& output = *compiled_.plan->devices->residents.output(id);
               output.device == nullptr) {
        kept.reason = output.reason;
    } else {
        kept.original = output.original;
        flag(output.original, stays_on_device);
        if (!output.is_read_on_host && !is_asked_for(options.extra_outputs, name))
            flag(id, is_not_copied);
    }
    kept_.push_back(std::move(kept));
}

bool ResidentRun::keeps(ValueId output) const {
    return std::ranges::find(kept_, output, &Kept::id) != kept_.end();
}

void ResidentRun::collect(Frame& frame, Budget& budget, RunResult& result) const {
    result.not_resident = not_resident_;
    result.copied.to_host += downloaded_;
    result.residents.reserve(kept_.size());
    for (const Kept& kept : kept_) {
        if (kept.passed_on) {
            result.residents.push_back({kept.name, kept.passed_on});
        } else if (kept.original) {
            result.residents.push_back({kept.name, frame.devices()->resident(kept.original)});
        } else {
            const RuntimeValue value = detached(frame.result(kept.id), budget);
            if (!value.is_tensor())
                fail_input("output " + quote(kept.name) +
                           ": only tensors stay on a device, it is " + value.describe());
            result.residents.push_back({kept.name, value.tensor()});
            result.not_resident.push_back({kept.name, kept.reason});
        }
    }
}

}  // namespace lapidary
