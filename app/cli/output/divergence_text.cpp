// SPDX-License-Identifier: Apache-2.0
#include "cli/output/divergence_text.h"

#include <algorithm>
#include <map>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

#include "cli/output/comparison_text.h"
#include "cli/output/source_text.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

std::string value_text(const ValuePair& value) {
    const std::string a = quote(value.path + value.name_a);
    return value.name_a == value.name_b ? a : a + " of A, " + quote(value.name_b) + " of B";
}

void print_matching(std::ostream& out, const Divergence& divergence) {
    std::map<std::string, std::int64_t> by;
    for (const ValuePair& value : divergence.values) ++by[value.matched_by];
    out << "values   " << count_text(std::ssize(divergence.values), "value") << " compared";
    const char* separator = ": ";
    for (const auto& [how, count] : by) {
        out << separator << count << " matched by " << how;
        separator = ", ";
    }
    out << fmt::format("; nodes without a counterpart: {} of A, {} of B\n", divergence.unmatched_a,
                       divergence.unmatched_b);
}

/// "by 0.0182 of its largest element", or the reason where there is no such number.
std::string size_text(const Comparison& comparison) {
    if (comparison.elements == 0 || comparison.max_abs == 0) return plain(comparison.reason);
    return fmt::format("by {:.3g} of its largest element", comparison.relative());
}

void print_nodes(std::ostream& out, const char* title, const std::vector<std::string>& nodes) {
    constexpr std::size_t most = 6;
    if (nodes.size() < 2) return;
    out << "         " << title << ": ";
    for (std::size_t i = 0; i < std::min(nodes.size(), most); ++i)
        out << (i ? ", " : "") << plain(nodes[i]);
    if (nodes.size() > most) out << ", " << nodes.size() - most << " more";
    out << '\n';
}

/// Where the nodes come from: of B, and of A where that is another place.
void print_source(std::ostream& out, const DivergenceCause& cause) {
    const std::string a = source_text(cause.source_a), b = source_text(cause.source_b);
    if (a == b || a.empty() || b.empty()) {
        if (const std::string& known = b.empty() ? a : b; !known.empty())
            out << "         comes from " << known << '\n';
        return;
    }
    out << "         comes from " << a << " of A, " << b << " of B\n";
}

void print_cause(std::ostream& out, const char* title, const DivergenceCause& cause) {
    const bool in_b = !cause.nodes_b.empty();
    const bool is_in_a_alone = cause.nodes_a.size() > cause.nodes_b.size();
    const std::vector<std::string>& nodes = is_in_a_alone || !in_b ? cause.nodes_a : cause.nodes_b;
    out << title << plain(nodes.empty() ? std::string("unknown node") : nodes[0])
        << (is_in_a_alone ? " of A" : "") << '\n';
    std::string iterations;
    for (const std::int64_t i : cause.iterations)
        iterations += (iterations.empty() ? " in iteration " : ",") + std::to_string(i);
    out << "         of the same inputs it makes another " << plain(value_text(cause.value))
        << iterations << ", " << size_text(cause.comparison);
    if (cause.explained && cause.comparison.magnitude > 0)
        out << fmt::format(", where rounding explains {:.1g}",
                           *cause.explained / cause.comparison.magnitude);
    out << '\n';
    print_source(out, cause);
    print_nodes(out, "nodes of A", cause.nodes_a);
    print_nodes(out, "nodes of B", cause.nodes_b);
    for (const std::string& difference : cause.differences)
        out << "         " << plain(difference, 400) << '\n';
    if (cause.differences.empty())
        out << "         operator, attributes and constants are the same: it is computed in "
               "another "
               "way\n";
}

Json pair_json(const ValuePair& value) {
    return {{"a", value.name_a},        {"b", value.name_b},
            {"body", value.path},       {"matched_by", value.matched_by},
            {"matches", value.matches}, {"relative", json_number(value.relative)}};
}

Json cause_json(const DivergenceCause& cause) {
    Json comparison = comparison_json(cause.comparison);
    comparison["name"] = cause.value.name_b;
    Json json = {{"value", pair_json(cause.value)},
                 {"iterations", cause.iterations},
                 {"node_a", cause.node_a},
                 {"node_b", cause.node_b},
                 {"nodes_a", cause.nodes_a},
                 {"nodes_b", cause.nodes_b},
                 {"comparison", std::move(comparison)},
                 {"differences", cause.differences}};
    if (!cause.source_a.is_empty()) json["source_a"] = source_json(cause.source_a);
    if (!cause.source_b.is_empty()) json["source_b"] = source_json(cause.source_b);
    if (cause.explained) json["explained"] = json_number(*cause.explained);
    return json;
}

}  // namespace

void print_divergence(std::ostream& out, const Divergence& divergence) {
    print_matching(out, divergence);
    if (divergence.verdict == DivergenceVerdict::same) {
        out << "SAME     every value agrees within the tolerance\n";
        return;
    }
    const ValuePair& first = divergence.values[divergence.first_beyond];
    out << (divergence.verdict == DivergenceVerdict::differs ? "DIFFERS  " : "ROUNDING ")
        << "the first value beyond the tolerance is " << plain(value_text(first));
    if (first.relative > 0)
        out << fmt::format(", by {:.3g} of its largest element", first.relative);
    out << '\n';
    if (divergence.verdict == DivergenceVerdict::rounding) {
        out << "         of the same inputs each node makes the same: small differences grow on "
               "their way\n";
        return;
    }
    const char* title = "cause    ";
    for (const DivergenceCause& cause : divergence.causes) {
        print_cause(out, title, cause);
        title = "and      ";
    }
}

Json divergence_json(const Divergence& divergence) {
    Json json = {{"verdict", name_of(divergence.verdict)},
                 {"causes", Json::array()},
                 {"values", Json::array()},
                 {"unmatched_a", divergence.unmatched_a},
                 {"unmatched_b", divergence.unmatched_b},
                 {"kept_bytes", divergence.kept_bytes},
                 {"runs", divergence.runs},
                 {"engine_runs", divergence.engine_runs}};
    for (const DivergenceCause& cause : divergence.causes)
        json["causes"].push_back(cause_json(cause));
    for (const ValuePair& value : divergence.values) json["values"].push_back(pair_json(value));
    return json;
}

}  // namespace lapidary::cli
