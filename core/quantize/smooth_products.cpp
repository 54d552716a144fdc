// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <lapidary/error.h>

#include "quantize/weight_by_channel.h"
#include "quantize/weight_transforms.h"

namespace lapidary {
namespace {

constexpr double rarely_used = 0.95;  // share of zeros from which on a channel's peak tells nothing

class Smoother {
public:
    Smoother(Model& model, const Calibration& seen, double share)
        : edit_(model.graph, "smooth_products"), seen_(seen), share_(share) {
        edit_.set_default_version(model.opset());
    }

    std::size_t run(std::vector<std::string>& notes) {
        std::map<ValueId, std::vector<WeightedProduct>> by_data;
        for (NodeId id : graph().nodes()) {
            std::string ignored;
            const auto product = weighted_product(graph(), graph().node(id), ignored);
            if (product && product->plain && !product->is_convolution && graph().value(product->weight).read_once())
                by_data[product->data].push_back(*product);
        }
        std::size_t smoothed = 0;
        for (const auto& [data, products] : by_data) smoothed += smooth(data, products);
        edit_.finish();
        notes.push_back("smoothed the inputs of " + std::to_string(smoothed) + " products" +
                        (added_ > 0 ? ", " + std::to_string(added_) + " of them by a Mul of its own" : std::string()));
        return smoothed;
    }

private:
    const Graph& graph() const { return edit_.graph(); }

    bool smooth(ValueId data, const std::vector<WeightedProduct>& products) {
        const ObservedTensor* seen = seen_.find(graph().value(data).name);
        if (!seen || seen->channel_peak.empty()) return false;
        std::vector<float> peaks(seen->channel_peak.size(), 0);
        for (const WeightedProduct& product : products) {
            const std::vector<float> found = WeightByChannel(graph(), product).input_peaks();
            if (found.size() != peaks.size()) return false;
            for (std::size_t c = 0; c < peaks.size(); ++c) peaks[c] = std::max(peaks[c], found[c]);
        }
        const std::vector<float> divisors = divisors_of(*seen, peaks);
        for (const WeightedProduct& product : products) {
            WeightByChannel weight(graph(), product);
            weight.visit([&](float& v, std::size_t input, std::size_t) { v *= divisors[input]; });
            edit_.set_constant(product.weight, weight.tensor());
        }
        if (!(graph().value(data).uses.size() == products.size() && graph().value(data).output_uses == 0 &&
              graph().value(data).captured_by.empty() && fold(data, divisors)))
            add_mul(data, products, divisors);
        return true;
    }

    /// With a geometric mean of 1 over the channels that are used.
    std::vector<float> divisors_of(const ObservedTensor& seen, const std::vector<float>& weight_peaks) const {
        std::vector<float> divisors(weight_peaks.size(), 1);
        double logarithms = 0, count = 0;
        for (std::size_t c = 0; c < divisors.size(); ++c) {
            if (!(seen.channel_peak[c] > 0) || !(weight_peaks[c] > 0) || seen.channel_zero[c] > rarely_used) continue;
            const double found = std::pow(seen.channel_peak[c], share_) / std::pow(weight_peaks[c], 1 - share_);
            divisors[c] = static_cast<float>(std::clamp(found, 1e-5, 1e5));
            logarithms += std::log(divisors[c]);
            ++count;
        }
        const auto mean = static_cast<float>(count > 0 ? std::exp(logarithms / count) : 1);
        for (std::size_t c = 0; c < divisors.size(); ++c)
            if (seen.channel_peak[c] > 0 && weight_peaks[c] > 0 && seen.channel_zero[c] <= rarely_used)
                divisors[c] /= mean;
        return divisors;
    }

    bool fold(ValueId data, const std::vector<float>& divisors) {
        const Value& value = graph().value(data);
        if (value.kind != ValueKind::node_output) return false;
        const Node& node = graph().node(value.producer);
        std::vector<ValueId> vectors;
        if (node.domain.empty() && node.op_type == "LayerNormalization" && node.outputs.size() == 1) {
            vectors.push_back(node.inputs.at(1));
            if (node.inputs.size() > 2 && node.inputs[2]) vectors.push_back(node.inputs[2]);
        } else if (node.domain.empty() && node.op_type == "Mul") {
            vectors.push_back(node.inputs[graph().value(node.inputs[1]).is_constant() ? 1 : 0]);
        } else {
            return false;
        }
        for (ValueId vector : vectors)
            if (!graph().value(vector).is_constant() || graph().value(vector).constant->rank() != 1 ||
                graph().value(vector).constant->dtype() != DType::f32 ||
                static_cast<std::size_t>(graph().value(vector).constant->size()) != divisors.size())
                return false;
        const std::vector<std::size_t> places =
            node.op_type == "Mul" ? std::vector<std::size_t>{graph().value(node.inputs[1]).is_constant() ? 1u : 0u}
                                  : std::vector<std::size_t>{1, 2};
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            Tensor scaled = graph().value(vectors[i]).constant->clone();
            for (std::size_t c = 0; c < divisors.size(); ++c) scaled.mutable_data<float>()[c] /= divisors[c];
            edit_.set_input(node.id, places[i],
                            edit_.add_initializer(graph().value(vectors[i]).name + "_smoothed", scaled));
            if (graph().value(vectors[i]).is_unused()) edit_.erase_value(vectors[i]);
        }
        return true;
    }

    void add_mul(ValueId data, const std::vector<WeightedProduct>& products, const std::vector<float>& divisors) {
        std::vector<float> factors(divisors.size());
        std::ranges::transform(divisors, factors.begin(), [](float d) { return 1 / d; });
        const std::string name = graph().value(data).name;
        const ValueId constant = edit_.add_initializer(
            name + "_smoothing", Tensor::of<float>({static_cast<std::int64_t>(factors.size())}, factors));
        const ValueId smooth = edit_.node("Mul", {data, constant}, {}, name + "_smooth", name + "_smooth");
        for (const WeightedProduct& product : products) edit_.set_input(product.node, 0, smooth);
        ++added_;
    }

    GraphEdit edit_;
    const Calibration& seen_;
    double share_;
    std::size_t added_ = 0;
};

}  // namespace

std::size_t smooth_products(Model& model, const Calibration& seen, double share, std::vector<std::string>& notes) {
    return Smoother(model, seen, share).run(notes);
}

}  // namespace lapidary
