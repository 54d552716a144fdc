// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

#include "base/threads/task_threads.h"
#include "quantize/weights/input_factors.h"
#include "quantize/weights/recurrent_products.h"
#include "quantize/weights/scaling_error.h"
#include "quantize/weights/smoothing_error.h"
#include "quantize/weights/weight_by_channel.h"
#include "quantize/weights/weight_transforms.h"

namespace lapidary {
namespace {

// share of zeros from which on the peak of a channel means nothing
constexpr double rarely_used = 0.95;

constexpr int shares = 20;           // tried for each input, evenly spread up to 1
constexpr double worth_a_mul = 0.8;  // of the error without smoothing
/// Of the error of weights in blocks: less is within what other samples would change.
constexpr double worth_scaling = 0.98;

class Smoother {
public:
    Smoother(Model& model, const Calibration& seen, const QuantizeOptions& options)
        : edit_(model.graph, "smooth_products"), seen_(seen), options_(options),
          threads_(scales_for_blocks() ? options.calibration.threads : 1) {
        edit_.set_default_version(model.opset());
        for (NodeId id : graph().nodes()) {
            std::string ignored;
            const auto product = weighted_product(graph(), graph().node(id), ignored);
            if (product && product->plain && !product->is_convolution &&
                graph().value(product->weight).read_once())
                products_[product->data].push_back(*product);
        }
        for (const WeightedProduct& product : recurrent_products(graph(), options_))
            products_[product.data].push_back(product);
    }

    /// Call before run(), in which each input is evaluated separately.
    void look(const Model& model, const SampleSource& samples, const Progress& progress) {
        std::vector<std::string> names;
        for (const auto& [data, products] : products_) names.push_back(graph().value(data).name);
        std::vector<HeldOutRows> rows = hold_rows_out(model, samples, seen_.samples, names,
                                                      options_.calibration.threads, progress);
        for (std::size_t i = 0; i < names.size(); ++i) held_out_[names[i]] = std::move(rows[i]);
    }

    std::size_t run(std::vector<std::string>& notes, const CancelToken& cancel) {
        std::size_t smoothed = 0;
        for (const auto& [data, products] : products_) smoothed += smooth(data, products, cancel);
        edit_.finish();
        notes.push_back("smoothed " + count_text(static_cast<std::int64_t>(smoothed), "input") +
                        " of products" +
                        (added_ > 0 ? ", " + std::to_string(added_) + " of them by a Mul of its own"
                                    : std::string()));
        return smoothed;
    }

private:
    const Graph& graph() const { return edit_.graph(); }

    bool smooth(ValueId data, const std::vector<WeightedProduct>& products,
                const CancelToken& cancel) {
        const ObservedTensor* seen = seen_.find(graph().value(data).name);
        if (!seen || seen->channel_peak.empty()) return false;
        std::vector<float> peaks(seen->channel_peak.size(), 0);
        for (const WeightedProduct& product : products) {
            cancel.throw_if_cancelled();
            const std::vector<float> found = WeightByChannel(graph(), product).input_peaks();
            if (found.size() != peaks.size()) return false;
            for (std::size_t c = 0; c < peaks.size(); ++c) peaks[c] = std::max(peaks[c], found[c]);
        }
        const auto place =
            is_read_by_these_alone(data, products)
                ? factor_place(graph(), data, peaks.size(), options_.mode == QuantizeMode::weights)
                : std::nullopt;
        const std::vector<float> divisors =
            !options_.smoothing_by_input
                ? divisors_of(*seen, seen->channel_peak, peaks, options_.smoothing)
            : scales_for_blocks()
                ? best_factors(*seen, products, place.has_value(), cancel)
                : best_divisors(*seen, peaks, products, place.has_value(), cancel);
        if (divisors.empty()) return false;
        for (const WeightedProduct& product : products) {
            cancel.throw_if_cancelled();
            WeightByChannel weight(graph(), product);
            weight.visit([&](float& v, std::size_t input, std::size_t) { v *= divisors[input]; });
            edit_.set_constant(product.weight, weight.tensor());
        }
        if (place) divide(edit_, *place, divisors);
        else add_mul(data, products, divisors);
        return true;
    }

    bool is_read_by_these_alone(ValueId data, const std::vector<WeightedProduct>& products) const {
        const Value& value = graph().value(data);
        return value.uses.size() == products.size() && value.output_uses == 0 &&
               value.captured_by.empty();
    }

    /// Factors for the share with the least error. None: the gain is too small, or not certain.
    std::vector<float> best_divisors(const ObservedTensor& seen,
                                     const std::vector<float>& weight_peaks,
                                     const std::vector<WeightedProduct>& products,
                                     bool goes_into_producer, const CancelToken& cancel) const {
        const auto rows = held_out_.find(seen.name);
        if (rows == held_out_.end() || rows->second.judging().empty()) return {};
        const SmoothingError error(graph(), products, seen, rows->second, options_);
        const std::vector<float> none(weight_peaks.size(), 1);
        const SmoothingCost plain = error([&](const std::vector<float>&) { return none; });
        double best = 0, least = plain.mean() * (goes_into_producer ? 1 : worth_a_mul);
        for (int i = 1; i < shares; ++i) {
            cancel.throw_if_cancelled();
            const double share = static_cast<double>(i) / shares;
            const SmoothingCost found = error([&](const std::vector<float>& peaks) {
                return divisors_of(seen, peaks, weight_peaks, share);
            });
            if (!(found.mean() < least) || !found.is_clearly_below(plain)) continue;
            least = found.mean();
            best = share;
        }
        return best > 0 ? divisors_of(seen, seen.channel_peak, weight_peaks, best)
                        : std::vector<float>();
    }

    bool scales_for_blocks() const {
        return options_.mode == QuantizeMode::weights && options_.smoothing_by_input;
    }

    /// Factors of weights in blocks with the least error to expect. None: the gain is too small.
    std::vector<float> best_factors(const ObservedTensor& seen,
                                    const std::vector<WeightedProduct>& products,
                                    bool goes_into_producer, const CancelToken& cancel) {
        if (seen.channel_square.size() != seen.channel_peak.size()) return {};
        const ScalingError error(graph(), products, seen.channel_square, options_);
        double least = 0, best = 0;
        threads_.execute([&] {
            const std::vector<float> none(seen.channel_square.size(), 1);
            least =
                error(none, threads_, cancel) * (goes_into_producer ? worth_scaling : worth_a_mul);
            for (int i = 1; i <= shares; ++i) {
                const double share = static_cast<double>(i) / shares;
                const double found = error(error.factors_of(share), threads_, cancel);
                if (!(found < least)) continue;
                least = found;
                best = share;
            }
        });
        return best > 0 ? error.factors_of(best) : std::vector<float>();
    }

    /// Divisors for a share, with a geometric mean of 1 over the channels that are used.
    static std::vector<float> divisors_of(const ObservedTensor& seen,
                                          const std::vector<float>& peaks,
                                          const std::vector<float>& weight_peaks, double share) {
        std::vector<float> divisors(weight_peaks.size(), 1);
        const auto is_used = [&](std::size_t c) {
            return peaks[c] > 0 && weight_peaks[c] > 0 && seen.channel_zero[c] <= rarely_used;
        };
        double logarithms = 0, count = 0;
        for (std::size_t c = 0; c < divisors.size(); ++c) {
            if (!is_used(c)) continue;
            const double found = std::pow(peaks[c], share) / std::pow(weight_peaks[c], 1 - share);
            divisors[c] = static_cast<float>(std::clamp(found, 1e-5, 1e5));
            logarithms += std::log(divisors[c]);
            ++count;
        }
        const auto mean = static_cast<float>(count > 0 ? std::exp(logarithms / count) : 1);
        for (std::size_t c = 0; c < divisors.size(); ++c)
            if (is_used(c)) divisors[c] /= mean;
        return divisors;
    }

    void add_mul(ValueId data, const std::vector<WeightedProduct>& products,
                 const std::vector<float>& divisors) {
        std::vector<float> factors(divisors.size());
        std::ranges::transform(divisors, factors.begin(), [](float d) { return 1 / d; });
        const std::string name = graph().value(data).name;
        const ValueId constant = edit_.add_initializer(
            name + "_smoothing",
            Tensor::of<float>({static_cast<std::int64_t>(factors.size())}, factors));
        const ValueId smooth =
            edit_.node("Mul", {data, constant}, {}, name + "_smooth", name + "_smooth");
        for (const WeightedProduct& product : products) edit_.set_input(product.node, 0, smooth);
        ++added_;
    }

    GraphEdit edit_;
    const Calibration& seen_;
    const QuantizeOptions& options_;
    TaskThreads threads_;
    std::map<ValueId, std::vector<WeightedProduct>> products_;  // by what they read
    std::map<std::string, HeldOutRows> held_out_;               // by the name of that
    std::size_t added_ = 0;
};

}  // namespace

std::size_t smooth_products(Model& model, const Calibration& seen, const QuantizeOptions& options,
                            const SampleSource& samples, std::vector<std::string>& notes,
                            const Progress& progress) {
    Smoother smoother(model, seen, options);
    if (options.smoothing_by_input && options.mode != QuantizeMode::weights)
        smoother.look(model, samples, progress);
    return smoother.run(notes, progress.cancel);
}

}  // namespace lapidary
