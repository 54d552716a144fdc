// SPDX-License-Identifier: Apache-2.0
// Holds a model against a recording of the program that it was exported from, and finds the first
// module whose output it computes otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/exec/session_options.h>
#include <lapidary/graph/model.h>
#include <lapidary/graph/node_source.h>
#include <lapidary/inspect/recording.h>
#include <lapidary/proof/compare.h>

namespace lapidary {

/// What is known of a recorded value.
enum class RecordedState : std::uint8_t {
    agrees,     // a value of the model is the same
    differs,    // the value of the model at this place is another
    merged,     // the value at this place is that of a later module, which was merged into it
    unmatched,  // no value of the model has this place and shape
    left_out    // the recording has no elements of it
};
/// "agrees", "differs", "merged", "unmatched", "left out"
std::string_view name_of(RecordedState state);

/// An output of a recorded module, against the model.
struct CheckedModule {
    std::size_t module = 0, output = 0;              // in Recording::modules and its outputs
    RecordedState state = RecordedState::unmatched;  // what was found
    std::string value, node;  // of the model, and Node::describe(); empty: none
    NodeSource source;        // of that node
    Comparison comparison;    // of what was recorded; of agrees and differs
    std::string reason;       // of unmatched and left_out: why, a phrase
};

/// An output of the model against the recorded one.
struct CheckedRecordedOutput {
    std::string name, type;  // in the model
    Comparison comparison;   // with what was recorded
};

/// A model against a recording.
struct RecordingCheck {
    std::vector<CheckedRecordedOutput> outputs;  // of the model
    std::vector<std::string> unchecked;          // outputs of the model that were not recorded
    /// In the order of the recording. Those of a dump are in the order of the run, without inputs
    /// of the model.
    std::vector<CheckedModule> modules;
    std::optional<std::size_t> first;  // into `modules`: the first that differs
    /// Into `modules`: those without counterpart since the last one that agrees; the cause may lie
    /// in them.
    std::vector<std::size_t> between;
    /// Names of the nodes that lead from values that agree to the first that differs, or, where no
    /// recorded value inside differs, to the first output that does in its elements; in the order
    /// of data flow, at most 64. The cause is among them.
    std::vector<std::string> suspects;
    std::vector<std::string> notes;  // on what could not be compared, a sentence each
    int threads = 0;                 // that the session ran on

    /// True where no output differs.
    bool outputs_agree() const;
    /// True where elements of a value were compared, or a type or shape differs. That an input of
    /// the model is as it was recorded does not count.
    bool has_compared() const;
    /// The same of outputs alone.
    bool has_compared_outputs() const;
    /// What to say where nothing was compared, with the reason.
    std::string nothing_compared() const;
};

/// How the model is run and judged.
struct RecordingCheckOptions {
    Tolerance tolerance = same_result;  // of outputs and inner values
    NamedValues inputs;                 // instead of recorded ones, by their names in the model
    SessionOptions session;  // values inside of fused nodes exist with SessionPasses::Set::none
};

/// The recorded inputs under the names of the model: by name, then by order; those of a dump by
/// name alone. `given` goes before what was recorded. Throws invalid_input for an input of the
/// model that the recording lacks, or has with another element type or shape, and for a dump that
/// names no value of the model.
NamedValues recorded_inputs(const Model& model, const Recording& recording,
                            const NamedValues& given = {});

/// Runs the model once on the recorded inputs. A module's output is looked for among the values
/// that its nodes give to others (by the scopes of node_source.h), then among all values of its
/// shape. Inner values are looked at while the model runs and not kept. Throws as
/// recorded_inputs(), and what compiling and running throws.
RecordingCheck check_recording(const ModelPtr& model, const Recording& recording,
                               const RecordingCheckOptions& options = {},
                               const Progress& progress = {});

}  // namespace lapidary
