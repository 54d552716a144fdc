// SPDX-License-Identifier: Apache-2.0
// Language models often multiply by the transposed table that their embedding reads. Such a product
// has no constant weight until it gets a weight of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A Transpose of a constant matrix that became a constant itself.
struct TiedWeight {
    ValueId weight;                      // the new constant
    Shape shape;                         // of it
    std::weak_ptr<const void> elements;  // what owns them, unless they were replaced
    std::string table_name, name;        // of the matrix, and of the transposed value
    Tensor table;
    std::string node_name;  // of the Transpose
    std::int64_t version = 0;
    std::vector<Attribute> attributes;
    std::vector<std::string> readers;  // products, as in QuantizeOptions::keep_float
};

/// True if products get weights of their own in this mode. Not in the placement of ONNX Runtime,
/// nor where weights become other floats.
bool separates_tied_weights(const QuantizeOptions& options);

/// Replaces Transposes of constant float32 matrices, which only products read, by constants.
/// Smaller ones were folded before. Edits the main graph.
std::vector<TiedWeight> separate_tied_weights(Graph& graph);

/// Puts the Transpose back in front of products that still read the constant as it was made: then
/// it is no larger than before. Notes for which products it is not.
void restore_tied_weights(Graph& graph, const std::vector<TiedWeight>& tied,
                          std::vector<std::string>& notes);

}  // namespace lapidary
