// SPDX-License-Identifier: Apache-2.0
#include "edit/edit_context.h"

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_select.h>

#include "ops/schemas/schema.h"

namespace lapidary {

EditContext::EditContext(Model& model, const EditScript& script, const EditLine& line,
                         const EditOptions& options, EditLineReport& report,
                         const Progress& progress)
    : model_(model), script_(script), line_(line), options_(options), report_(report),
      progress_(progress) {}

GraphEdit& EditContext::edit() {
    if (!edit_) {
        edit_.emplace(model_.graph, "edit");
        edit_->set_default_version(model_.opset());
    }
    return *edit_;
}

Model& EditContext::whole_model() {
    if (has_unrecorded()) edit_->record(line_.text);
    edit_.reset();
    infers_all_ = true;
    return model_;
}

EditContext EditContext::inside(Model& body, const EditLine& line) const {
    return EditContext(body, script_, line, options_, report_, progress_);
}

std::vector<NodeId> EditContext::nodes(const EditArguments& arguments, std::string_view place) {
    std::vector<NodeId> nodes = select_nodes(graph(), arguments.selection(place));
    report_.nodes_matched += nodes.size();
    return nodes;
}

NodeId EditContext::node(const EditArguments& arguments, std::string_view place) {
    const NodeId node = select_node(graph(), arguments.selection(place));
    ++report_.nodes_matched;
    return node;
}

std::vector<ValueId> EditContext::values(const EditArguments& arguments, std::string_view place) {
    std::vector<ValueId> values = select_values(graph(), arguments.selection(place));
    report_.values_matched += values.size();
    return values;
}

ValueId EditContext::value(const EditArguments& arguments, std::string_view place) {
    const ValueId value = select_value(graph(), arguments.selection(place));
    ++report_.values_matched;
    return value;
}

std::filesystem::path EditContext::file(const std::string& name) const {
    if (name.empty()) fail_input("expected the name of a file, found an empty one");
    const std::filesystem::path path(name);
    return path.is_relative() && !script_.folder.empty() ? script_.folder / path : path;
}

std::int64_t EditContext::import_version(const std::string& domain) {
    if (const auto found = model_.opset_imports.find(domain); found != model_.opset_imports.end())
        return found->second;
    const std::int64_t newest = newest_version(domain);
    if (newest == 0) fail_input("no operator of the domain " + quote(domain) + " is known");
    if (domain.empty()) fail_input("the model imports no opset of ai.onnx");
    model_.opset_imports[domain] = newest;
    return newest;
}

void EditContext::note(std::string sentence) { report_.notes.push_back(std::move(sentence)); }

void EditContext::add_part(std::filesystem::path file, Model model) {
    parts_.push_back({std::move(file), std::make_shared<const Model>(std::move(model))});
}

}  // namespace lapidary
