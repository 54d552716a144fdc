// SPDX-License-Identifier: Apache-2.0
// compare --by node: two engines, or two levels, on one model node by node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/node_times/node_comparison.h>

#include "cli/models/model_inputs.h"
#include "cli/options/option_list.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// --engine, --by, --pairs.
struct NodeCompareOptions {
    std::string by = "model";
    std::vector<std::string> engines;  // of A and B; one: of B
    int pairs = 0;                     // 0: as many as the time allows

    bool is_by_node() const { return by == "node"; }
};

void add_node_compare_options(OptionList& options, NodeCompareOptions& nodes);

/// What else the command line says of such a comparison.
struct NodeCompareRequest {
    std::string model;
    std::int64_t channel_block = 0;
    std::vector<Level> levels;  // none, one for both, or one for each
    std::optional<bool> session_passes;
    RunResources resources;
    InputOptions inputs;
    double seconds = 10;  // per side
    std::vector<std::string> custom_operators;
};

/// Compares and prints. Throws UsageError, and what compare_nodes() throws.
int compare_by_node(const NodeCompareOptions& nodes, const NodeCompareRequest& request,
                    Terminal& terminal);

}  // namespace lapidary::cli
