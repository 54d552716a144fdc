// SPDX-License-Identifier: Apache-2.0
// Metadata of nodes that take the place of others. What exporters say of one node (module, class,
// line of code) belongs together, so a merged node has a set of entries for each node that it
// stands for: the first under the keys of the file, the next ones under "KEY #2", "KEY #3" ...
#pragma once

#include <span>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// Sets of one node at most: chains of rewrites may merge thousands of nodes.
constexpr std::size_t most_metadata_sets = 8;

/// The sets in the metadata of a node, each under the keys of the file. Empty: it has none.
std::vector<StringPairs> metadata_sets(const StringPairs& metadata);

/// Metadata of a node that stands for nodes with these; sets that are the same are kept once.
StringPairs merged_metadata(std::span<const StringPairs* const> nodes);

}  // namespace lapidary
