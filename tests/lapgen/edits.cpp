// SPDX-License-Identifier: Apache-2.0
#include "lapgen/edits.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <random>

#include <lapidary/base/error.h>
#include <lapidary/bench/repeated_run.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/edit/edit_verbs.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>

#include "edit/edit_words.h"
#include "lapgen/bounds.h"
#include "lapgen/random_edit.h"
#include "support/test_data.h"

namespace lapidary::lapgen {
namespace {

constexpr std::uint64_t most_file_bytes = 64u << 20;
constexpr std::size_t most_lines = 8;

std::string file_of(const Model& model, const std::filesystem::path& file) {
    save_model(model, file);
    return load_text(file, most_file_bytes);
}

/// Whether the types are the same but for names of sizes, which inference makes up.
bool same_type(const Type& a, const Type& b) {
    if (a.kind != b.kind || a.dtype != b.dtype || a.shape.has_value() != b.shape.has_value())
        return false;
    return !a.shape || std::ranges::equal(*a.shape, *b.shape, [](const Dim& x, const Dim& y) {
        return x.is_known() == y.is_known() && (!x.is_known() || x.value() == y.value());
    });
}

/// What inference of the whole model gives otherwise than the edit left it; empty: nothing.
std::string other_types(const Model& model) {
    Model whole = model;
    infer_types(whole);
    for (const ValueId id : model.graph.values()) {
        const Type &found = model.graph.value(id).type, &expected = whole.graph.value(id).type;
        if (!same_type(found, expected))
            return "the type of " + quote(model.graph.value(id).name) + " is " + to_string(found) +
                   ", inference of the whole model gives " + to_string(expected);
    }
    return {};
}

/// What our reader makes of the file; empty: the same model.
std::string other_file(const Model& model, const std::filesystem::path& folder) {
    const std::string written = file_of(model, folder / "edited.onnx");
    try {
        // Constants may come in another order once, but nothing gets lost.
        const std::string again =
            file_of(load_model(folder / "edited.onnx"), folder / "again.onnx");
        if (again.size() != written.size()) return "a file that was read and written again differs";
        if (again != written &&
            file_of(load_model(folder / "again.onnx"), folder / "third.onnx") != again)
            return "a file that was read and written twice differs";
    } catch (const Error& error) {
        return std::string("our reader refuses the file: ") + error.what();
    }
    return {};
}

/// Inputs or outputs of one model by the names of the other.
class PortNames {
public:
    /// Ports that a line renamed are those in the same place.
    PortNames(const Model& before, const Model& after, bool renamed) {
        for (const bool output : {false, true}) {
            const auto from = output ? before.graph.outputs() : before.graph.inputs();
            const auto to = output ? after.graph.outputs() : after.graph.inputs();
            for (std::size_t i = 0; i < from.size(); ++i) {
                const std::string& name = before.graph.value(from[i]).name;
                if (renamed && i < to.size()) names_[output][name] = after.graph.value(to[i]).name;
                for (const ValueId id : to)
                    if (!renamed && after.graph.value(id).name == name) names_[output][name] = name;
            }
        }
    }
    /// Of those that both have.
    NamedValues renamed(const NamedValues& values, bool output) const {
        NamedValues found;
        for (const auto& [name, value] : values)
            if (const auto at = names_[output].find(name); at != names_[output].end())
                found.emplace_back(at->second, value);
        return found;
    }

private:
    std::map<std::string, std::string> names_[2];
};

Session session_of(const Model& model) {
    SessionOptions options;
    options.resources.threads = 1;
    options.check_writes = true;
    return Session::compile(std::make_shared<const Model>(model), options);
}

/// Values in the order of the names of others.
NamedValues in_order_of(const NamedValues& values, const NamedValues& order) {
    NamedValues found;
    for (const auto& [name, value] : order)
        for (const auto& [other, its] : values)
            if (other == name) found.emplace_back(name, its);
    return found;
}

class EditedModel {
public:
    EditedModel(const GeneratedModel& generated, std::uint64_t seed)
        : generated_(generated), seed_(seed), random_(seed * 77 + 5), original_(generated.model) {
        name_nodes();
        model_ = original_;
        applied_.folder = folder_.path();
    }

    /// Tries one random line. What is wrong; empty: nothing.
    std::string step(EditTally& tally) {
        const std::size_t form =
            std::uniform_int_distribution<std::size_t>(0, edit_verbs().size() - 1)(random_);
        text_ = random_edit(model_, form, random_, folder_.path());
        EditScript script = parse_edit_script(text_);
        script.folder = folder_.path();
        if (script.lines.size() != 1) return "is not one line";
        if (parse_edit_line(script.lines[0].text) != script.lines[0])
            return "does not read the same in its normal form: " + script.lines[0].text;
        EditCounts& counts = tally[std::string(edit_verbs()[form].form)];
        const std::string before = print_graph(model_.graph);
        Model edited = model_;
        EditReport report;
        try {
            report = apply_edits(edited, script);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::invalid_input) throw;
            ++counts.refused;
            if (print_graph(edited.graph) != before) return "was refused and changed the model";
            return all_the_same(script, error.message(), counts);
        }
        ++counts.applied;
        if (std::string problem = after(edited, report, script.lines[0], counts); !problem.empty())
            return problem;
        model_ = std::move(edited);
        before_.reset();
        applied_.lines.push_back(script.lines[0]);
        return {};
    }

    /// After the last line.
    Verdict finish() {
        Model at_once = original_;
        apply_edits(at_once, applied_);
        if (file_of(at_once, folder_ / "at_once.onnx") != file_of(model_, folder_ / "edited.onnx"))
            return {Verdict::Kind::differs, "the lines as one script give another file", {}};
        constexpr Level others[] = {Level::disabled, Level::basic, Level::extended};
        OracleOptions options;
        options.levels = {others[seed_ % std::size(others)], Level::all};
        return judge(model_, false, {}, options);
    }

    const Model& model() const { return model_; }

    std::string script() const {
        std::string text;
        for (const EditLine& line : applied_.lines) text += line.text + "; ";
        return text + "then " + text_;
    }

private:
    /// Names of all kinds, so that lines have something to name.
    void name_nodes() {
        GraphEdit edit(original_.graph);
        std::size_t number = 0;
        for (const NodeId id : original_.graph.nodes()) {
            ++number;
            if (!original_.graph.node(id).name.empty() || random_() % 4 == 0) continue;
            const char* const before[] = {"n", "block/n", "block.1/n", "odd \"name\" ", "\xc3\xbc"};
            edit.rename(id, before[random_() % std::size(before)] + std::to_string(number));
        }
        edit.finish();
    }

    std::string after(const Model& edited, const EditReport& report, const EditLine& line,
                      EditCounts& counts) {
        if (!report.problems.empty()) return "was applied although it leaves the model invalid";
        if (report.nodes_after != edited.graph.node_count())
            return "reports " + std::to_string(report.nodes_after) + " nodes, there are " +
                   std::to_string(edited.graph.node_count());
        if (std::string problem = other_types(edited); !problem.empty()) return problem;
        if (std::string problem = other_file(edited, folder_.path()); !problem.empty())
            return problem;
        for (const EditPart& part : report.parts)
            if (std::string problem = other_file(*part.model, folder_.path()); !problem.empty())
                return "a part: " + problem;
        return report.keeps_results ? other_results(edited, line, counts) : std::string();
    }

    /// A refused line, where an invalid model may be kept.
    std::string all_the_same(const EditScript& script, const std::string& reason,
                             EditCounts& counts) {
        Model invalid = model_;
        try {
            const EditReport report = apply_edits(invalid, script, {.strict = false});
            ++counts.left_invalid;
            if (report.problems.empty() || find_edit_problems(invalid).empty())
                return "was refused (" + reason + ") and leaves no problem";
        } catch (const Error& error) {
            if (error.code() != ErrorCode::invalid_input) throw;
        }
        return {};
    }

    /// A line that says it keeps results.
    std::string other_results(const Model& edited, const EditLine& line, EditCounts& counts) {
        // Where 16 bits or bytes round, another kernel may give another step.
        if (has_half(model_) || quantizes(model_)) return {};
        std::map<std::string, std::int64_t> sizes = generated_.dimensions;
        if (line.verb == "dim" && line.arguments.size() == 3) {
            std::int64_t size = 0;
            const std::string& text = line.arguments[2];
            std::from_chars(text.data(), text.data() + text.size(), size);
            sizes[unquoted_word(line.arguments[0])] = size;
        }
        if (!before_ || before_->sizes != sizes) run_before(sizes);
        if (!before_->session) return {};  // it does not run on such inputs
        const PortNames names(model_, edited, line.verb == "rename");
        const std::vector<NamedValues> fed{names.renamed(before_->others[0], false)};
        Session session = session_of(edited);
        const RepeatedRun found =
            run_repeatedly(session, names.renamed(before_->inputs, false), fed);
        const std::string text = difference(found, names);
        counts.compared += text.empty();
        return text;
    }

    /// Runs the model that the next line is tried on, which stays the same while lines are refused.
    void run_before(const std::map<std::string, std::int64_t>& sizes) {
        before_.emplace();
        before_->sizes = sizes;
        try {
            before_->inputs = generate_inputs(model_, {}, {.seed = seed_, .dimensions = sizes});
            before_->others.push_back(changed_inputs(before_->inputs));
            Session session = session_of(model_);
            before_->runs = run_repeatedly(session, before_->inputs, before_->others);
            before_->session.emplace(std::move(session));
        } catch (const Error&) {}
    }

    /// Of the runs of the edited model from those before. Only where they are not the same it is
    /// asked how far rounding may move them.
    std::string difference(const RepeatedRun& found, const PortNames& names) {
        const RepeatedRun& expected = before_->runs;
        const bool is_refused = expected.between[0] && !found.between[0];
        if (!is_refused && difference_within(found, nullptr, names).empty()) return {};
        RepeatedRun moved;
        try {
            const std::vector<NamedValues> others{nudged(before_->others[0])};
            moved = run_repeatedly(*before_->session, nudged(before_->inputs), others);
        } catch (const Error&) { return {}; }
        if (is_refused && moved.between[0]) return "changed inputs are refused";
        return difference_within(found, &moved, names);
    }

    /// `moved`: runs on nudged inputs; null: outputs have to be equal.
    std::string difference_within(const RepeatedRun& found, const RepeatedRun* moved,
                                  const PortNames& names) const {
        const auto compared = [&](const char* what, const NamedValues& its,
                                  const NamedValues& wanted, const NamedValues& nudge) {
            const NamedValues all = names.renamed(wanted, true);
            const NamedValues ours = in_order_of(its, all), theirs = in_order_of(all, ours);
            std::vector<std::optional<Tolerance>> allowed(theirs.size(), Tolerance{0, 0});
            if (moved)
                allowed = bounds(theirs, in_order_of(names.renamed(nudge, true), ours), false);
            const std::string text = differences_of(ours, theirs, allowed);
            return text.empty() ? text : std::string(what) + " run: " + text;
        };
        const RepeatedRun& expected = before_->runs;
        const RepeatedRun& near = moved ? *moved : expected;
        std::string text = compared("first", found.first, expected.first, near.first);
        if (text.empty() && expected.between[0] && near.between[0] && found.between[0])
            text = compared("changed", *found.between[0], *expected.between[0], *near.between[0]);
        if (text.empty()) text = compared("last", found.last, expected.last, near.last);
        return text;
    }

    struct RunsBefore {
        std::map<std::string, std::int64_t> sizes;
        NamedValues inputs;
        std::vector<NamedValues> others;
        std::optional<Session> session;  // nothing: the model does not run on such inputs
        RepeatedRun runs;
    };

    const GeneratedModel& generated_;
    std::uint64_t seed_;
    std::mt19937_64 random_;
    const TemporaryFolder folder_;
    Model original_, model_;
    EditScript applied_;
    std::string text_;                  // of the line that is tried
    std::optional<RunsBefore> before_;  // of `model_`
};

}  // namespace

Verdict judge_edits(const GeneratedModel& generated, std::uint64_t seed, EditTally& tally,
                    const std::filesystem::path& folder) {
    EditedModel edited(generated, seed);
    Verdict verdict;
    try {
        for (std::size_t i = 0; i < most_lines && verdict.symptom.empty(); ++i)
            verdict.symptom = edited.step(tally);
        if (verdict.symptom.empty()) verdict = edited.finish();
    } catch (const std::exception& error) { verdict.symptom = error.what(); }
    if (verdict.kind == Verdict::Kind::cannot_run || verdict.symptom.empty()) return verdict;
    verdict.kind = Verdict::Kind::differs;
    if (!folder.empty()) {
        std::filesystem::create_directories(folder);
        save_model(edited.model(), folder / (std::to_string(seed) + "_edited.onnx"));
    }
    verdict.symptom = edited.script() + "\n  " + verdict.symptom;
    return verdict;
}

}  // namespace lapidary::lapgen
