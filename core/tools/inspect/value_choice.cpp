// SPDX-License-Identifier: Apache-2.0
#include "inspect/value_choice.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "exec/plan/planned_copies.h"
#include "inspect/memory_copies.h"

namespace lapidary {
namespace {

/// True for "/layer1/conv" and "/layer1" in scope "/layer1", but not for "/layer10/conv".
bool is_within(const std::string& name, const std::string& scope) {
    return name.starts_with(scope) && (name.size() == scope.size() || scope.ends_with('/') ||
                                       name[scope.size()] == '/' || name[scope.size()] == '.');
}

bool is_pattern(const std::string& text) { return text.find_first_of("*?") != std::string::npos; }

/// True where the text is the name, with or without its path, or a pattern of it.
bool is_name(const std::string& text, const std::string& name, const std::string& path) {
    if (text == name || (!path.empty() && text == path + name)) return true;
    return is_pattern(text) &&
           (matches_pattern(name, text) || (!path.empty() && matches_pattern(path + name, text)));
}

/// True where one of the texts that nothing has as its name is the end of this one, behind a slash.
/// Marks it as found.
bool is_end_of(const std::string& name, const std::vector<std::string>& texts,
               const std::vector<std::uint8_t>& was_found, std::vector<std::uint8_t>& found) {
    bool is_any = false;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (was_found[i] || texts[i].empty() || !name.ends_with("/" + texts[i])) continue;
        found[i] = 1;
        is_any = true;
    }
    return is_any;
}

std::string step_name(const Node& node) {
    return node.name.empty() ? node.op_type + "_" + std::to_string(node.id.index) : node.name;
}

}  // namespace

bool matches_pattern(std::string_view text, std::string_view pattern) {
    // Where the last * stands, and how much of the text it stands for so far.
    std::size_t at = 0, t = 0, star = std::string_view::npos, taken = 0;
    while (t < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            taken = t;
        } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[t])) {
            ++at;
            ++t;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            t = ++taken;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*') ++at;
    return at == pattern.size();
}

void for_each_body(const Graph& graph, const std::string& path,
                   const std::function<void(const Graph&, const std::string& path)>& visit) {
    visit(graph, path);
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        for (const Attribute& attribute : node.attributes)
            if (const auto* body = std::get_if<GraphPtr>(&attribute.value); body && *body)
                for_each_body(**body, path + step_name(node) + "/" + attribute.name + "/", visit);
    }
}

std::optional<std::string> path_of_body(const Graph& main, const Graph& body) {
    std::optional<std::string> found;
    for_each_body(main, "", [&](const Graph& graph, const std::string& path) {
        if (&graph == &body) found = path;
    });
    return found;
}

ChosenValues::ChosenValues(const Graph& main, const ValueChoice& choice)
    : choice_(choice), found_values_(choice.values.size()), found_nodes_(choice.nodes.size()),
      found_scopes_(choice.scopes.size()) {
    for_each_body(main, "",
                  [&](const Graph& graph, const std::string& path) { choose(graph, path); });
    const auto is_all = [](const std::vector<std::uint8_t>& found) {
        return std::ranges::find(found, 0) == found.end();
    };
    if (!is_all(found_values_) || !is_all(found_nodes_)) choose_by_ends(main);
    require_all_found();
}

void ChosenValues::choose_by_ends(const Graph& main) {
    const std::vector<std::uint8_t> values = found_values_, nodes = found_nodes_;
    for_each_body(main, "", [&](const Graph& graph, const std::string&) {
        std::vector<std::uint8_t>& chosen = chosen_[&graph];
        for (ValueId id : graph.values()) {
            const Value& value = graph.value(id);
            if (value.kind == ValueKind::captured || value_of_model(graph, id) != id ||
                !is_end_of(value.name, choice_.values, values, found_values_))
                continue;
            chosen[id.index] = 1;
            if (value.kind != ValueKind::initializer) needs_run_ = true;
        }
        for (NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (is_copy(node) || !is_end_of(node.name, choice_.nodes, nodes, found_nodes_))
                continue;
            needs_run_ = true;
            for (ValueId output : node.outputs)
                if (output) chosen[value_of_model(graph, output).index] = 1;
        }
    });
}

void ChosenValues::choose(const Graph& graph, const std::string& path) {
    std::vector<std::uint8_t>& chosen = chosen_[&graph];
    chosen.assign(graph.value_slots(), 0);
    for (ValueId id : graph.values()) {
        const Value& value = graph.value(id);
        if (value.kind == ValueKind::captured) continue;
        if (value_of_model(graph, id) != id) continue;  // the same on a device
        value_names_.push_back(path + value.name);
        chosen[id.index] = is_chosen(value.name, path);
        if (chosen[id.index] && value.kind != ValueKind::initializer) needs_run_ = true;
    }
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (is_copy(node)) continue;
        node_names_.push_back(path + node.name);
        if (!is_chosen(node, path)) continue;
        needs_run_ = true;
        for (ValueId output : node.outputs)
            if (output) chosen[value_of_model(graph, output).index] = 1;
    }
}

bool ChosenValues::is_chosen(const std::string& name, const std::string& path) {
    bool is_any = false;
    for (std::size_t i = 0; i < choice_.values.size(); ++i) {
        if (!is_name(choice_.values[i], name, path)) continue;
        found_values_[i] = 1;
        is_any = true;
    }
    return is_any;
}

bool ChosenValues::is_chosen(const Node& node, const std::string& path) {
    bool is_any = false;
    for (std::size_t i = 0; i < choice_.nodes.size(); ++i) {
        if (!is_name(choice_.nodes[i], node.name, path)) continue;
        found_nodes_[i] = 1;
        is_any = true;
    }
    for (std::size_t i = 0; i < choice_.scopes.size(); ++i) {
        const std::string& scope = choice_.scopes[i];
        if (!is_within(node.name, scope) && (path.empty() || !is_within(path + node.name, scope)))
            continue;
        found_scopes_[i] = 1;
        is_any = true;
    }
    return is_any;
}

void ChosenValues::require_all_found() const {
    for (std::size_t i = 0; i < found_values_.size(); ++i)
        if (!found_values_[i])
            fail_input("the model has no value " + quote(choice_.values[i]) +
                       did_you_mean(choice_.values[i], value_names_));
    for (std::size_t i = 0; i < found_nodes_.size(); ++i)
        if (!found_nodes_[i])
            fail_input("the model has no node " + quote(choice_.nodes[i]) +
                       did_you_mean(choice_.nodes[i], node_names_));
    for (std::size_t i = 0; i < found_scopes_.size(); ++i)
        if (!found_scopes_[i])
            fail_input("no node of the model has a name within " + quote(choice_.scopes[i]));
}

}  // namespace lapidary
