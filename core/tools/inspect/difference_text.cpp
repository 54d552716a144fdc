// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/difference_text.h>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/internal/shown_text.h>

namespace lapidary {
namespace {

// Characters of a phrase on what differs about two nodes.
constexpr std::size_t most_of_phrase = 400;

std::string value_text(const ValuePair& value) {
    const std::string a = quote(value.path + value.name_a);
    return value.name_a == value.name_b ? a : a + " of A, " + quote(value.name_b) + " of B";
}

std::string matching_text(const Divergence& divergence) {
    std::map<std::string, std::int64_t> by;
    for (const ValuePair& value : divergence.values) ++by[value.matched_by];
    std::string text = count_text(std::ssize(divergence.values), "value") + " compared";
    const char* separator = ": ";
    for (const auto& [how, count] : by) {
        text += fmt::format("{}{} matched by {}", separator, count, how);
        separator = ", ";
    }
    return text + fmt::format("; nodes without a counterpart: {} of A, {} of B",
                              divergence.unmatched_a, divergence.unmatched_b);
}

/// "by 0.0182 of its largest element", or the reason where there is no such number.
std::string size_text(const Comparison& comparison) {
    if (comparison.elements == 0 || comparison.max_abs == 0) return printable(comparison.reason);
    return fmt::format("by {:.3g} of its largest element", comparison.relative());
}

void add_nodes(std::vector<FoundLine>& lines, const char* title,
               const std::vector<std::string>& nodes) {
    constexpr std::size_t most = 6;
    if (nodes.size() < 2) return;
    std::string text = std::string(title) + ": ";
    for (std::size_t i = 0; i < std::min(nodes.size(), most); ++i)
        text += (i ? ", " : "") + printable(nodes[i]);
    if (nodes.size() > most) text += fmt::format(", {} more", nodes.size() - most);
    lines.push_back({"", std::move(text)});
}

/// Where the nodes come from: of B, and of A where that is another place.
void add_source(std::vector<FoundLine>& lines, const DivergenceCause& cause) {
    const std::string a = source_text(cause.source_a), b = source_text(cause.source_b);
    if (a == b || a.empty() || b.empty()) {
        if (const std::string& known = b.empty() ? a : b; !known.empty())
            lines.push_back({"", "comes from " + known});
        return;
    }
    lines.push_back({"", "comes from " + a + " of A, " + b + " of B"});
}

void add_cause(std::vector<FoundLine>& lines, const char* title, const DivergenceCause& cause) {
    const bool in_b = !cause.nodes_b.empty();
    const bool is_in_a_alone = cause.nodes_a.size() > cause.nodes_b.size();
    const std::vector<std::string>& nodes = is_in_a_alone || !in_b ? cause.nodes_a : cause.nodes_b;
    lines.push_back({title, printable(nodes.empty() ? std::string("unknown node") : nodes[0]) +
                                (is_in_a_alone ? " of A" : "")});
    std::string iterations;
    for (const std::int64_t i : cause.iterations)
        iterations += (iterations.empty() ? " in iteration " : ",") + std::to_string(i);
    std::string made = "of the same inputs it makes another " + printable(value_text(cause.value)) +
                       iterations + ", " + size_text(cause.comparison);
    if (cause.value.rounding > 0)
        made += fmt::format(", where rounding explains up to {:.3g}", cause.value.rounding);
    lines.push_back({"", std::move(made)});
    add_source(lines, cause);
    add_nodes(lines, "nodes of A", cause.nodes_a);
    add_nodes(lines, "nodes of B", cause.nodes_b);
    for (const std::string& difference : cause.differences)
        lines.push_back({"", "what differs: " + printable(difference, most_of_phrase)});
    if (cause.differences.empty())
        lines.push_back({"",
                         "operator, attributes and constants are the same: it is computed in "
                         "another way"});
}

}  // namespace

std::string source_text(const NodeSource& source) {
    const std::string lines = source.line_text(), module = source.module_text();
    if (lines.empty() || module.empty()) return printable(lines + module);
    return printable(lines) + " in " + printable(module);
}

std::vector<FoundLine> lines_of(const Divergence& divergence, const Tolerance& tolerance) {
    std::vector<FoundLine> lines;
    const FoundLine counts{"values", matching_text(divergence)};
    if (divergence.verdict == DivergenceVerdict::same) {
        lines.push_back(
            {"SAME", fmt::format("every value agrees within the tolerance (rtol {:g}, atol {:g})",
                                 tolerance.rtol, tolerance.atol)});
        lines.push_back(counts);
        return lines;
    }
    const ValuePair& first = divergence.values[divergence.first_beyond];
    const bool is_rounding = divergence.verdict == DivergenceVerdict::rounding;
    std::string text = "the first value beyond the tolerance is " + printable(value_text(first));
    if (first.relative > 0)
        text += fmt::format(", by {:.3g} of its largest element", first.relative);
    lines.push_back({is_rounding ? "ROUNDING" : "DIFFERS", std::move(text)});
    if (is_rounding)
        lines.push_back({"",
                         "of the same inputs each node makes the same: small differences grow "
                         "on their way"});
    const char* title = "cause";
    for (const DivergenceCause& cause : divergence.causes) {
        add_cause(lines, std::exchange(title, "and"), cause);
    }
    lines.push_back(counts);
    return lines;
}

}  // namespace lapidary
