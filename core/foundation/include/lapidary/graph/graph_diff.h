// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary {

/// Differences between two graphs or models as sentences, empty when equal: names, types,
/// attributes (byte exact), constants, order of nodes, inputs and outputs, metadata, functions. Ids
/// and provenance are not compared.
std::vector<std::string> differences(const Graph& a, const Graph& b);
std::vector<std::string> differences(const Model& a, const Model& b);

}  // namespace lapidary
