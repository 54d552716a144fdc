// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/half_weights.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "exec/plan/large_weights.h"
#include "rewrite/half_floats.h"
#include "rewrite/narrowed_constant.h"
#include "rewrite/widened_constant.h"

namespace lapidary {
namespace {

/// Each weight is rounded once, so that kernels of several bodies share what they pack.
class HalfConversion final : public WeightConversion {
public:
    explicit HalfConversion(DType half) : half_(half) {}

    bool convert(GraphEdit& edit, NodeId product, const Value& weight) override {
        const Graph& graph = edit.graph();
        const ValueId read = graph.node(product).inputs[1];
        const Tensor* const halves = rounded_of(weight);
        if (!halves) return false;
        ValueId& stands = stands_[{&graph, read}];
        if (!stands)
            stands =
                edit.add_initializer(edit.fresh_name(graph.value(read).name + "_rounded"), *halves);
        edit.set_input(product, 1, stands);
        return true;
    }

private:
    /// Identity and shape of a constant.
    using Key = std::pair<const void*, std::vector<std::int64_t>>;

    /// Null: float16 cannot hold it.
    const Tensor* rounded_of(const Value& weight) {
        const Shape& shape = weight.constant->shape();
        const Key key{weight.constant->identity(),
                      std::vector<std::int64_t>(shape.begin(), shape.end())};
        if (const auto known = rounded_.find(key); known != rounded_.end())
            return known->second ? &*known->second : nullptr;
        std::optional<Tensor>& rounded = rounded_[key];
        sources_.push_back(*weight.constant);
        if (half_ == DType::f16 && !half_constant_problem(weight).empty()) return nullptr;
        rounded = widened_constant(narrowed_constant(*weight.constant, half_));
        return &*rounded;
    }

    const DType half_;
    // weights of a graph, and what stands for them there
    std::map<std::pair<const Graph*, ValueId>, ValueId> stands_;
    std::map<Key, std::optional<Tensor>> rounded_;  // nothing: float16 cannot hold it
    std::vector<Tensor> sources_;                   // kept, so that no identity comes twice
};

}  // namespace

std::size_t round_weights_to_halves(Model& model, DType half, const CancelToken& cancel) {
    HalfConversion conversion(half);
    return convert_large_weights(model, conversion, cancel);
}

}  // namespace lapidary
