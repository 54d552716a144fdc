// SPDX-License-Identifier: Apache-2.0
#include "quantize/recipes/quantize_recipes.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lapidary {
namespace {

bool has(const Model& model, std::string_view op_type) {
    return std::ranges::any_of(model.graph.nodes(),
                               [&](NodeId id) { return model.graph.node(id).op_type == op_type; });
}

/// True if there are products. Only their inputs are smoothed: otherwise recipes with smoothing
/// change nothing.
bool takes_smoothing(const Model& model, QuantizeMode mode) {
    return has(model, "MatMul") || has(model, "Gemm") ||
           (mode == QuantizeMode::dynamic && has(model, "LSTM"));
}

}  // namespace

std::vector<Recipe> recipes_of(const QuantizeOptions& asked, const Model& model) {
    std::vector<Recipe> recipes{{"as asked for", asked}};
    const auto add = [&](std::string name, auto change) {
        QuantizeOptions options = asked;
        change(options);
        recipes.push_back({std::move(name), std::move(options)});
    };
    if (asked.mode == QuantizeMode::half) return recipes;
    if (asked.mode == QuantizeMode::weights) {
        if (asked.storage != WeightStorage::blocks) return recipes;
        add("compensated rounding", [](QuantizeOptions& o) { o.compensated_rounding = true; });
        add("symmetric blocks",
            [](QuantizeOptions& o) { o.symmetric_blocks = !o.symmetric_blocks; });
        add("fitted blocks", [](QuantizeOptions& o) { o.fitted_blocks = true; });
        add("fitted blocks, compensated",
            [](QuantizeOptions& o) { o.fitted_blocks = o.compensated_rounding = true; });
        if (!takes_smoothing(model, asked.mode)) return recipes;
        add("scaled inputs, fitted blocks",
            [](QuantizeOptions& o) { o.smoothing_by_input = o.fitted_blocks = true; });
        add("scaled inputs, fitted blocks, compensated", [](QuantizeOptions& o) {
            o.smoothing_by_input = o.fitted_blocks = o.compensated_rounding = true;
        });
        return recipes;
    }
    add("compensated rounding", [](QuantizeOptions& o) { o.compensated_rounding = true; });
    add("equalized, compensated",
        [](QuantizeOptions& o) { o.equalize = o.compensated_rounding = true; });
    if (takes_smoothing(model, asked.mode)) {
        add("smoothed by input, compensated",
            [](QuantizeOptions& o) { o.smoothing_by_input = o.compensated_rounding = true; });
        for (double share : {0.5, 0.65, 0.8})
            add("smoothed " + std::to_string(share).substr(0, 4) + ", compensated",
                [&](QuantizeOptions& o) {
                    o.smoothing = share;
                    o.compensated_rounding = true;
                });
    }
    if (asked.mode == QuantizeMode::dynamic && has(model, "Conv"))
        add("convolutions float, compensated", [](QuantizeOptions& o) {
            o.keep_float.push_back("Conv");
            o.compensated_rounding = true;
        });
    const bool has_matrices = has(model, "MatMul") || has(model, "Gemm");
    if (asked.mode == QuantizeMode::dynamic && has_matrices) {
        const std::string other =
            asked.symmetric_weight ? "zero points of weights" : "no zero points of weights";
        add(other, [](QuantizeOptions& o) { o.symmetric_weight = !o.symmetric_weight; });
        add(other + ", compensated", [](QuantizeOptions& o) {
            o.symmetric_weight = !o.symmetric_weight;
            o.compensated_rounding = true;
        });
        if (has(model, "Conv"))
            add("convolutions float", [](QuantizeOptions& o) {
                o.symmetric_weight = false;
                o.keep_float.push_back("Conv");
            });
    }
    if (asked.mode != QuantizeMode::static_qdq) return recipes;
    add("extremes, compensated", [](QuantizeOptions& o) {
        o.range = RangeMethod::minmax;
        o.compensated_rounding = true;
    });
    add("extremes", [](QuantizeOptions& o) { o.range = RangeMethod::minmax; });
    add("equalized", [](QuantizeOptions& o) { o.equalize = true; });
    return recipes;
}

}  // namespace lapidary
