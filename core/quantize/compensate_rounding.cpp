// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <lapidary/error.h>
#include <lapidary/session.h>

#include "graph/copy_model.h"
#include "quantize/input_moments.h"
#include "quantize/quantized_weight.h"
#include "quantize/quantize_writer.h"
#include "quantize/weight_transforms.h"

namespace lapidary {
namespace {

constexpr std::int64_t most_inputs = 2304;  // of an output element: the work grows with its cube
constexpr std::int64_t rows_of_sample = 512, rows_in_all = 4096;
constexpr double damping = 0.01;  // of the mean of the diagonal

/// Upper triangle U of a symmetric positive matrix's inverse, inverse = U^T U; the lower triangle of `a` is given and
/// lost.
std::optional<std::vector<double>> inverse_root(std::vector<double> a, std::size_t n) {
    const auto cholesky = [n](std::vector<double>& m) {
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = m[i * n + j];
                for (std::size_t k = 0; k < j; ++k) sum -= m[i * n + k] * m[j * n + k];
                if (i != j) m[i * n + j] = sum / m[j * n + j];
                else if (!(sum > 0)) return false;
                else m[i * n + i] = std::sqrt(sum);
            }
        return true;
    };
    if (!cholesky(a)) return std::nullopt;
    std::vector<double> root(n * n, 0);  // inverse of the lower factor
    for (std::size_t c = 0; c < n; ++c) {
        root[c * n + c] = 1 / a[c * n + c];
        for (std::size_t r = c + 1; r < n; ++r) {
            double sum = 0;
            for (std::size_t k = c; k < r; ++k) sum -= a[r * n + k] * root[k * n + c];
            root[r * n + c] = sum / a[r * n + r];
        }
    }
    std::vector<double> inverse(n * n, 0);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i <= k; ++i)
            for (std::size_t j = 0; j <= i; ++j) inverse[i * n + j] += root[k * n + i] * root[k * n + j];
    if (!cholesky(inverse)) return std::nullopt;
    std::vector<double> upper(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) upper[j * n + i] = inverse[i * n + j];
    return upper;
}

/// One output channel: `row` to the grid of `scale`, each error divided among the elements after it.
void round_row(std::vector<double>& row, double scale, const std::vector<double>& upper, double keep_magnitude,
               int highest) {
    const std::size_t n = row.size();
    std::vector<char> kept(n);
    std::vector<double> original = row;
    for (std::size_t i = 0; i < n; ++i) kept[i] = std::abs(row[i]) == keep_magnitude;
    for (std::size_t i = 0; i < n; ++i) {
        const double stored = kept[i] ? original[i]
                                      : std::clamp(std::nearbyint(row[i] / scale), -static_cast<double>(highest),
                                                   static_cast<double>(highest)) *
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
    const int highest = stored_range(format.values).highest;
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
        double mean = 0;
        for (std::size_t i = 0; i < n; ++i) mean += h[i * n + i] / static_cast<double>(n);
        if (!(mean > 0)) continue;
        for (std::size_t i = 0; i < n; ++i) h[i * n + i] += damping * mean;
        const auto upper = inverse_root(std::move(h), n);
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
                      format.axis ? peak : largest, highest);
            for (std::size_t i = 0; i < n; ++i) data[place(o, i)] = static_cast<float>(row[i]);
        }
    }
    return out;
}

std::vector<WeightedProduct> products_of(const Graph& graph, const QuantizeOptions& options) {
    std::vector<WeightedProduct> products;
    for (NodeId id : graph.nodes()) {
        std::string ignored;
        const auto product = weighted_product(graph, graph.node(id), ignored);
        const bool kept = std::ranges::any_of(options.keep_float, [&](const std::string& p) {
            return fits_pattern(graph.node(id).name, p) || fits_pattern(graph.node(id).op_type, p);
        });
        if (product && product->plain && !kept && graph.value(product->weight).read_once())
            products.push_back(*product);
    }
    return products;
}

}  // namespace

void compensate_rounding(Model& model, const QuantizeOptions& options, const SampleSource& samples,
                         std::vector<std::string>& notes, const Progress& progress) {
    const std::vector<WeightedProduct> products = products_of(model.graph, options);
    std::vector<InputMoments> moments;
    RunOptions running;
    running.cancel = progress.cancel;
    std::set<std::string> known;
    for (ValueId id : model.graph.outputs()) known.insert(model.graph.value(id).name);
    for (ValueId id : model.graph.inputs()) known.insert(model.graph.value(id).name);
    for (const WeightedProduct& product : products) {
        moments.push_back(moments_for(model.graph, product, most_inputs));
        if (known.insert(model.graph.value(product.data).name).second)
            running.extra_outputs.push_back(model.graph.value(product.data).name);
    }
    SessionOptions compiling;
    compiling.session_passes.set = SessionPasses::Set::none;
    compiling.intra_threads = options.calibration.threads;
    Session session = Session::compile(std::make_shared<const Model>(copy_model(model, progress.cancel)), compiling);
    const auto wants_more = [](const InputMoments& m) { return m.size > 0 && m.rows < rows_in_all; };
    for (std::size_t s = 0; s < samples.size() && std::ranges::any_of(moments, wants_more); ++s) {
        progress.step("second moments", static_cast<double>(s) / static_cast<double>(samples.size()));
        try {
            const NamedValues inputs = samples.at(s);
            const RunResult result = session.run(inputs, running);
            for (std::size_t i = 0; i < products.size(); ++i) {
                const std::string& name = model.graph.value(products[i].data).name;
                const RuntimeValue* value = find(result.outputs, name);
                if (!value) value = find(inputs, name);
                if (value && value->is_tensor() && wants_more(moments[i]))
                    add_moments(moments[i], model.graph, products[i], value->tensor(), rows_of_sample);
            }
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;  // calibration tells of samples that do not run
        }
    }
    std::size_t done = 0;
    GraphEdit edit(model.graph, "compensate_rounding");
    for (std::size_t i = 0; i < products.size(); ++i) {
        progress.step("rounding weights", static_cast<double>(i) / static_cast<double>(products.size()));
        if (moments[i].size == 0 || moments[i].rows == 0) continue;
        WeightFormat format;
        format.values = {DType::i8, true, options.reduced_range};
        if (options.per_channel) format.axis = products[i].output_axis;
        edit.set_constant(products[i].weight, compensated(*model.graph.value(products[i].weight).constant, products[i],
                                                          moments[i], format));
        ++done;
    }
    edit.finish();
    notes.push_back("rounded the weights of " + std::to_string(done) + " of " + std::to_string(products.size()) +
                    " products with compensation");
}

}  // namespace lapidary
