// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/threads/task_threads.h"
#include "quantize/calibration/collect_moments.h"
#include "quantize/weights/compensated_weight.h"
#include "quantize/writers/quantize_writer.h"
#include "quantize/calibration/recurrent_moments.h"
#include "quantize/weights/weight_transforms.h"

namespace lapidary {
namespace {

/// Rounds each direction with a scale per row or one for all, as DynamicQuantizeLSTM has them.
Tensor compensated_directions(const Tensor& weight, const std::vector<InputMoments>& moments,
                              const QuantizeOptions& options, ThreadPool& threads,
                              const CancelToken& cancel) {
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
                               moments[moments.size() == 1 ? 0 : d], format, threads, cancel);
        std::ranges::copy(rounded.data<float>(), from.begin());
    }
    return out;
}

/// Rounds weights of a model, one after the other.
class Rounding {
public:
    Rounding(Model& model, const QuantizeOptions& options, ThreadPool& threads,
             const Progress& progress)
        : graph_(model.graph), options_(options), threads_(threads), progress_(progress),
          edit_(model.graph, "compensate_rounding") {}

    void round(const ProductMoments& found) {
        if (!found.is_known()) return;
        const WeightedProduct& product = found.product;
        WeightFormat format = product_format(product, options_);
        if (options_.mode == QuantizeMode::static_qdq)
            format.values.dtype = own_weight_type(graph_, graph_.node(product.node), options_)
                                      .value_or(options_.weight);
        edit_.set_constant(
            product.weight,
            compensated_weight(*graph_.value(product.weight).constant, product.output_axis,
                               found.moments, format, threads_, progress_.cancel));
        ++done_;
    }
    void round_directions(ValueId weight, const std::vector<InputMoments>& moments) {
        if (!is_known(moments)) return;
        edit_.set_constant(weight, compensated_directions(*graph_.value(weight).constant, moments,
                                                          options_, threads_, progress_.cancel));
        ++done_;
    }
    /// How many weights were rounded.
    std::size_t finish() {
        edit_.finish();
        return done_;
    }

private:
    Graph& graph_;
    const QuantizeOptions& options_;
    ThreadPool& threads_;
    const Progress& progress_;
    GraphEdit edit_;
    std::size_t done_ = 0;
};

}  // namespace

void compensate_rounding(Model& model, const QuantizeOptions& options, const SampleSource& samples,
                         std::vector<std::string>& notes, const Progress& progress) {
    const std::vector<ProductMoments> products = collect_moments(model, options, samples, progress);
    const std::vector<RecurrentMoments> recurrent =
        collect_recurrent_moments(model, options, samples, progress);
    TaskThreads threads(options.calibration.threads);
    Rounding rounding(model, options, threads, progress);
    threads.execute([&] {
        for (std::size_t i = 0; i < products.size(); ++i) {
            progress.step("rounding weights",
                          static_cast<double>(i) / static_cast<double>(products.size()));
            rounding.round(products[i]);
        }
        for (const RecurrentMoments& found : recurrent) {
            rounding.round_directions(found.weight, found.input);
            rounding.round_directions(found.recurrence, found.hidden);
        }
    });
    notes.push_back("rounded the weights of " + std::to_string(rounding.finish()) + " of " +
                    std::to_string(products.size() + 2 * recurrent.size()) +
                    " products with compensation");
}

}  // namespace lapidary
