// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/recorded_divergence.h"

#include <algorithm>
#include <ostream>

#include <lapidary/base/error.h>

#include "cli/compare/recorded_check.h"
#include "cli/exit_code.h"
#include "cli/output/comparison_text.h"
#include "cli/output/conditions_output.h"
#include "cli/output/divergence_text.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

void print_outputs(std::ostream& out, const RecordingCheck& check) {
    std::size_t differing = 0;
    for (const CheckedRecordedOutput& output : check.outputs)
        differing += !output.comparison.matches;
    out << "outputs  " << check.outputs.size() << " compared, " << differing << " differ";
    out << (differing == 1 ? "s\n" : "\n");
    for (const CheckedRecordedOutput& output : check.outputs)
        if (!output.comparison.matches)
            out << "         " << plain(output.name) << ": " << plain(output.comparison.reason)
                << '\n';
    for (const std::string& name : check.unchecked)
        out << "         " << plain(name) << ": not compared, the recording has nothing for it\n";
}

}  // namespace

RecordingCheck check_recorded_file(const ModelPtr& model, const Recording& recording,
                                   const std::filesystem::path& file,
                                   const RecordingCheckOptions& options, Terminal& terminal) {
    try {
        recorded_inputs(*model, recording, options.inputs);
        RecordingCheck check = check_recording(model, recording, options, terminal.progress());
        if (!check.has_compared()) fail_input(check.nothing_compared());
        return check;
    } catch (Error& error) {
        if (error.code() != ErrorCode::invalid_input) throw;
        throw error.at(file.string());
    }
}

int diverge_from_recording(const RecordedDivergence& options, Terminal& terminal) {
    const Recording recording =
        load_recording(options.recording, most_recorded_bytes, terminal.cancel);
    const LoadedModel loaded = load_at_level(options.model, options.level, terminal.progress());
    terminal.note(loaded.layout_note);
    RecordingCheckOptions checking;
    checking.tolerance = same_result_within(options.rtol, options.atol);
    checking.inputs = given_inputs(*loaded.model, options.running.inputs, terminal.cancel).values;
    checking.session.session_passes = loaded.session_passes;
    if (!options.level.session_passes)
        checking.session.session_passes.set = SessionPasses::Set::none;
    checking.session.resources = options.running.resources;
    options.running.providers.apply(checking.session);
    const RecordingCheck found =
        check_recorded_file(loaded.model, recording, options.recording, checking, terminal);
    const bool differs = found.first || !found.outputs_agree();
    const UsualSizes sizes =
        usual_sizes(*loaded.model, {}, recorded_inputs(*loaded.model, recording, checking.inputs));
    const RunConditions conditions{std::nullopt, found.threads, 1, sizes};
    if (terminal.json) {
        Json json = {{"a",
                      {{"model", options.recording.string()},
                       {"level", name_of(Level::disabled)},
                       {"engine", recording.framework}}},
                     {"b",
                      {{"model", options.model},
                       {"level", name_of(loaded.report.level)},
                       {"engine", "Lapidary"}}},
                     {"verdict", differs ? "differs" : "same"},
                     {"outputs", outputs_json(found.outputs)},
                     {"recording", recording_json(recording, found)}};
        json.update(conditions_json(conditions));
        write_json(terminal.out, json);
    } else {
        print_conditions(terminal.out, conditions);
        print_outputs(terminal.out, found);
        print_lines(terminal.out, lines_of(recording, found));
        if (!differs) terminal.out << "SAME     everything that was compared agrees\n";
    }
    return differs ? exit_check_failed : exit_fine;
}

}  // namespace lapidary::cli
