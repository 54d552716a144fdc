// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/cache_pairs.h>

#include <initializer_list>
#include <optional>
#include <string_view>

namespace lapidary {
namespace {

/// The name without the first of the words that is in it; nothing where none is.
std::optional<std::string> without(std::string name,
                                   std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
        if (const std::size_t at = name.find(word); at != std::string::npos)
            return name.erase(at, word.size());
    return std::nullopt;
}

bool is_alike(const Type& a, const Type& b) {
    return a.kind == Type::Kind::tensor && b.kind == Type::Kind::tensor && a.dtype == b.dtype &&
           a.shape && b.shape && a.shape->size() == b.shape->size();
}

}  // namespace

std::vector<CachePair> find_cache_pairs(const Model& model) {
    const Graph& graph = model.graph;
    std::vector<CachePair> pairs;
    for (const ValueId output : graph.outputs()) {
        const Value& present = graph.value(output);
        const auto stem = without(present.name, {"present_key_values", "present"});
        if (!stem) continue;
        for (const ValueId input : graph.inputs()) {
            const Value& past = graph.value(input);
            if (without(past.name, {"past_key_values", "past"}) != stem ||
                !is_alike(past.type, present.type))
                continue;
            pairs.push_back({present.name, past.name});
            break;
        }
    }
    return pairs;
}

}  // namespace lapidary
