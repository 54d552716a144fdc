// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/recurrent_products.h"

#include "ops/operator_traits.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {

const Tensor* own_recurrent_weight(const Graph& graph, ValueId value) {
    const Value& found = graph.value(value);
    const bool fits = found.is_constant() && found.constant && is_f32(graph, value) &&
                      found.constant->rank() == 3;
    return fits && found.read_once() && found.constant->size() > 0 ? &*found.constant : nullptr;
}

std::vector<WeightedProduct> recurrent_products(const Graph& graph,
                                                const QuantizeOptions& options) {
    std::vector<WeightedProduct> products;
    if (options.mode != QuantizeMode::dynamic) return products;
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const bool fits =
            traits_of(node).quantizing.dynamic_8 == "com.microsoft::DynamicQuantizeLSTM" &&
            node.int_attribute("layout", 0) == 0 && !keeping_pattern(graph, node, options);
        if (!fits || !is_f32(graph, node.inputs.at(0)) ||
            !own_recurrent_weight(graph, node.inputs.at(1)))
            continue;
        WeightedProduct product;
        product.node = id;
        product.data = node.inputs[0];
        product.weight = node.inputs[1];
        product.input_axis = 1;
        product.data_axis = -1;
        product.is_recurrent = true;
        products.push_back(product);
    }
    return products;
}

}  // namespace lapidary
