// SPDX-License-Identifier: Apache-2.0
#include "graph/merged_metadata.h"

#include <algorithm>
#include <string_view>

namespace lapidary {
namespace {

static_assert(most_metadata_sets < 10, "numbers of sets have one digit");

/// The set that a key belongs to, from 0, and the length of the key without its number.
struct KeyOfSet {
    std::size_t set = 0;
    std::size_t length = 0;
};

KeyOfSet parse_key(std::string_view key) {
    constexpr std::size_t suffix = 3;  // " #2"
    if (key.size() > suffix && key[key.size() - 3] == ' ' && key[key.size() - 2] == '#' &&
        key.back() >= '2' && key.back() < static_cast<char>('1' + most_metadata_sets))
        return {static_cast<std::size_t>(key.back() - '1'), key.size() - suffix};
    return {0, key.size()};
}

}  // namespace

std::vector<StringPairs> metadata_sets(const StringPairs& metadata) {
    std::vector<StringPairs> sets;
    for (const auto& [key, text] : metadata) {
        const KeyOfSet found = parse_key(key);
        if (sets.size() <= found.set) sets.resize(found.set + 1);
        sets[found.set].emplace_back(key.substr(0, found.length), text);
    }
    std::erase_if(sets, [](const StringPairs& set) { return set.empty(); });
    return sets;
}

StringPairs merged_metadata(std::span<const StringPairs* const> nodes) {
    std::vector<StringPairs> sets;
    for (const StringPairs* const metadata : nodes) {
        if (sets.size() == most_metadata_sets) break;
        for (StringPairs& set : metadata_sets(*metadata))
            if (sets.size() < most_metadata_sets && std::ranges::find(sets, set) == sets.end())
                sets.push_back(std::move(set));
    }
    StringPairs merged;
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (auto& [key, text] : sets[i])
            merged.emplace_back(i == 0 ? std::move(key) : key + " #" + std::to_string(i + 1),
                                std::move(text));
    return merged;
}

}  // namespace lapidary
