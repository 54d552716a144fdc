// SPDX-License-Identifier: Apache-2.0
// output VALUES, remove output NAMES, remove input NAMES, keep outputs NAMES
#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "edit/edit_verb_functions.h"
#include "edit/unused_parts.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
PassBody prune_outputs();  // the pass behind --keep-output
}  // namespace lapidary::passes

namespace lapidary::verbs {
namespace {

std::vector<std::string> names_of(const Graph& graph, std::span<const ValueId> ids) {
    std::vector<std::string> names;
    for (const ValueId id : ids) names.push_back(graph.value(id).name);
    return names;
}

void require_known(const std::string& kind, const std::vector<std::string>& wanted,
                   const std::vector<std::string>& known) {
    for (const std::string& name : wanted)
        if (std::ranges::find(known, name) == known.end()) {
            std::string list;
            for (const std::string& each : known) list += (list.empty() ? "" : ", ") + quote(each);
            fail_input("the model has no " + kind + " " + quote(name) +
                       "; there are: " + (list.empty() ? "none" : list));
        }
}

/// As the option --keep-output does, and without the nodes that only the others needed.
void keep_these(EditContext& context, const std::vector<std::string>& kept) {
    const std::vector<ValueId> before(context.graph().outputs().begin(),
                                      context.graph().outputs().end());
    OptimizeOptions options;
    options.keep_outputs = kept;
    passes::prune_outputs().run_model(context.whole_model(), options, context.progress().cancel);
    const std::size_t erased = erase_unused_producers(context.edit(), before);
    if (erased > 0)
        context.note(std::to_string(erased) + (erased == 1 ? " node" : " nodes") +
                     " went with the outputs.");
}

}  // namespace

void expose_output(EditContext& context, const EditArguments& arguments) {
    const Graph& graph = context.graph();
    for (const ValueId id : context.values(arguments)) {
        const Value& value = graph.value(id);
        if (value.output_uses > 0)
            fail_input(quote(value.name) + " is an output of the model already");
        if (value.kind != ValueKind::node_output)
            fail_input(quote(value.name) +
                       " is not written by a node, expected an inner value: an Identity on it "
                       "makes one");
        context.edit().add_output(id);
    }
}

void remove_outputs(EditContext& context, const EditArguments& arguments) {
    const std::vector<std::string> removed = arguments.list("NAMES");
    std::vector<std::string> kept = names_of(context.graph(), context.graph().outputs());
    require_known("output", removed, kept);
    std::erase_if(kept, [&](const std::string& name) {
        return std::ranges::find(removed, name) != removed.end();
    });
    if (kept.empty()) fail_input("the model would have no output");
    keep_these(context, kept);
}

void keep_outputs(EditContext& context, const EditArguments& arguments) {
    const std::vector<std::string> kept = arguments.list("NAMES");
    require_known("output", kept, names_of(context.graph(), context.graph().outputs()));
    keep_these(context, kept);
}

void remove_inputs(EditContext& context, const EditArguments& arguments) {
    const Graph& graph = context.graph();
    const std::vector<std::string> removed = arguments.list("NAMES");
    require_known("input", removed, names_of(graph, graph.inputs()));
    for (const std::string& name : removed) {
        const ValueId id = graph.find_value(name);
        if (!id) fail_input("the input " + quote(name) + " is named twice");
        const Value& value = graph.value(id);
        if (!value.uses.empty())
            fail_input("the input " + quote(name) + " is read by " +
                       graph.node(value.uses.front().node).describe() +
                       (value.uses.size() > 1
                            ? " and " + std::to_string(value.uses.size() - 1) + " more"
                            : ""));
        if (!value.is_unused())
            fail_input("the input " + quote(name) +
                       " is read in a subgraph, or is an output of the model");
        context.edit().remove_input(id);
    }
}

}  // namespace lapidary::verbs
