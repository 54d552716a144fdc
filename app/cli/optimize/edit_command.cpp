// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/edit/edit_verbs.h>
#include <lapidary/internal/edit_members.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/onnx_io/save_beside_weights.h>
#include <lapidary/proof/guard.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/models/model_argument.h"
#include "cli/optimize/edit_lines.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/output/guard_text.h"
#include "cli/output/json_output.h"
#include "cli/output/value_text.h"
#include "worker/protocol/described_json.h"

namespace lapidary::cli {
namespace {

struct EditCommandOptions {
    std::string model;  // a file, or "sample:NAME"
    std::filesystem::path script, output;
    std::vector<std::string> lines;
    bool dry_run = false, no_guard = false, overwrite = false;
    std::int64_t channel_block = 0;  // LoadOptions' own
};

/// The verbs of the table, for the help.
std::string verbs_text() {
    std::string text =
        "\nEdits, one a line; names may be patterns (Dropout_*), op:Cast, "
        "scope:encoder/layer.3:\n";
    for (const EditVerb& verb : edit_verbs())
        text += "  " + std::string(verb.form) + "\n      " + std::string(verb.help) + "\n";
    return text + "Exit code 1 when an edit that should keep results does not.";
}

/// Whether the edits gave an input another element type, rank, size or order of dimensions: the
/// original's inputs are none of the result then. Sizes that became free, or got a number, fit.
bool has_other_input_types(const Graph& original, const Graph& edited) {
    return std::ranges::any_of(original.inputs(), [&](ValueId id) {
        const Type& before = original.value(id).type;
        const ValueId found = edited.find_value(original.value(id).name);
        if (!found) return true;
        const Type& after = edited.value(found).type;
        if (before.kind != after.kind || before.dtype != after.dtype) return true;
        if (!before.shape || !after.shape) return false;
        const SymbolicShape &old = *before.shape, &now = *after.shape;
        if (old.size() != now.size()) return true;
        for (std::size_t i = 0; i < old.size(); ++i)
            if (old[i].is_known() && now[i].is_known() && old[i].value() != now[i].value())
                return true;
        return old != now && std::is_permutation(old.begin(), old.end(), now.begin());
    });
}

/// Sizes that edits gave to dimensions with a name: inputs of both models have to have them.
std::map<std::string, std::int64_t> fixed_dimensions(const Graph& original, const Graph& edited) {
    std::map<std::string, std::int64_t> sizes;
    for (const ValueId id : original.inputs()) {
        const Value& before = original.value(id);
        const ValueId found = edited.find_value(before.name);
        if (!found) continue;
        const Type& after = edited.value(found).type;
        if (!before.type.shape || !after.shape || before.type.shape->size() != after.shape->size())
            continue;
        for (std::size_t i = 0; i < after.shape->size(); ++i)
            if ((*before.type.shape)[i].is_symbolic() && (*after.shape)[i].is_known())
                sizes[(*before.type.shape)[i].symbol()] = (*after.shape)[i].value();
    }
    return sizes;
}

void print_line(std::ostream& out, const EditLineReport& line) {
    out << line.line << "  " << plain(line.text) << '\n' << "   ";
    auto say = [&, first = true](std::size_t count, const char* what, const char* done) mutable {
        if (count == 0) return;
        out << (first ? " " : ", ") << count_text(static_cast<std::int64_t>(count), what) << done;
        first = false;
    };
    say(line.nodes_removed, "node", " removed");
    say(line.nodes_added, "node", " added");
    say(line.nodes_changed, "node", " changed");
    say(line.type_count, "type", " changed");
    if (line.nodes_removed + line.nodes_added + line.nodes_changed + line.type_count == 0)
        out << " done";
    out << '\n';
    for (const ChangedType& type : line.types)
        out << "    " << plain(type.value) << ": " << plain(type.before) << " -> "
            << plain(type.after) << '\n';
    for (const std::string& note : line.notes) out << "    note  " << plain(note) << '\n';
}

/// By how much outputs differ where the edits may change them.
void print_difference(std::ostream& out, const GuardReport& report) {
    if (!report.failure.empty()) {
        out << "results were not compared: " << plain(report.failure) << '\n';
        return;
    }
    out << "results on random inputs, which these edits may change:\n";
    for (const GuardOutput& output : report.outputs) {
        out << "  " << plain(output.name) << ": ";
        const Comparison& found = output.comparison;
        if (found.matches) out << "as before\n";
        else if (found.elements == 0) out << plain(found.reason) << '\n';
        else
            out << fmt::format("differs by up to {:.3g} ({:.3g} of the largest), cosine {:.4f}\n",
                               found.max_abs, found.relative(), found.cosine);
    }
}

class EditCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Change a model by a script of edits, and prove what stays equal",
            .notes = verbs_text(),
            .examples = {"lapidary-cli edit net.onnx -e \"delete op:Dropout\" -o clean.onnx",
                         "lapidary-cli edit net.onnx --script edits.txt -o edited.onnx",
                         "lapidary-cli edit net.onnx -e \"rename input x -> image\" --dry-run"},
            .program_example = "lapidary-cli edit net.onnx -e \"delete op:Dropout\" -o clean.onnx"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        options.value("--script", "FILE", options_.script, "A script of edits, one a line")
            .suggest_files({"txt"});
        options
            .take_all(
                "-e,--edit", "LINE",
                [this](const std::vector<std::string>& lines) { options_.lines = lines; },
                "An edit, applied behind those of --script; may be repeated")
            .repeatable();
        Option& output =
            add_output(options, "OUT", options_.output, {"onnx"}, "Model file to write");
        options.flag("--overwrite", options_.overwrite, "Allow OUT to be MODEL itself")
            .needs(output);
        options.flag("--dry-run", options_.dry_run, "Report what would be done; write nothing");
        options.flag("--no-guard", options_.no_guard,
                     "Do not run original and result to compare their outputs");
        add_channel_block(options, options_.channel_block);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.output.empty() && !options_.dry_run)
            throw UsageError("-o OUT or --dry-run is required");
        const EditScript script = read_edit_lines(options_.script, options_.lines);
        if (script.lines.empty()) throw UsageError("--script or -e with an edit is required");
        const Progress progress = terminal.progress();
        const Model original =
            load_model_argument(options_.model, options_.channel_block, progress);
        check_output();
        Model edited = original;
        const EditReport report = apply_edits(edited, script, {}, progress);
        check_parts(report);
        std::optional<GuardReport> guarded;
        std::string unguarded;
        if (!options_.no_guard) guarded = compare(original, edited, unguarded, progress);
        const bool passes = !guarded || guarded->matches || !report.keeps_results;
        const bool writes = passes && !options_.dry_run;
        std::vector<std::string> notes;
        if (writes) notes = write(edited, report, progress);
        if (terminal.json) print_json(terminal, report, guarded, unguarded, writes);
        else print_text(terminal, report, guarded, unguarded, writes);
        for (const std::string& note : notes) terminal.note(note);
        return passes ? exit_fine : exit_check_failed;
    }

private:
    void check_output() const {
        std::error_code ignored;
        const bool is_itself =
            std::filesystem::equivalent(options_.model, options_.output, ignored);
        if (is_itself && !options_.overwrite && !options_.dry_run)
            fail_input(quote(options_.output.string(), 4096) +
                       " is the model itself: choose another file, or allow it with --overwrite");
        if (!options_.dry_run)
            check_output_files({is_itself ? std::filesystem::path() : options_.output});
    }

    /// All files that are going to be written, before the first of them is: parts have to differ
    /// from each other, from OUT and from what was read.
    void check_parts(const EditReport& report) const {
        if (options_.dry_run || report.parts.empty()) return;
        std::vector<std::filesystem::path> files;
        std::error_code ignored;
        // The model itself, which --overwrite allows as OUT, is protected as an input.
        if (!std::filesystem::equivalent(options_.model, options_.output, ignored))
            files.push_back(options_.output);
        for (const EditPart& part : report.parts) files.push_back(part.file);
        check_output_files(files);
    }

    /// Runs both on the same inputs. Nothing, with the reason, where that cannot be done.
    static std::optional<GuardReport> compare(const Model& original, const Model& edited,
                                              std::string& why, const Progress& progress) {
        if (!has_same_interface(original, edited)) {
            why = "names of inputs or outputs changed: results were not compared";
            return std::nullopt;
        }
        if (has_other_input_types(original.graph, edited.graph)) {
            why = "types or shapes of inputs changed: results were not compared";
            return std::nullopt;
        }
        try {
            GuardOptions options;
            options.dimensions = fixed_dimensions(original.graph, edited.graph);
            return guard(original, edited, options, progress);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled || error.code() == ErrorCode::internal) throw;
            why = "results were not compared: " + error.message();
            return std::nullopt;
        }
    }

    std::vector<std::string> write(const Model& edited, const EditReport& report,
                                   const Progress& progress) const {
        // OUT comes last, so that it is not there where a part could not be written.
        std::vector<std::string> notes;
        for (const EditPart& part : report.parts)
            for (std::string& note : save_model(*part.model, part.file, {}, progress))
                notes.push_back(std::move(note));
        SaveOptions saving;
        saving.overwrite_source = options_.overwrite;
        for (std::string& note : save_beside_weights(edited, options_.output, saving, progress))
            notes.push_back(std::move(note));
        return notes;
    }

    void print_text(Terminal& terminal, const EditReport& report,
                    const std::optional<GuardReport>& guarded, const std::string& unguarded,
                    bool writes) const {
        for (const EditLineReport& line : report.lines) print_line(terminal.out, line);
        if (guarded && report.keeps_results) print_guard(terminal.out, "guard", *guarded);
        else if (guarded) print_difference(terminal.out, *guarded);
        if (!unguarded.empty()) terminal.out << "note  " << plain(unguarded) << '\n';
        if (options_.dry_run) return;
        const auto say = [&](const std::filesystem::path& file, std::size_t nodes) {
            terminal.out << (writes ? "wrote " : "did not write ") << plain(file.string()) << " ("
                         << count_text(static_cast<std::int64_t>(nodes), "node") << ")\n";
        };
        for (const EditPart& part : report.parts) say(part.file, part.model->graph.node_count());
        say(options_.output, report.nodes_after);
    }

    void print_json(Terminal& terminal, const EditReport& report,
                    const std::optional<GuardReport>& guarded, const std::string& unguarded,
                    bool writes) const {
        Json json = {{"file", options_.model},
                     {"output", options_.output.string()},
                     {"dry_run", options_.dry_run},
                     {"written", writes},
                     {"report", json_from_text(app::line_of(app::json_of(report)), "report")},
                     {"guard", nullptr}};
        if (guarded) json["guard"] = guard_json(*guarded);
        if (!unguarded.empty()) json["not_compared"] = unguarded;
        for (const EditPart& part : report.parts)
            json["parts"].push_back(
                {{"file", part.file.string()}, {"nodes", part.model->graph.node_count()}});
        write_json(terminal.out, json);
    }

    EditCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> edit_command() { return std::make_unique<EditCommand>(); }

}  // namespace lapidary::cli
