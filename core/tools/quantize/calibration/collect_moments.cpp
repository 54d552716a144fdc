// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/collect_moments.h"

#include <algorithm>

#include "base/threads/task_threads.h"
#include "quantize/writers/quantize_writer.h"
#include "quantize/calibration/visit_values.h"

namespace lapidary {
namespace {

// of an output element: the work grows with its cube. Weights in blocks take more in groups.
constexpr std::int64_t most_inputs = 2304;
constexpr std::int64_t rows_of_sample = 512, rows_in_all = 4096;

InputMoments empty_moments_of(const Graph& graph, const QuantizeOptions& options,
                              const WeightedProduct& product) {
    InputMoments moments = moments_for(graph, product, most_inputs);
    const Tensor& weight = *graph.value(product.weight).constant;
    if (moments.size > 0 || options.mode != QuantizeMode::weights || product.is_convolution ||
        product.groups != 1 || weight.rank() != 2)
        return moments;
    const std::int64_t inputs = weight.dim(static_cast<std::size_t>(product.input_axis));
    return inputs > most_inputs ? moments_in_groups(inputs, most_inputs) : moments;
}

std::vector<ProductMoments> products_of(const Graph& graph, const QuantizeOptions& options) {
    std::vector<ProductMoments> products;
    for (NodeId id : graph.nodes()) {
        std::string ignored;
        const auto product = weighted_product(graph, graph.node(id), ignored);
        if (product && product->plain && !keeping_pattern(graph, graph.node(id), options) &&
            graph.value(product->weight).read_once())
            products.push_back({*product, empty_moments_of(graph, options, *product)});
    }
    return products;
}

bool wants_more(const ProductMoments& product) {
    return product.moments.size > 0 && product.moments.rows < rows_in_all;
}

}  // namespace

std::vector<ProductMoments> collect_moments(const Model& model, const QuantizeOptions& options,
                                            const SampleSource& samples, const Progress& progress) {
    const Graph& graph = model.graph;
    std::vector<ProductMoments> products = products_of(graph, options);
    std::vector<std::string> names;
    for (const ProductMoments& product : products)
        names.push_back(graph.value(product.product.data).name);
    TaskThreads threads(options.calibration.threads);
    visit_values(
        model, samples, names, options.calibration.threads, progress,
        [&] { return std::ranges::any_of(products, wants_more); },
        [&](const SeenValues& seen) {
            const auto add = [&](std::int64_t index, int) {
                const auto i = static_cast<std::size_t>(index);
                if (const Tensor* const data = seen.find(names[i]); data && wants_more(products[i]))
                    add_moments(products[i].moments, graph, products[i].product, *data,
                                rows_of_sample, progress.cancel);
            };
            threads.execute(
                [&] { threads.parallel_tasks(static_cast<std::int64_t>(products.size()), add); });
        });
    return products;
}

}  // namespace lapidary
