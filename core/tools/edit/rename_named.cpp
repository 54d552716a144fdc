// SPDX-License-Identifier: Apache-2.0
// rename node|value|input|output|scope FROM -> TO
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_select.h>
#include <lapidary/internal/nearest_name.h>

#include "edit/edit_verb_functions.h"
#include "edit/edit_words.h"

namespace lapidary::verbs {
namespace {

/// A name and its new one by a pattern in which each * stands for any text.
class NewName {
public:
    NewName(const std::string& from, const std::string& to)
        : from_(unquoted_word(from)), to_(unquoted_word(to)),
          is_literal_(is_quoted_word(from) || from_.find('*') == std::string::npos),
          takes_parts_(!is_quoted_word(to) && to_.find('*') != std::string::npos) {
        if (to_.empty()) fail_input("expected a name behind ->, found an empty one");
        const auto stars = [](const std::string& text) { return std::ranges::count(text, '*'); };
        if (!is_literal_ && takes_parts_ && stars(to_) > stars(from_))
            fail_input(quote(to) + " has more * than " + quote(from));
    }

    const std::string& from() const { return from_; }
    bool names_one() const { return is_literal_; }
    /// Whether the new name has parts of the old one.
    bool takes_parts() const { return takes_parts_; }
    std::optional<std::string> of(std::string_view name) const {
        if (is_literal_) return name == from_ ? std::optional(to_) : std::nullopt;
        std::vector<std::string_view> parts;
        if (!collect(name, from_, parts)) return std::nullopt;
        std::string result;
        std::size_t next = 0;
        for (const char c : to_)
            if (c == '*' && takes_parts_) result += parts[next++];
            else result += c;
        return result;
    }

private:
    /// What each * of the pattern stands for, the shortest text first.
    static bool collect(std::string_view text, std::string_view pattern,
                        std::vector<std::string_view>& parts) {
        const std::size_t star = pattern.find('*');
        if (star == std::string_view::npos) return text == pattern;
        if (text.substr(0, star) != pattern.substr(0, star)) return false;
        text.remove_prefix(star);
        pattern.remove_prefix(star + 1);
        if (pattern.empty()) {
            parts.push_back(text);
            return true;
        }
        const std::string_view next = pattern.substr(0, pattern.find('*'));
        if (next.size() == pattern.size()) {  // the last part stands at the end
            if (!text.ends_with(next)) return false;
            parts.push_back(text.substr(0, text.size() - next.size()));
            return true;
        }
        const std::size_t end = text.find(next);
        if (end == std::string_view::npos) return false;
        parts.push_back(text.substr(0, end));
        return collect(text.substr(end), pattern, parts);
    }

    std::string from_, to_;
    bool is_literal_, takes_parts_;
};

void refuse_none(const std::string& kind, const std::string& from,
                 const std::vector<std::string>& known) {
    fail_input("no " + kind + " is called " + quote(from) + did_you_mean(from, known));
}

void rename_values(EditContext& context, const std::string& kind, const NewName& name) {
    const Graph& graph = context.graph();
    std::vector<ValueId> ids = graph.values();
    if (kind == "input") ids.assign(graph.inputs().begin(), graph.inputs().end());
    if (kind == "output") ids.assign(graph.outputs().begin(), graph.outputs().end());
    std::vector<std::pair<ValueId, std::string>> renamed;
    std::vector<std::string> known;
    for (const ValueId id : ids) {
        known.push_back(graph.value(id).name);
        const auto found = name.of(graph.value(id).name);
        if (found && std::ranges::none_of(renamed, [&](auto& r) { return r.first == id; }))
            renamed.emplace_back(id, *found);
    }
    if (renamed.empty()) refuse_none(kind, name.from(), known);
    for (const auto& [id, to] : renamed) {
        if (graph.value(id).name == to) continue;
        if (to.empty()) fail_input("a value would have an empty name");
        if (const ValueId other = graph.find_value(to))
            fail_input("a value is called " + quote(to) + " already: the new name of " +
                       quote(graph.value(id).name) + " has to be free");
        context.edit().rename(id, to);
    }
    if (kind != "value" || context.is_of_body()) return;
    for (const auto& [id, to] : renamed)
        if (graph.value(id).kind == ValueKind::input || graph.value(id).output_uses > 0)
            context.note(quote(to) + " is an input or output of the model: programs call it so.");
}

/// Nodes and their new names.
using RenamedNodes = std::vector<std::pair<NodeId, std::string>>;

/// Renames the nodes at once: a name that another of them had is free. Nodes that had one name
/// before may have one new name here.
void rename_each(EditContext& context, const RenamedNodes& renamed) {
    const Graph& graph = context.graph();
    std::map<std::string, NodeId> owners;  // new name -> node
    for (const auto& [id, to] : renamed) {
        const std::string& old = graph.node(id).name;
        if (to.empty()) continue;
        const auto [owner, is_free] = owners.emplace(to, id);
        const std::string& other = graph.node(owner->second).name;
        if (!is_free && (old.empty() || other != old))
            fail_input(quote(other) + " and " + quote(old) + " would both be called " + quote(to) +
                       ": names of nodes have to differ");
    }
    std::set<NodeId> moved;
    for (const auto& [id, to] : renamed) moved.insert(id);
    for (const NodeId id : graph.nodes()) {
        const auto owner = owners.find(graph.node(id).name);
        if (owner == owners.end() || moved.contains(id)) continue;
        fail_input("a node is called " + quote(owner->first) + " already: the new name of " +
                   quote(graph.node(owner->second).name) + " has to be free");
    }
    for (const auto& [id, to] : renamed)
        if (graph.node(id).name != to) context.edit().rename(id, to);
}

void rename_nodes(EditContext& context, const NewName& name) {
    const Graph& graph = context.graph();
    RenamedNodes renamed;
    std::vector<std::string> known;
    for (const NodeId id : graph.nodes()) {
        if (graph.node(id).name.empty() && !name.names_one()) continue;
        known.push_back(graph.node(id).name);
        if (const auto to = name.of(graph.node(id).name)) renamed.emplace_back(id, *to);
    }
    if (renamed.empty()) refuse_none("node", name.from(), known);
    if (name.names_one() && renamed.size() > 1)
        fail_input(std::to_string(renamed.size()) + " nodes are called " + quote(name.from()) +
                   ", expected one");
    rename_each(context, renamed);
}

/// Whether the word names nodes by what they are, such as "op:Gemm", and not by their names.
bool is_property(const std::string& word) {
    constexpr std::array<std::string_view, 4> properties{"op:", "scope:", "writes:", "reads:"};
    return std::ranges::any_of(properties,
                               [&](std::string_view begin) { return word.starts_with(begin); });
}

/// Nodes by a property: a * of the new name is the whole old one.
void rename_selected(EditContext& context, const std::string& from, const std::string& to) {
    const Graph& graph = context.graph();
    const NewName name("*", to);
    RenamedNodes renamed;
    for (const NodeId id : select_nodes(graph, from)) {
        const std::string& old = graph.node(id).name;
        if (!old.empty() || !name.takes_parts()) renamed.emplace_back(id, *name.of(old));
    }
    if (renamed.empty())
        fail_input("no node that matches " + quote(from) + " has a name for the * in " + quote(to) +
                   ": `rename node index:N -> NAME` gives one");
    rename_each(context, renamed);
}

void rename_scope(EditContext& context, std::string from, const std::string& to) {
    const Graph& graph = context.graph();
    while (from.ends_with('/')) from.pop_back();
    RenamedNodes renamed;
    for (const NodeId id : graph.nodes()) {
        const std::string name = graph.node(id).name;
        const std::size_t skipped = name.starts_with('/') && !from.starts_with('/') ? 1 : 0;
        const std::string_view inner = std::string_view(name).substr(skipped);
        if (!inner.starts_with(from) || inner.size() <= from.size() ||
            (inner[from.size()] != '/' && inner[from.size()] != '.'))
            continue;
        std::string changed = name.substr(0, skipped) + to;
        changed += inner.substr(from.size());
        renamed.emplace_back(id, std::move(changed));
    }
    if (renamed.empty()) fail_input("no node has a name within the scope " + quote(from));
    rename_each(context, renamed);
}

}  // namespace

void rename_named(EditContext& context, const EditArguments& arguments) {
    const std::string& from = arguments.word("FROM");
    const std::string& to = arguments.word("TO");
    if (arguments.has("scope")) {
        rename_scope(context, unquoted_word(from), unquoted_word(to));
        return;
    }
    const NewName name(from, to);
    const bool is_number = from.starts_with("index:") && !is_quoted_word(from);
    if (arguments.has("node") && is_number)  // of a node without a name
        rename_each(context, {{select_node(context.graph(), from), unquoted_word(to)}});
    else if (arguments.has("node") && is_property(from)) rename_selected(context, from, to);
    else if (arguments.has("node")) rename_nodes(context, name);
    else
        rename_values(context,
                      arguments.has("input")    ? "input"
                      : arguments.has("output") ? "output"
                                                : "value",
                      name);
}

}  // namespace lapidary::verbs
