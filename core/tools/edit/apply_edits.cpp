// SPDX-License-Identifier: Apache-2.0
#include <lapidary/edit/apply_edits.h>

#include <algorithm>
#include <iterator>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_verbs.h>
#include <lapidary/ops/infer.h>

#include "edit/changed_types.h"
#include "edit/edit_verb_functions.h"
#include "edit/node_names.h"
#include "graph/copy_model.h"
#include "graph/verify.h"
#include "ops/inference/infer_node.h"
#include "ops/inference/other_forms.h"

namespace lapidary {
namespace {

constexpr std::size_t listed_types = 100;

void report_difference(const Graph& graph, const GraphBefore& before, EditLineReport& report) {
    std::size_t kept_nodes = 0, kept_values = 0;
    for (const NodeId id : graph.nodes()) ++(before.had(id) ? kept_nodes : report.nodes_added);
    report.nodes_removed = before.node_count() - kept_nodes;
    for (const ValueId id : graph.values()) {
        const Value& value = graph.value(id);
        const Type* old = before.type(id);
        ++(old != nullptr ? kept_values : report.values_added);
        if (old == nullptr || value.type == *old) continue;
        if (report.type_count++ < listed_types)
            report.types.push_back({value.name, to_string(*old), to_string(value.type)});
    }
    report.values_removed = before.value_count() - kept_values;
    for (std::size_t i = before.rewrites(); i < graph.history().size(); ++i)
        report.nodes_changed += graph.history()[i].changed.size();
}

/// Faults of single nodes, and values that nothing writes.
std::vector<EditProblem> faults_of_nodes(const Model& model) {
    std::vector<EditProblem> problems;
    const Graph& graph = model.graph;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const auto add = [&](std::string reason) {
            problems.push_back({node.describe(), id.index, std::move(reason)});
        };
        std::vector<Type> inputs;
        std::vector<const Tensor*> constants;
        for (const ValueId input : node.inputs) {
            const Value* value = input ? &graph.value(input) : nullptr;
            if (value != nullptr && value->kind == ValueKind::undefined)
                add("reads " + quote(value->name) + ", which nothing writes");
            inputs.push_back(value != nullptr ? value->type : Type());
            constants.push_back(value != nullptr && value->is_constant() && value->constant
                                    ? &*value->constant
                                    : nullptr);
        }
        try {
            infer_node_types(node, inputs, constants);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            add(error.message());
        }
    }
    return problems;
}

/// Infers all types; what keeps the model from being valid.
std::vector<EditProblem> infer_and_judge(Model& model, const Progress& progress) {
    std::vector<EditProblem> problems;
    try {
        infer_types(model, {}, progress);
        const Graph& graph = model.graph;
        for (const ValueId id : graph.outputs())
            if (graph.value(id).kind == ValueKind::undefined)
                problems.push_back({"output " + quote(graph.value(id).name), -1,
                                    "nothing writes this output of the model"});
        for (OtherForm& other : nodes_of_other_forms(graph, model.opset_imports))
            problems.push_back(
                {graph.node(other.node).describe(), other.node.index, std::move(other.reason)});
        if (problems.empty()) return problems;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_model && error.code() != ErrorCode::not_supported)
            throw;
        EditProblem problem{{}, -1, error.message()};
        if (!error.where().empty()) problem.node = error.where().front();
        for (const NodeId id : model.graph.nodes()) {
            const std::string described = model.graph.node(id).describe();
            if (std::ranges::any_of(error.where(), [&](const std::string& place) {
                    return place == described || place.ends_with("/" + described);
                })) {
                problem.node = described;
                problem.node_id = id.index;
                break;
            }
        }
        problems.push_back(std::move(problem));
    }
    for (EditProblem& fault : faults_of_nodes(model))
        if (std::ranges::none_of(problems, [&](const EditProblem& known) {
                return known.node_id == fault.node_id && known.node_id >= 0;
            }))
            problems.push_back(std::move(fault));
    std::ranges::stable_sort(problems, {}, &EditProblem::node_id);
    return problems;
}

/// Takes the warnings of nodes in bodies that would fail if they ran, such as those of a branch
/// that may never be taken: inference does not refuse them.
std::vector<Warning> take_body_faults(Model& model) {
    std::vector<Warning> faults;
    const auto is_fault = [](const Warning& warning) {
        return warning.message.starts_with("would fail if it ran");
    };
    std::ranges::copy_if(model.warnings, std::back_inserter(faults), is_fault);
    std::erase_if(model.warnings, is_fault);
    return faults;
}

/// More nodes of bodies would fail than before an edit of a body.
std::vector<EditProblem> problems_of_bodies(Model& model, const std::vector<Warning>& before) {
    std::vector<Warning> after = take_body_faults(model);
    std::vector<EditProblem> problems;
    for (const Warning& fault : after) {
        const bool was_there = std::ranges::any_of(before, [&](const Warning& known) {
            return known.where == fault.where && known.message == fault.message;
        });
        if (!was_there && after.size() > before.size())
            problems.push_back({fault.where, -1, fault.message});
    }
    std::ranges::move(after, std::back_inserter(model.warnings));
    return problems;
}

/// What a line of the verb can change of types.
enum class TypesConcerned : std::uint8_t {
    none,      // it changes names and texts alone
    of_edges,  // it puts nodes in or takes them out; nodes that stay only read other values
    all
};

TypesConcerned types_concerned(const EditLine& line) {
    if (line.verb == "rename" || line.verb == "metadata" || line.verb == "model")
        return TypesConcerned::none;
    if (line.verb == "insert" || line.verb == "delete") return TypesConcerned::of_edges;
    return TypesConcerned::all;
}

/// Infers the types that the line can have changed; what keeps the model from being valid.
/// `infers_all`: all types, whatever the line is.
std::vector<EditProblem> infer_after(const EditLine& line, Model& model, const GraphBefore& before,
                                     bool infers_all, const Progress& progress) {
    const StayingNodes staying = types_concerned(line) == TypesConcerned::of_edges
                                     ? StayingNodes::rewired
                                     : StayingNodes::changed;
    if (!infers_all && infer_changed_types(model, before, staying)) return {};
    return infer_and_judge(model, progress);
}

EditEffect effect_of(std::size_t form) { return edit_verbs()[form].effect; }

/// A line adds no second node of a name: nodes whose names are taken get fresh ones.
void keep_names_apart(EditContext& context, const RepeatedNames& repeated,
                      const GraphBefore& before) {
    if (context.is_begun()) context.edit().finish();  // erased nodes leave the list
    const std::vector<NodeId> nodes = nodes_of_repeated_names(context.graph(), repeated, before);
    if (nodes.empty()) return;
    give_fresh_names(context.edit(), nodes);
    context.note(std::to_string(nodes.size()) + (nodes.size() == 1 ? " node" : " nodes") +
                 " whose names were taken got names with a number behind.");
}

/// Applies a line and returns the problems of the model after it.
std::vector<EditProblem> apply_line(Model& model, const EditScript& script, const EditLine& line,
                                    const EditOptions& options, EditReport& report,
                                    const Progress& progress) {
    progress.cancel.throw_if_cancelled();
    EditLineReport& said = report.lines.emplace_back();
    said.line = line.line;
    said.text = line.text;
    const std::size_t form = find_edit_form(line);
    said.keeps_results = effect_of(form) == EditEffect::keeps;
    const GraphBefore before(model.graph);
    const RepeatedNames repeated = repeated_node_names(model.graph);
    const bool is_of_body = line.verb == "in";
    const std::vector<Warning> body_faults =
        is_of_body ? take_body_faults(model) : std::vector<Warning>();
    bool infers_all = false;
    {
        EditContext context(model, script, line, options, said, progress);
        const auto arguments = match_form(edit_verbs()[form].form, line.arguments);
        call_edit_verb(form, context, *arguments);
        keep_names_apart(context, repeated, before);
        if (context.is_begun()) context.edit().record(line.text);
        std::ranges::move(context.parts(), std::back_inserter(report.parts));
        infers_all = context.infers_all();
    }
    std::vector<EditProblem> problems;
    const bool was_valid = report.problems.empty();
    if (!was_valid || types_concerned(line) != TypesConcerned::none)
        problems = infer_after(line, model, before, infers_all || !was_valid, progress);
    if (is_of_body)
        std::ranges::move(problems_of_bodies(model, body_faults), std::back_inserter(problems));
    verify(model, progress.cancel);
    report_difference(model.graph, before, said);
    return problems;
}

}  // namespace

EditReport apply_edits(Model& model, const EditScript& script, const EditOptions& options,
                       const Progress& progress) {
    Model edited = copy_model(model, progress.cancel);
    EditReport report;
    report.nodes_before = model.graph.node_count();
    for (std::size_t i = 0; i < script.lines.size(); ++i) {
        const EditLine& line = script.lines[i];
        progress.step("edit", static_cast<double>(i) / static_cast<double>(script.lines.size()));
        try {
            std::vector<EditProblem> problems =
                apply_line(edited, script, line, options, report, progress);
            EditLineReport& said = report.lines.back();
            std::ranges::copy_if(
                problems, std::back_inserter(said.problems), [&](const EditProblem& problem) {
                    return std::ranges::find(report.problems, problem) == report.problems.end();
                });
            if (options.strict && !problems.empty())
                fail_input("leaves the model invalid: " +
                           (problems.front().node.empty() ? "" : problems.front().node + ": ") +
                           problems.front().reason);
            report.problems = std::move(problems);
        } catch (Error& error) {
            if (error.code() == ErrorCode::cancelled || error.code() == ErrorCode::internal) throw;
            Error named(ErrorCode::invalid_input, error.message());
            for (auto place = error.where().rbegin(); place != error.where().rend(); ++place)
                named.at(*place);
            named.at("line " + std::to_string(line.line) + " (" + quote(line.text) + ")");
            throw named;
        }
        report.keeps_results = report.keeps_results && report.lines.back().keeps_results;
    }
    report.nodes_after = edited.graph.node_count();
    if (!options.dry_run) model = std::move(edited);
    return report;
}

std::vector<EditProblem> find_edit_problems(const Model& model, const Progress& progress) {
    Model copy = copy_model(model, progress.cancel);
    return infer_and_judge(copy, progress);
}

}  // namespace lapidary
