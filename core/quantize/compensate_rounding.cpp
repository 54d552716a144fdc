// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "quantize/collect_moments.h"
#include "quantize/compensated_weight.h"
#include "quantize/quantize_writer.h"
#include "quantize/recurrent_moments.h"
#include "quantize/weight_transforms.h"

namespace lapidary {
namespace {

/// Of each direction row by row or as a whole, as DynamicQuantizeLSTM has its scales.
Tensor compensated_directions(const Tensor& weight, const std::vector<InputMoments>& moments,
                              const QuantizeOptions& options, const CancelToken& cancel) {
    WeightFormat format{{DType::i8, true, options.reduced_range}, 0, 0};
    if (!options.per_channel) format.axis.reset();
    const std::int64_t gates = weight.dim(1), width = weight.dim(2);
    Tensor out = weight.clone();
    const auto data = out.mutable_data<float>();
    for (std::size_t d = 0; d < static_cast<std::size_t>(weight.dim(0)); ++d) {
        const auto from = data.subspan(d * static_cast<std::size_t>(gates * width),
                                       static_cast<std::size_t>(gates * width));
        const Tensor rounded =
            compensated_weight(Tensor::of<float>({gates, width}, {from.begin(), from.end()}), 0,
                               moments[moments.size() == 1 ? 0 : d], format, cancel);
        std::ranges::copy(rounded.data<float>(), from.begin());
    }
    return out;
}

}  // namespace

void compensate_rounding(Model& model, const QuantizeOptions& options, const SampleSource& samples,
                         std::vector<std::string>& notes, const Progress& progress) {
    const std::vector<ProductMoments> products = collect_moments(model, options, samples, progress);
    const std::vector<RecurrentMoments> recurrent = collect_recurrent_moments(model, options, samples, progress);
    std::size_t done = 0;
    GraphEdit edit(model.graph, "compensate_rounding");
    for (std::size_t i = 0; i < products.size(); ++i) {
        progress.step("rounding weights", static_cast<double>(i) / static_cast<double>(products.size()));
        if (!products[i].is_known()) continue;
        const WeightedProduct& product = products[i].product;
        WeightFormat format = product_format(product, options);
        if (options.mode == QuantizeMode::static_qdq)
            format.values.dtype =
                own_weight_type(model.graph, model.graph.node(product.node), options).value_or(options.weight);
        edit.set_constant(product.weight,
                          compensated_weight(*model.graph.value(product.weight).constant, product.output_axis,
                                             products[i].moments, format, progress.cancel));
        ++done;
    }
    const auto round_directions = [&](ValueId weight, const std::vector<InputMoments>& moments) {
        if (!is_known(moments)) return;
        edit.set_constant(weight, compensated_directions(*model.graph.value(weight).constant, moments, options,
                                                         progress.cancel));
        ++done;
    };
    for (const RecurrentMoments& found : recurrent) {
        round_directions(found.weight, found.input);
        round_directions(found.recurrence, found.hidden);
    }
    edit.finish();
    notes.push_back("rounded the weights of " + std::to_string(done) + " of " +
                    std::to_string(products.size() + 2 * recurrent.size()) + " products with compensation");
}

}  // namespace lapidary
