// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/input_squares.h"

#include <algorithm>
#include <memory>
#include <string>

#include "graph/copy_model.h"
#include "quantize/quantized_operator.h"

namespace lapidary {
namespace {

std::vector<WeightedProduct> matrix_products(const Graph& graph) {
    std::vector<WeightedProduct> products;
    for (NodeId id : graph.nodes()) {
        std::string ignored;
        const auto product = weighted_product(graph, graph.node(id), ignored);
        if (product && !product->is_convolution && product->plain &&
            graph.value(product->weight).read_once())
            products.push_back(*product);
    }
    return products;
}

}  // namespace

std::vector<WatchedValue> product_inputs(const Graph& graph) {
    std::vector<WatchedValue> watched;
    for (const WeightedProduct& product : matrix_products(graph)) {
        const std::string& name = graph.value(product.data).name;
        if (std::ranges::find(watched, name, &WatchedValue::name) == watched.end())
            watched.push_back({name, -1});
    }
    return watched;
}

std::map<ValueId, std::vector<double>> collect_input_squares(const Model& model,
                                                             const QuantizeOptions& options,
                                                             const SampleSource& samples,
                                                             const Progress& progress) {
    const Graph& graph = model.graph;
    const std::vector<WatchedValue> watched = product_inputs(graph);
    std::map<ValueId, std::vector<double>> squares;
    if (watched.empty()) return squares;
    CalibrationOptions calibrating = options.calibration;
    calibrating.histograms = false;
    const Calibration seen =
        calibrate(std::make_shared<const Model>(copy_model(model, progress.cancel)), samples,
                  watched, calibrating, progress);
    for (const WeightedProduct& product : matrix_products(graph)) {
        const ObservedTensor* const data = seen.find(graph.value(product.data).name);
        const auto rows = static_cast<std::size_t>(
            graph.value(product.weight)
                .constant->dim(static_cast<std::size_t>(product.input_axis)));
        if (data && data->channel_square.size() == rows)
            squares[product.weight] = data->channel_square;
    }
    return squares;
}

}  // namespace lapidary
