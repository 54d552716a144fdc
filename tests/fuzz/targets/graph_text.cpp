// SPDX-License-Identifier: Apache-2.0
// Graphs as text. What is printed of a graph is read again.
#include <lapidary/graph/graph_text.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(graph_text) {
    const lapidary::Graph graph = lapidary::parse_graph(lapidary::fuzz::text_of(input));
    lapidary::print_graph(graph);
}
