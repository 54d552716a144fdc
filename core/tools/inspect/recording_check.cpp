// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/recording_check.h>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/report/tensor_statistics.h>

#include "inspect/divergence_search.h"
#include "inspect/recorded_places.h"
#include "inspect/recorded_suspects.h"
#include "inspect/recorded_targets.h"
#include "inspect/value_judge.h"

namespace lapidary {
namespace {

/// Recorded values that were not taken yet, by name and then by order.
class Unclaimed {
public:
    /// `has_order`: what no name matches is taken by order.
    Unclaimed(const std::vector<RecordedValue>& values, bool has_order)
        : values_(values), has_order_(has_order), is_taken_(values.size(), false) {}

    const RecordedValue* by_name(const std::string& name) {
        for (std::size_t i = 0; i < values_.size(); ++i)
            if (!is_taken_[i] && values_[i].name == name) return take(i);
        return nullptr;
    }
    /// The next one that a value of this type can hold.
    const RecordedValue* next(const Type& type) {
        for (std::size_t i = 0; has_order_ && i < values_.size(); ++i)
            if (!is_taken_[i] && fits(values_[i], type)) return take(i);
        return nullptr;
    }

    static bool fits(const RecordedValue& value, const Type& type) {
        if (!value.left_out.empty() || !type.is_tensor()) return false;
        const DType dtype = value.elements.dtype();
        if (type.dtype != dtype && !(is_float(type.dtype) && is_float(dtype))) return false;
        if (!type.shape) return true;
        return std::ranges::equal(*type.shape, value.shape, [](const Dim& dim, std::int64_t size) {
            return !dim.is_known() || dim.value() == size;
        });
    }

private:
    const RecordedValue* take(std::size_t i) {
        is_taken_[i] = true;
        return &values_[i];
    }

    const std::vector<RecordedValue>& values_;
    const bool has_order_;
    std::vector<bool> is_taken_;
};

std::string names_of(const std::vector<RecordedValue>& values) {
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(values.size(), most); ++i)
        text += (i ? ", " : "") + quote(values[i].name);
    if (values.size() > most) text += " ...";
    return values.empty() ? "none" : text;
}

void check_outputs(const Graph& graph, const Recording& recording, const NamedValues& outputs,
                   const Tolerance& tolerance, RecordingCheck& check) {
    Unclaimed unclaimed(recording.outputs, !recording.is_by_value);
    std::vector<const RecordedValue*> recorded;
    for (ValueId id : graph.outputs()) recorded.push_back(unclaimed.by_name(graph.value(id).name));
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const Value& output = graph.value(graph.outputs()[i]);
        if (!recorded[i]) recorded[i] = unclaimed.next(output.type);
        const RuntimeValue* const value = find(outputs, output.name);
        if (!recorded[i] || !recorded[i]->left_out.empty() || !value) {
            check.unchecked.push_back(output.name);
            continue;
        }
        check.outputs.push_back({output.name, value->describe(),
                                 compare_in_runs(recorded[i]->elements, *value, tolerance)});
    }
}

bool has_nan(const RecordedValue& value, const CancelToken& cancel) {
    return value.elements.size() > 0 && is_float(value.elements.dtype()) &&
           statistics_of(value.elements, 1, cancel).nans > 0;
}

/// What of the recording is not as it should be, a sentence each.
void note_flaws(const Recording& recording, const CancelToken& cancel,
                std::vector<std::string>& notes) {
    // Of a dump, inputs and outputs are among the modules.
    const bool has_more = !recording.is_by_value;
    for (const RecordedValue& input : recording.inputs)
        if (has_more && has_nan(input, cancel))
            notes.push_back("the recorded input " + quote(input.name) + " holds NaN");
    std::size_t left_out = 0;
    const std::string* why = nullptr;
    bool is_nan_said = false;
    for (const RecordedModule& module : recording.modules)
        for (const RecordedValue& output : module.outputs) {
            if (!output.left_out.empty() && left_out++ == 0) why = &output.left_out;
            if (is_nan_said || !has_nan(output, cancel)) continue;
            is_nan_said = true;
            notes.push_back("in the recording, NaN come first from " + quote(module.path));
        }
    for (const RecordedValue& output : recording.outputs)
        if (has_more && !output.left_out.empty() && left_out++ == 0) why = &output.left_out;
    if (left_out > 0)
        notes.push_back(std::to_string(left_out) +
                        " recorded values are left out; the first because: " + *why);
    if (recording.modules.empty()) notes.push_back("the recording has no values of modules");
}

void find_first(RecordingCheck& check) {
    std::vector<std::size_t> between;
    for (std::size_t i = 0; i < check.modules.size(); ++i) {
        switch (check.modules[i].state) {
        case RecordedState::agrees: between.clear(); break;
        case RecordedState::unmatched: between.push_back(i); break;
        case RecordedState::merged:
        case RecordedState::left_out: break;
        case RecordedState::differs:
            check.first = i;
            check.between = std::move(between);
            return;
        }
    }
}

/// A dump of another model, or an archive of something else, has no value to compare.
void expect_known_names(const Graph& graph, const Recording& recording) {
    if (std::ranges::any_of(recording.modules, [&](const RecordedModule& module) {
            return bool(graph.find_value(module.path));
        }))
        return;
    fail_input(
        "the file is no recording of this model: no value of the model is named as one of its " +
        std::to_string(recording.modules.size()) +
        " tensors; record.py, which `lapidary-cli record` prints, writes one that needs no names");
}

}  // namespace

std::string_view name_of(RecordedState state) {
    switch (state) {
    case RecordedState::agrees: return "agrees";
    case RecordedState::differs: return "differs";
    case RecordedState::merged: return "merged";
    case RecordedState::left_out: return "left out";
    case RecordedState::unmatched: break;
    }
    return "unmatched";
}

bool RecordingCheck::outputs_agree() const {
    return std::ranges::all_of(
        outputs, [](const CheckedRecordedOutput& output) { return output.comparison.matches; });
}

bool RecordingCheck::has_compared() const {
    return !outputs.empty() || std::ranges::any_of(modules, [](const CheckedModule& module) {
        return module.state == RecordedState::agrees || module.state == RecordedState::differs;
    });
}

NamedValues recorded_inputs(const Model& model, const Recording& recording,
                            const NamedValues& given) {
    const Graph& graph = model.graph;
    Unclaimed unclaimed(recording.inputs, !recording.is_by_value);
    std::vector<const RecordedValue*> recorded;
    for (ValueId id : graph.inputs()) recorded.push_back(unclaimed.by_name(graph.value(id).name));
    NamedValues inputs;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const Value& input = graph.value(graph.inputs()[i]);
        if (const RuntimeValue* const value = find(given, input.name)) {
            inputs.emplace_back(input.name, *value);
            continue;
        }
        const bool has_type = input.type.is_tensor() && input.type.dtype != DType::undefined;
        if (!recorded[i] && !input.constant) recorded[i] = unclaimed.next(input.type);
        if (!recorded[i] && input.constant) continue;
        if (!recorded[i])
            fail_input("the recording has no input for " + quote(input.name) + ", " +
                       to_string(input.type) + "; it has " + names_of(recording.inputs));
        if (!recorded[i]->left_out.empty())
            fail_input("the recorded input " + quote(input.name) +
                       " has no elements: " + recorded[i]->left_out);
        if (has_type && !Unclaimed::fits(*recorded[i], input.type))
            fail_input("the recorded input " + quote(recorded[i]->name) + " is " +
                       std::string(name_of(recorded[i]->elements.dtype())) +
                       to_string(recorded[i]->shape) + "; the model takes " +
                       to_string(input.type));
        const RuntimeValue value(recorded[i]->elements);
        inputs.emplace_back(input.name,
                            has_type ? as_type_of(value, Tensor(input.type.dtype, {0})) : value);
    }
    return inputs;
}

RecordingCheck check_recording(const ModelPtr& model, const Recording& recording,
                               const RecordingCheckOptions& options, const Progress& progress) {
    RecordingCheck check;
    if (recording.is_by_value) expect_known_names(model->graph, recording);
    const NamedValues inputs = recorded_inputs(*model, recording, options.inputs);
    Session session = Session::compile(model, options.session, progress);
    const Graph& graph = session.model().graph;
    const RecordedPlaces places(graph, recording);
    RecordedTargets targets(recording, places, options.tolerance);
    RunOptions running;
    running.cancel = progress.cancel;
    running.observer = &targets;
    progress.step("run", 0);
    const NamedValues outputs = session.run(inputs, running).outputs;
    check.threads = session.threads();
    check.modules = targets.take();
    check_outputs(graph, recording, outputs, options.tolerance, check);
    find_first(check);
    check.suspects = suspects_of(graph, check, targets.places());
    check.notes = recording.notes;
    note_flaws(recording, progress.cancel, check.notes);
    if (check.outputs.empty()) check.notes.push_back("no output of the model was recorded");
    return check;
}

}  // namespace lapidary
