// SPDX-License-Identifier: Apache-2.0
#include "lapgen/bounds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include <lapidary/base/error.h>
#include <lapidary/bench/repeated_run.h>

#include "graph/traversal.h"
#include "lapgen/odd_inputs.h"
#include "proof/held_in_float32.h"

namespace lapidary::lapgen {

void make_whole(NamedValues& inputs) {
    for (auto& [name, value] : inputs)
        if (value.is_tensor() && value.tensor().dtype() == DType::f32)
            for (float& v : value.tensor().mutable_data<float>())
                v = std::clamp(std::nearbyint(v * 2), -4.0f, 4.0f);
}

NamedValues nudged(const NamedValues& inputs, float share) {
    return with_changed_floats(inputs, [share](Tensor& tensor) {
        float sign = share;
        for (float& v : tensor.mutable_data<float>())
            v += (sign = -sign) * std::max(std::abs(v), 0.1f);
    });
}

bool quantizes(const Model& model) {
    bool found = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes())
            found = found || graph.node(id).op_type.ends_with("QuantizeLinear");
    });
    return found;
}

bool is_float_tensor(const RuntimeValue& v) {
    return v.is_tensor() && (v.tensor().dtype() == DType::f32 || v.tensor().dtype() == DType::f64 ||
                             v.tensor().dtype() == DType::f16 || v.tensor().dtype() == DType::bf16);
}

double largest(const Tensor& tensor) {
    double most = 0;
    for (double v : to_doubles(tensor))
        most = std::isfinite(v) ? std::max(most, std::abs(v)) : INFINITY;
    return most;
}

std::vector<std::optional<Tolerance>> bounds(const NamedValues& expected, const NamedValues& moved,
                                             bool exact, double share_of_floats) {
    std::vector<std::optional<Tolerance>> out;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const RuntimeValue& e = expected[i].second;
        if (exact || !is_float_tensor(e)) {
            // Integers made of floats (quantized, rounded, compared) may step where the floats
            // move.
            const bool steady = exact || compare(moved[i].second, e, {0, 0}).matches;
            const bool quantized = e.is_tensor() && (e.tensor().dtype() == DType::u8 ||
                                                     e.tensor().dtype() == DType::i8);
            out.push_back(steady ? std::optional(Tolerance{0, quantized && !exact ? 1.0 : 0.0})
                                 : std::nullopt);
            continue;
        }
        const double size = largest(e.tensor());
        const DType dtype = e.tensor().dtype();
        const double share = dtype == DType::f16    ? 1e-2
                             : dtype == DType::bf16 ? 1e-1
                                                    : share_of_floats;
        const Tolerance t{0, share * size + 1e-6};
        out.push_back(std::isfinite(size) && compare(moved[i].second, e, t).matches
                          ? std::optional(t)
                          : std::nullopt);
    }
    return out;
}

std::vector<std::optional<Tolerance>> widened_by_rounding(
    std::vector<std::optional<Tolerance>> tolerances, const NamedValues& expected,
    const NamedValues& held, double unit) {
    if (held.empty()) return std::vector<std::optional<Tolerance>>(tolerances.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const RuntimeValue& e = expected[i].second;
        if (!tolerances[i]) continue;
        if (!is_float_tensor(e)) {  // a step where a last bit moves
            if (!compare(held[i].second, e, {0, 0}).matches) tolerances[i].reset();
            continue;
        }
        const double size = largest(e.tensor());
        double rounding = rounding_between(held[i].second, e);
        if (rounding > 0) rounding = std::max(rounding, unit * size);
        if (2 * rounding > 0.1 * size) tolerances[i].reset();
        else tolerances[i]->atol += 2 * rounding;
    }
    return tolerances;
}

double rounding_of_halves(const Model& model) {
    double most = 0;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (ValueId id : graph.values())
            if (const auto dtype = graph.value(id).type.dtype; dtype == DType::bf16) most = 0x1p-8;
            else if (dtype == DType::f16) most = std::max(most, 0x1p-11);
    });
    return most;
}

bool has_half(const Model& model) { return rounding_of_halves(model) > 0; }

std::string differences_of(const NamedValues& found, const NamedValues& expected,
                           const std::vector<std::optional<Tolerance>>& tolerances) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!tolerances[i]) continue;
        const Comparison c = compare(found[i].second, expected[i].second, *tolerances[i]);
        if (!c.matches) return "output " + quote(expected[i].first) + ": " + c.reason;
    }
    return {};
}

RuntimeValue with_expected_where(const RuntimeValue& found, const RuntimeValue& expected,
                                 const std::function<bool(std::size_t)>& is_as_good) {
    if (!found.is_tensor() || !expected.is_tensor()) return found;
    const Tensor &f = found.tensor(), &e = expected.tensor();
    const auto count = static_cast<std::size_t>(e.size());
    if (f.shape() != e.shape() || f.dtype() != e.dtype() || e.dtype() == DType::string ||
        is_packed(e.dtype()) || count == 0)
        return found;
    const auto stored =
        std::make_shared<std::vector<std::byte>>(f.bytes().begin(), f.bytes().end());
    const std::size_t bytes = e.byte_size() / count;
    for (std::size_t i = 0; i < count; ++i)
        if (is_as_good(i))
            std::memcpy(stored->data() + i * bytes, e.bytes().data() + i * bytes, bytes);
    return Tensor::borrow(e.dtype(), e.shape(), stored->data(), stored);
}

}  // namespace lapidary::lapgen
