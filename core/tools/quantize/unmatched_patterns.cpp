// SPDX-License-Identifier: Apache-2.0
#include "quantize/unmatched_patterns.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "graph/traversal.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

constexpr std::size_t reported_patterns = 4;  // of each kind

/// Names and operators of all nodes.
std::vector<std::string> words_of(const Model& model) {
    std::vector<std::string> words;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes()) {
            words.push_back(keep_name(graph, graph.node(id)));
            words.push_back(graph.node(id).op_type);
        }
    });
    std::ranges::sort(words);
    words.erase(std::ranges::unique(words).begin(), words.end());
    return words;
}

bool fits_any(const std::vector<std::string>& words, const std::string& pattern) {
    if (pattern.find('*') == std::string::npos) return std::ranges::binary_search(words, pattern);
    return std::ranges::any_of(
        words, [&](const std::string& word) { return fits_pattern(word, pattern); });
}

void report_unmatched(const std::vector<std::string>& words,
                      const std::vector<std::string>& patterns, const std::string& purpose,
                      std::vector<std::string>& notes) {
    std::size_t count = 0;
    for (const std::string& pattern : patterns)
        if (!fits_any(words, pattern) && ++count <= reported_patterns)
            notes.push_back("no node fits the pattern " + quote(pattern) + ", " + purpose);
    if (count > reported_patterns)
        notes.push_back(std::to_string(count - reported_patterns) +
                        " more patterns fit no node, each one " + purpose);
}

}  // namespace

void report_unmatched_patterns(const Model& prepared, const QuantizeOptions& options,
                               std::vector<std::string>& notes) {
    if (options.keep_float.empty() && options.weights_of.empty() && options.weights_alone.empty())
        return;
    const std::vector<std::string> words = words_of(prepared);
    std::vector<std::string> typed;
    for (const std::string& entry : options.weights_of) typed.push_back(typed_pattern(entry).first);
    report_unmatched(words, options.keep_float, "which was to keep nodes float", notes);
    report_unmatched(words, options.weights_alone, "which was to quantize weights alone", notes);
    report_unmatched(words, typed, "which was to give weights a type of their own", notes);
}

}  // namespace lapidary
