// SPDX-License-Identifier: Apache-2.0
#include "quantize/collect_moments.h"

#include <algorithm>
#include <set>

#include <lapidary/error.h>
#include <lapidary/session.h>

#include "graph/copy_model.h"
#include "quantize/quantize_writer.h"

namespace lapidary {
namespace {

constexpr std::int64_t most_inputs = 2304;  // of an output element: the work grows with its cube
constexpr std::int64_t rows_of_sample = 512, rows_in_all = 4096;

std::vector<ProductMoments> products_of(const Graph& graph, const QuantizeOptions& options) {
    std::vector<ProductMoments> products;
    for (NodeId id : graph.nodes()) {
        std::string ignored;
        const auto product = weighted_product(graph, graph.node(id), ignored);
        if (product && product->plain && !keeping_pattern(graph, graph.node(id), options) &&
            graph.value(product->weight).read_once())
            products.push_back({*product, moments_for(graph, *product, most_inputs)});
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
    RunOptions running;
    running.cancel = progress.cancel;
    std::set<std::string> known;
    for (ValueId id : graph.outputs()) known.insert(graph.value(id).name);
    for (ValueId id : graph.inputs()) known.insert(graph.value(id).name);
    for (const ProductMoments& product : products)
        if (known.insert(graph.value(product.product.data).name).second)
            running.extra_outputs.push_back(graph.value(product.product.data).name);
    SessionOptions compiling;
    compiling.session_passes.set = SessionPasses::Set::none;
    compiling.intra_threads = options.calibration.threads;
    Session session = Session::compile(std::make_shared<const Model>(copy_model(model, progress.cancel)), compiling);
    for (std::size_t s = 0; s < samples.size() && std::ranges::any_of(products, wants_more); ++s) {
        progress.step("second moments", static_cast<double>(s) / static_cast<double>(samples.size()));
        try {
            const NamedValues inputs = samples.at(s);
            const RunResult result = session.run(inputs, running);
            for (ProductMoments& product : products) {
                const std::string& name = graph.value(product.product.data).name;
                const RuntimeValue* value = find(result.outputs, name);
                if (!value) value = find(inputs, name);
                if (value && value->is_tensor() && wants_more(product))
                    add_moments(product.moments, graph, product.product, value->tensor(), rows_of_sample);
            }
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
        }
    }
    return products;
}

}  // namespace lapidary
