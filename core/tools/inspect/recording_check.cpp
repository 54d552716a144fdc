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

bool is_input(const Graph& graph, ValueId value) {
    return std::ranges::find(graph.inputs(), value) != graph.inputs().end();
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
        // What a dump has for an input was fed to the run.
        const bool is_fed = recording.is_by_value && is_input(graph, graph.outputs()[i]);
        if (is_fed || !recorded[i] || !recorded[i]->left_out.empty() || !value) {
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

/// The inputs that the recording has are its first values; NaN inside follow in the order of the
/// run.
void note_nan(const Graph& graph, const Recording& recording, const CancelToken& cancel,
              RecordingCheck& check) {
    for (const RecordedValue& input : recording.inputs) {
        // Of a dump, each value is listed as an input.
        const ValueId value = graph.find_value(input.name);
        const bool is_taken = !recording.is_by_value || (value && is_input(graph, value));
        if (is_taken && has_nan(input, cancel))
            check.notes.push_back("the recorded input " + quote(input.name) + " holds NaN");
    }
    for (const CheckedModule& checked : check.modules) {
        const RecordedModule& module = recording.modules[checked.module];
        if (!has_nan(module.outputs[checked.output], cancel)) continue;
        check.notes.push_back("in the recording, NaN come first from " + quote(module.path));
        return;
    }
}

void note_left_out(const Recording& recording, RecordingCheck& check) {
    std::size_t left_out = 0;
    const std::string* why = nullptr;
    const auto count = [&](const std::vector<RecordedValue>& values) {
        for (const RecordedValue& value : values)
            if (!value.left_out.empty() && left_out++ == 0) why = &value.left_out;
    };
    for (const RecordedModule& module : recording.modules) count(module.outputs);
    // Of a dump, they are among the modules.
    if (!recording.is_by_value) count(recording.outputs);
    if (left_out == 1) check.notes.push_back("1 recorded value is left out: " + *why);
    if (left_out > 1)
        check.notes.push_back(std::to_string(left_out) +
                              " recorded values are left out; the first because: " + *why);
}

/// Values of a dump that the run has no value for, or one of another shape.
void note_unmatched(const Recording& recording, RecordingCheck& check) {
    std::size_t unmatched = 0;
    std::string first;
    for (const CheckedModule& checked : check.modules)
        if (checked.state == RecordedState::unmatched && unmatched++ == 0)
            first = quote(recording.modules[checked.module].path) + ": " + checked.reason;
    if (unmatched == 1) check.notes.push_back("1 recorded value is not compared, " + first);
    if (unmatched > 1)
        check.notes.push_back(std::to_string(unmatched) +
                              " recorded values are not compared; the first is " + first);
}

/// Values that were recorded in a run on other inputs may all differ.
void note_other_inputs(const Recording& recording, const RecordingCheckOptions& options,
                       RecordingCheck& check) {
    for (const RecordedValue& recorded : recording.inputs) {
        const RuntimeValue* const given = find(options.inputs, recorded.name);
        if (!given || !recorded.left_out.empty() || recorded.stride != 1) continue;
        if (!compare_in_runs(recorded.elements, *given, options.tolerance).matches)
            check.notes.push_back("the input " + quote(recorded.name) +
                                  " that was given is not the recorded one");
    }
}

/// What of the recording is not as it should be, a sentence each.
void note_flaws(const Graph& graph, const Recording& recording,
                const RecordingCheckOptions& options, const CancelToken& cancel,
                RecordingCheck& check) {
    note_other_inputs(recording, options, check);
    note_nan(graph, recording, cancel, check);
    note_left_out(recording, check);
    if (recording.is_by_value) note_unmatched(recording, check);
    for (const CheckedRecordedOutput& output : check.outputs)
        if (output.comparison.matches && output.comparison.elements == 0)
            check.notes.push_back("the output " + quote(output.name) +
                                  " has 0 elements: nothing of it was compared");
    if (recording.modules.empty()) check.notes.push_back("the recording has no values of modules");
    if (check.outputs.empty()) check.notes.push_back("no output of the model was recorded");
}

void find_first(const Recording& recording, RecordingCheck& check) {
    std::vector<std::size_t> between;
    for (std::size_t i = 0; i < check.modules.size(); ++i) {
        switch (check.modules[i].state) {
        case RecordedState::agrees: between.clear(); break;
        case RecordedState::unmatched:
            // Of a dump, a value of another shape is noted, and is no module before the first.
            if (!recording.is_by_value) between.push_back(i);
            break;
        case RecordedState::merged:
        case RecordedState::left_out: break;
        case RecordedState::differs:
            check.first = i;
            check.between = std::move(between);
            return;
        }
    }
}

/// Elements were compared, or type or shape differ.
bool has_compared_in(const Comparison& comparison) {
    return comparison.elements > 0 || !comparison.matches;
}

/// A value that a node of the model computes was held against it.
bool is_judged(const CheckedModule& module) {
    return !module.node.empty() &&
           (module.state == RecordedState::agrees || module.state == RecordedState::differs);
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

bool RecordingCheck::has_compared_outputs() const {
    return std::ranges::any_of(outputs, [](const CheckedRecordedOutput& output) {
        return has_compared_in(output.comparison);
    });
}

bool RecordingCheck::has_compared() const {
    return has_compared_outputs() || std::ranges::any_of(modules, [](const CheckedModule& module) {
               return is_judged(module) && has_compared_in(module.comparison);
           });
}

std::string RecordingCheck::nothing_compared() const {
    std::string text = "nothing of the recording could be compared with the model: ";
    if (!outputs.empty() || std::ranges::any_of(modules, is_judged))
        return text + "the values that both have hold 0 elements";
    text += "it has no output of it, and nothing but inputs fits by name, place or shape";
    // The last note is that no output was recorded.
    if (notes.size() > 1) text += "; " + notes.front();
    return text;
}

NamedValues recorded_inputs(const Model& model, const Recording& recording,
                            const NamedValues& given) {
    const Graph& graph = model.graph;
    if (recording.is_by_value) expect_known_names(graph, recording);
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
    find_first(recording, check);
    check.suspects = suspects_of(graph, check, targets.places());
    check.notes = recording.notes;
    note_flaws(graph, recording, options, progress.cancel, check);
    return check;
}

}  // namespace lapidary
