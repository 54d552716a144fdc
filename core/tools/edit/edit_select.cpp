// SPDX-License-Identifier: Apache-2.0
#include <lapidary/edit/edit_select.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_script.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/internal/nearest_name.h>

#include "edit/edit_words.h"

namespace lapidary {
namespace {

constexpr std::size_t named_matches = 5;

/// One term of a selection: "op:Cast", "conv*", "!reads:mask".
struct SelectionTerm {
    std::string property;  // "op", "scope", "writes", "reads", "index", "of"; empty: the name
    std::string pattern;   // without quotes
    bool is_literal = false;
    bool is_negated = false;

    bool fits(std::string_view text) const {
        return text == pattern || (!is_literal && matches_pattern(text, pattern));
    }
    /// Stands for one node or value alone.
    bool names_one() const {
        return property.empty() && !is_negated &&
               (is_literal || pattern.find_first_of("*?") == std::string::npos);
    }
};

SelectionTerm term_of(std::string_view word, std::initializer_list<std::string_view> properties) {
    SelectionTerm term;
    if (word.starts_with('!')) {
        term.is_negated = true;
        word.remove_prefix(1);
        if (word.starts_with('!'))
            fail_input(
                "expected one ! before a name or a pattern, found more; a name that begins "
                "with ! stands in quotes");
    }
    for (const std::string_view property : properties)
        if (word.size() > property.size() && word.starts_with(property) &&
            word[property.size()] == ':') {
            term.property = property;
            word.remove_prefix(property.size() + 1);
            break;
        }
    term.is_literal = is_quoted_word(word);
    term.pattern = unquoted_word(word);
    if (term.pattern.empty() && !term.is_literal)
        fail_input("expected a name or a pattern, found nothing");
    return term;
}

std::vector<SelectionTerm> terms_of(std::string_view selection,
                                    std::initializer_list<std::string_view> properties) {
    std::vector<SelectionTerm> terms;
    bool expects_term = true;
    for (const std::string& word : split_edit_words(selection)) {
        if ((word == "&") == expects_term)
            fail_input("expected names or patterns with & between them, found " + quote(selection));
        if (expects_term) terms.push_back(term_of(word, properties));
        expects_term = !expects_term;
    }
    if (expects_term) fail_input("expected a name or a pattern, found " + quote(selection));
    return terms;
}

/// "a, op:Cast & reads:b" has two parts.
std::vector<std::string> parts_of(std::string_view selection) {
    std::vector<std::string> parts(1);
    for (const std::string& word : split_edit_words(selection)) {
        if (word == ",") parts.emplace_back();
        else parts.back() += (parts.back().empty() ? "" : " ") + word;
    }
    return parts;
}

std::vector<SelectionTerm> node_terms(std::string_view selection) {
    return terms_of(selection, {"op", "scope", "writes", "reads", "index"});
}

/// Whether the name lies in a scope that fits the pattern: "/a/b/c" in "a/b", "a/*".
bool is_in_scope(std::string_view name, const SelectionTerm& term) {
    std::string_view scope = term.pattern;
    const auto without_slash = [](std::string_view text) {
        return text.starts_with('/') ? text.substr(1) : text;
    };
    scope = without_slash(scope);
    if (scope.ends_with("/*")) scope.remove_suffix(2);
    name = without_slash(name);
    for (std::size_t end = 0; end <= name.size(); ++end) {
        if (end < name.size() && name[end] != '/' && name[end] != '.') continue;
        const std::string_view outer = name.substr(0, end);
        if (outer == scope || (!term.is_literal && matches_pattern(outer, scope))) return true;
    }
    return false;
}

bool any_value_fits(const Graph& graph, const std::vector<ValueId>& values,
                    const SelectionTerm& term) {
    return std::ranges::any_of(values,
                               [&](ValueId id) { return id && term.fits(graph.value(id).name); });
}

bool fits_node(const Graph& graph, const Node& node, const SelectionTerm& term) {
    if (term.property.empty()) return term.fits(node.name);
    if (term.property == "op") return term.fits(node.op_type) || term.fits(node.qualified_op());
    if (term.property == "scope") return is_in_scope(node.name, term);
    if (term.property == "writes") return any_value_fits(graph, node.outputs, term);
    if (term.property == "reads")
        return any_value_fits(graph, node.inputs, term) ||
               any_value_fits(graph, node.captures, term);
    return term.pattern == std::to_string(node.id.index);
}

std::vector<std::string> node_candidates(const Graph& graph, const SelectionTerm& term) {
    std::vector<std::string> names;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (term.property == "op") names.push_back(node.qualified_op());
        else if (!node.name.empty()) names.push_back(node.name);
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

/// How a line reaches the first node of that name in a body; empty: none has it.
std::string place_in_bodies(const Graph& graph, const std::string& name) {
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        for (const Attribute& attribute : node.attributes) {
            const auto* body = std::get_if<GraphPtr>(&attribute.value);
            if (body == nullptr || !*body) continue;
            const std::string word =
                node.name.empty() ? "index:" + std::to_string(id.index) : edit_word(node.name);
            const std::string way = "in " + word + "." + attribute.name + " ";
            for (const NodeId inner : (*body)->nodes())
                if ((*body)->node(inner).name == name) return way;
            if (const std::string further = place_in_bodies(**body, name); !further.empty())
                return way + further;
        }
    }
    return {};
}

std::string no_node_text(const Graph& graph, std::string_view selection,
                         const std::vector<SelectionTerm>& terms) {
    std::string text = "no node of the graph matches " + quote(selection);
    const SelectionTerm& first = terms.front();
    if (terms.size() == 1 && first.property.empty() && graph.find_value(first.pattern))
        return text + "; a value has that name: writes:" + edit_word(first.pattern) +
               " is the node that writes it";
    if (terms.size() == 1 && first.names_one())
        if (const std::string way = place_in_bodies(graph, first.pattern); !way.empty())
            return text + "; a body has such a node: begin the line with `" + way + "`";
    if (terms.size() == 1 && (first.property.empty() || first.property == "op"))
        text += did_you_mean(first.pattern, node_candidates(graph, first));
    return text;
}

template <typename Describe, typename Ids>
std::string first_of(const Ids& ids, const Describe& describe) {
    std::string text;
    for (std::size_t i = 0; i < std::min(ids.size(), named_matches); ++i)
        text += (i == 0 ? "" : ", ") + describe(ids[i]);
    if (ids.size() > named_matches)
        text += " and " + std::to_string(ids.size() - named_matches) + " more";
    return text;
}

std::string describe_nodes(const Graph& graph, const std::vector<NodeId>& nodes) {
    return first_of(nodes, [&](NodeId id) {
        return graph.node(id).describe() + " (index:" + std::to_string(id.index) + ")";
    });
}

std::vector<std::string> value_names(const Graph& graph) {
    std::vector<std::string> names;
    for (const ValueId id : graph.values()) names.push_back(graph.value(id).name);
    return names;
}

/// What one part of a selection names.
std::vector<NodeId> nodes_of_part(const Graph& graph, std::string_view selection) {
    const std::vector<SelectionTerm> terms = node_terms(selection);
    std::vector<NodeId> nodes;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (std::ranges::all_of(terms, [&](const SelectionTerm& term) {
                return fits_node(graph, node, term) != term.is_negated;
            }))
            nodes.push_back(id);
    }
    if (nodes.empty()) fail_input(no_node_text(graph, selection, terms));
    if (nodes.size() > 1 && std::ranges::any_of(terms, &SelectionTerm::names_one))
        fail_input(std::to_string(nodes.size()) + " nodes are called " + quote(selection) +
                   ", expected one: " + describe_nodes(graph, nodes));
    return nodes;
}

std::vector<ValueId> values_of_part(const Graph& graph, std::string_view selection) {
    const std::vector<SelectionTerm> terms = terms_of(selection, {"of"});
    std::vector<ValueId> values;
    const auto fits = [&](const Value& value, const SelectionTerm& term) {
        if (term.property.empty()) return term.fits(value.name);
        if (!value.producer) return false;
        const SelectionTerm inner =
            node_terms(term.is_literal ? edit_word(term.pattern) : term.pattern).front();
        return fits_node(graph, graph.node(value.producer), inner) != inner.is_negated;
    };
    if (terms.size() == 1 && terms.front().names_one()) {
        if (const ValueId id = graph.find_value(terms.front().pattern)) return {id};
    } else {
        for (const ValueId id : graph.values())
            if (std::ranges::all_of(terms, [&](const SelectionTerm& term) {
                    return fits(graph.value(id), term) != term.is_negated;
                }))
                values.push_back(id);
    }
    if (values.empty())
        fail_input("no value of the graph matches " + quote(selection) +
                   (terms.size() == 1 && terms.front().property.empty()
                        ? did_you_mean(terms.front().pattern, value_names(graph))
                        : std::string()));
    return values;
}

/// In the order of the graph, each once.
std::vector<NodeId> joined_parts(const Graph& graph, std::vector<NodeId> ids) {
    const std::set<NodeId> named(ids.begin(), ids.end());
    ids.clear();
    std::ranges::copy_if(graph.nodes(), std::back_inserter(ids),
                         [&](NodeId id) { return named.contains(id); });
    return ids;
}

}  // namespace

std::vector<NodeId> select_nodes(const Graph& graph, std::string_view selection) {
    const std::vector<std::string> parts = parts_of(selection);
    std::vector<NodeId> nodes;
    for (const std::string& part : parts) {
        const std::vector<NodeId> more = nodes_of_part(graph, part);
        nodes.insert(nodes.end(), more.begin(), more.end());
    }
    return parts.size() == 1 ? nodes : joined_parts(graph, std::move(nodes));
}

NodeId select_node(const Graph& graph, std::string_view selection) {
    const std::vector<NodeId> nodes = select_nodes(graph, selection);
    if (nodes.size() > 1)
        fail_input("expected one node, " + quote(selection) + " matches " +
                   std::to_string(nodes.size()) + ": " + describe_nodes(graph, nodes));
    return nodes.front();
}

std::vector<ValueId> select_values(const Graph& graph, std::string_view selection) {
    const std::vector<std::string> parts = parts_of(selection);
    std::vector<ValueId> values;
    for (const std::string& part : parts) {
        const std::vector<ValueId> more = values_of_part(graph, part);
        values.insert(values.end(), more.begin(), more.end());
    }
    if (parts.size() == 1) return values;
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

ValueId select_value(const Graph& graph, std::string_view selection) {
    const std::vector<ValueId> values = select_values(graph, selection);
    if (values.size() > 1)
        fail_input("expected one value, " + quote(selection) + " matches " +
                   std::to_string(values.size()) + ": " +
                   first_of(values, [&](ValueId id) { return quote(graph.value(id).name); }));
    return values.front();
}

}  // namespace lapidary
