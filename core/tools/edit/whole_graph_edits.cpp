// SPDX-License-Identifier: Apache-2.0
// extract NODES, dim NAME = SIZE, opset VERSION
#include <charconv>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/export/extract.h>
#include <lapidary/internal/nearest_name.h>

#include "edit/edit_verb_functions.h"
#include "passes/opset/convert_opset.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
PassBody override_free_dimensions();  // the pass behind --dim
}  // namespace lapidary::passes

namespace lapidary::verbs {
namespace {

std::int64_t whole_number(const std::string& text, const char* what) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0)
        fail_input(std::string("expected ") + what + ", found " + quote(text));
    return number;
}

}  // namespace

void extract_selected(EditContext& context, const EditArguments& arguments) {
    const std::vector<NodeId> nodes = context.nodes(arguments);
    Model part = extract_nodes(context.model(), nodes, context.progress());
    context.whole_model() = std::move(part);
}

void fix_dimension(EditContext& context, const EditArguments& arguments) {
    const std::string name = arguments.text("NAME");
    const std::int64_t size = whole_number(arguments.text("SIZE"), "a size of at least 0");
    std::set<std::string> known;
    for (const ValueId id : context.graph().inputs())
        if (const auto& shape = context.graph().value(id).type.shape)
            for (const Dim& dim : *shape)
                if (dim.is_symbolic()) known.insert(dim.symbol());
    if (!known.contains(name)) {
        std::string list;
        for (const std::string& each : known) list += (list.empty() ? "" : ", ") + quote(each);
        fail_input("no input has a dimension " + quote(name) +
                   "; there are: " + (list.empty() ? "none" : list));
    }
    OptimizeOptions options;
    options.free_dimensions[name] = size;
    passes::override_free_dimensions().run_model(context.whole_model(), options,
                                                 context.progress().cancel);
}

void change_opset(EditContext& context, const EditArguments& arguments) {
    const std::int64_t version = whole_number(arguments.text("VERSION"), "an opset");
    const std::int64_t found = context.model().opset();
    if (version == found) fail_input("the model is of opset " + std::to_string(found) + " already");
    convert_opset(context.whole_model(), version, context.progress());
    context.note("Converted from opset " + std::to_string(found) + " to " +
                 std::to_string(version) + ".");
}

}  // namespace lapidary::verbs
