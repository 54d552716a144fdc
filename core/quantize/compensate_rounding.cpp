// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "quantize/collect_moments.h"
#include "quantize/inverse_root.h"
#include "quantize/quantized_weight.h"
#include "quantize/quantize_writer.h"
#include "quantize/weight_transforms.h"

namespace lapidary {
namespace {

/// One output channel: `row` to the grid of `scale`, each error divided among the elements after it.
void round_row(std::vector<double>& row, double scale, const std::vector<double>& upper, double keep_magnitude,
               const StoredRange& levels) {
    const std::size_t n = row.size();
    std::vector<char> kept(n);
    std::vector<double> original = row;
    for (std::size_t i = 0; i < n; ++i) kept[i] = std::abs(row[i]) == keep_magnitude;
    for (std::size_t i = 0; i < n; ++i) {
        const double stored = kept[i] ? original[i]
                                      : std::clamp(std::nearbyint(row[i] / scale),
                                                   static_cast<double>(levels.lowest),
                                                   static_cast<double>(levels.highest)) *
                                            scale;
        const double error = (row[i] - stored) / upper[i * n + i];
        row[i] = stored;
        for (std::size_t j = i + 1; j < n; ++j) row[j] -= error * upper[i * n + j];
    }
}

Tensor compensated(const Tensor& weight, const WeightedProduct& product, const InputMoments& moments,
                   const WeightFormat& format) {
    const auto n = static_cast<std::size_t>(moments.size);
    const std::int64_t outputs = weight.dim(static_cast<std::size_t>(product.output_axis)),
                       in_group = outputs / moments.groups;
    const QuantizedWeight plain = quantize_weight(weight, format);
    const std::int32_t middle = affine_parameters(-1, 1, format.values).zero_point;
    StoredRange levels = stored_range(format.values);
    levels = {levels.lowest - middle, levels.highest - middle};
    float largest = 0;
    for (float v : weight.data<float>()) largest = std::max(largest, std::abs(v));
    Tensor out = weight.clone();
    const auto data = out.mutable_data<float>();
    const auto place = [&](std::int64_t o, std::size_t i) {
        return product.output_axis == 0 ? static_cast<std::size_t>(o) * n + i
                                        : i * static_cast<std::size_t>(outputs) + static_cast<std::size_t>(o);
    };
    for (std::int64_t g = 0; g < moments.groups; ++g) {
        std::vector<double> h(
            moments.sums.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(g) * n * n),
            moments.sums.begin() + static_cast<std::ptrdiff_t>((static_cast<std::size_t>(g) + 1) * n * n));
        const auto upper = inverse_root(std::move(h), n, moment_damping);
        if (!upper) continue;
        for (std::int64_t o = g * in_group; o < (g + 1) * in_group; ++o) {
            std::vector<double> row(n);
            float peak = 0;
            for (std::size_t i = 0; i < n; ++i) {
                row[i] = data[place(o, i)];
                peak = std::max(peak, std::abs(data[place(o, i)]));
            }
            const auto scales = plain.scale.data<float>();
            round_row(row, scales[scales.size() == 1 ? 0 : static_cast<std::size_t>(o)], *upper,
                      format.axis ? peak : largest, levels);
            for (std::size_t i = 0; i < n; ++i) data[place(o, i)] = static_cast<float>(row[i]);
        }
    }
    return out;
}

}  // namespace

void compensate_rounding(Model& model, const QuantizeOptions& options, const SampleSource& samples,
                         std::vector<std::string>& notes, const Progress& progress) {
    const std::vector<ProductMoments> products = collect_moments(model, options, samples, progress);
    std::size_t done = 0;
    GraphEdit edit(model.graph, "compensate_rounding");
    for (std::size_t i = 0; i < products.size(); ++i) {
        progress.step("rounding weights", static_cast<double>(i) / static_cast<double>(products.size()));
        if (!products[i].is_known()) continue;
        const WeightedProduct& product = products[i].product;
        WeightFormat format = weight_format(options);
        if (options.per_channel) format.axis = product.output_axis;
        edit.set_constant(product.weight, compensated(*model.graph.value(product.weight).constant, product,
                                                      products[i].moments, format));
        ++done;
    }
    edit.finish();
    notes.push_back("rounded the weights of " + std::to_string(done) + " of " + std::to_string(products.size()) +
                    " products with compensation");
}

}  // namespace lapidary
