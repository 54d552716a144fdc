// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/odd_inputs.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include <lapidary/base/error.h>

#include "base/at.h"
#include "graph/traversal.h"
#include "inputs/input_sizes.h"
#include "inputs/input_usage.h"
#include "inputs/input_values.h"
#include "kernels/dispatch.h"

namespace lapidary {
namespace {

bool is_wide_float(DType dtype) {
    return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::f16 ||
           dtype == DType::bf16;
}
bool is_byte_sized(DType dtype) {
    return dtype == DType::boolean || dtype == DType::u8 || dtype == DType::i8;
}
bool may_be_mask(DType dtype) {
    return is_wide_float(dtype) || dtype == DType::i32 || dtype == DType::i64 ||
           is_byte_sized(dtype);
}

std::size_t row_of(const Tensor& t) {
    return static_cast<std::size_t>(std::max<std::int64_t>(1, t.shape().back()));
}

/// A copy that has value_at(i) where that is a number, of a numeric or bool tensor. Copies piece by
/// piece between looks at the cancel token: the first touch of 100 MB takes tenths of a second on
/// some virtual machines.
template <typename F>
Tensor changed(const Tensor& tensor, const SeededNumbers& numbers, F&& value_at) {
    Tensor out(tensor.dtype(), tensor.shape());
    dispatch<NumericOrBoolTypes>(out.dtype(), [&]<typename T>() {
        const auto before = tensor.data<T>();
        auto values = out.mutable_data<T>();
        for (std::size_t i = 0; i < values.size(); ++i) {
            numbers.allow_cancel(i);
            values[i] = before[i];
            if (const std::optional<double> value = value_at(i)) {
                if constexpr (std::is_same_v<T, bool>) values[i] = *value != 0;
                else if constexpr (std::is_integral_v<T>)
                    values[i] = static_cast<T>(static_cast<std::int64_t>(std::trunc(*value)));
                else values[i] = T(static_cast<float>(*value));
            }
        }
    });
    return out;
}

Tensor with_other_values(const Tensor& mask, SeededNumbers& numbers) {
    constexpr double any[] = {0, 1, 1, 2, -1, 0.5}, truths[] = {0, 1}, bytes[] = {0, 1, 2};
    const bool is_float_mask = is_wide_float(mask.dtype());
    const std::span<const double> choices =
        mask.dtype() == DType::boolean ? std::span<const double>(truths)
        : mask.dtype() == DType::u8
            ? std::span<const double>(bytes)
            : std::span<const double>(any, std::size(any) - (is_float_mask ? 0 : 1));
    // No row is masked completely here: that is another kind.
    const std::size_t row = row_of(mask);
    return changed(mask, numbers, [&](std::size_t i) -> std::optional<double> {
        const double value = at(choices, numbers.below(static_cast<std::int64_t>(choices.size())));
        return i % row == 0 ? 1 : value;
    });
}

Tensor with_hidden_rows(const Tensor& mask, const SeededNumbers& numbers) {
    const std::size_t row = row_of(mask);
    return changed(mask, numbers, [&](std::size_t i) {
        return i / row % 2 == 0 ? std::optional<double>(0) : std::nullopt;
    });
}

Tensor with_what_is_not_finite(const Tensor& tensor, SeededNumbers& numbers) {
    constexpr double inf = std::numeric_limits<double>::infinity(),
                     nan = std::numeric_limits<double>::quiet_NaN();
    const std::size_t row = row_of(tensor), rows = static_cast<std::size_t>(tensor.size()) / row;
    // a tensor of one row keeps finite values
    const std::size_t whole = rows > 1 ? rows - 1 : rows;
    return changed(tensor, numbers, [&, whole](std::size_t i) -> std::optional<double> {
        if (i / row == whole) return nan;
        switch (numbers.below(64)) {
        case 0: return nan;
        case 1: return inf;
        case 2: return -inf;
        default: return std::nullopt;
        }
    });
}

enum class Purpose : std::uint8_t { other, mask, values };

Purpose purpose_of(const Model& model, const Value& input, const Tensor& tensor,
                   const InputSizes& sizes) {
    if (tensor.rank() == 0 || tensor.size() == 0 || !may_be_mask(tensor.dtype()))
        return Purpose::other;
    const InputUsage usage =
        usage_of_input(model, input.id, [&](const Dim& dim) { return sizes.size_of(dim); });
    const Type type = Type::tensor(tensor.dtype());
    if (is_mask_input(input.name, type, tensor.shape(), usage)) return Purpose::mask;
    const InputRole role = role_of_name(input.name, type, tensor.shape());
    const bool is_setting = usage.exactly || !usage.list.empty() || usage.within || usage.below ||
                            usage.is_positive || usage.length_of ||
                            usage.total != InputUsage::Total::none ||
                            (role != InputRole::none && role != InputRole::image);
    return !is_setting && is_wide_float(tensor.dtype()) ? Purpose::values : Purpose::other;
}

template <typename T>
double largest_finite(std::span<const T> values) {
    double most = 0;
    for (const T& v : values)
        if (const double value = std::abs(static_cast<double>(static_cast<float>(v)));
            std::isfinite(value))
            most = std::max(most, value);
    return most;
}

RuntimeValue with_one_value_for_not_finite(const RuntimeValue& value) {
    Tensor out = value.tensor().clone();
    dispatch<FloatTypes>(out.dtype(), [&]<typename T>() {
        for (T& v : out.mutable_data<T>())
            if (!std::isfinite(static_cast<float>(v)))
                v = T(std::numeric_limits<float>::quiet_NaN());
    });
    return out;
}

}  // namespace

std::string_view words_for(OddInputs::Kind kind) {
    switch (kind) {
    case OddInputs::Kind::other_values: return "masks with other values than 0 and 1";
    case OddInputs::Kind::hidden_rows: return "masks that hide whole rows";
    case OddInputs::Kind::not_finite: return "inputs with NaN and Inf";
    }
    return {};
}

std::vector<OddInputs> odd_inputs(const Model& model, const NamedValues& inputs, std::uint64_t seed,
                                  const CancelToken& cancel) {
    std::optional<InputSizes> sizes;
    try {
        sizes.emplace(model, inputs, std::map<std::string, std::int64_t>(), DefaultLengths{},
                      cancel);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return {};  // they do not fit the model: a run says so better
    }
    std::map<std::string_view, const Value*> by_name;
    for (const ValueId id : model.graph.inputs())
        by_name.emplace(model.graph.value(id).name, &model.graph.value(id));
    std::vector<Purpose> purposes(inputs.size(), Purpose::other);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        cancel.throw_if_cancelled();
        const auto input = by_name.find(inputs[i].first);
        if (input != by_name.end() && inputs[i].second.is_tensor())
            purposes[i] = purpose_of(model, *input->second, inputs[i].second.tensor(), *sizes);
    }
    std::vector<OddInputs> all;
    for (const auto kind : {OddInputs::Kind::other_values, OddInputs::Kind::hidden_rows,
                            OddInputs::Kind::not_finite}) {
        const Purpose wanted =
            kind == OddInputs::Kind::not_finite ? Purpose::values : Purpose::mask;
        OddInputs odd{kind, inputs};
        bool is_changed = false;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (purposes[i] != wanted) continue;
            cancel.throw_if_cancelled();
            auto& [name, value] = odd.inputs[i];
            SeededNumbers numbers(seed, name, cancel);
            value = kind == OddInputs::Kind::other_values
                        ? with_other_values(value.tensor(), numbers)
                    : kind == OddInputs::Kind::hidden_rows
                        ? with_hidden_rows(value.tensor(), numbers)
                        : with_what_is_not_finite(value.tensor(), numbers);
            is_changed = true;
        }
        if (is_changed) all.push_back(std::move(odd));
    }
    return all;
}

double fair_share(const Model& model) {
    bool quantizes = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes())
            for (const std::string_view part :
                 {"Quantize", "QLinear", "Integer", "QGemm", "QAttention"})
                quantizes = quantizes || graph.node(id).op_type.find(part) != std::string::npos;
    });
    return quantizes ? 1e-1 : 1e-2;
}

Comparison compare_on_odd_inputs(const RuntimeValue& actual, const RuntimeValue& expected,
                                 Tolerance tolerance, double share) {
    if (!actual.is_tensor() || !expected.is_tensor() ||
        actual.tensor().dtype() != expected.tensor().dtype() ||
        !is_wide_float(expected.tensor().dtype()))
        return compare(actual, expected, tolerance);
    dispatch<FloatTypes>(expected.tensor().dtype(), [&]<typename T>() {
        tolerance.further += share * largest_finite(expected.tensor().data<T>());
    });
    return compare(with_one_value_for_not_finite(actual), with_one_value_for_not_finite(expected),
                   tolerance);
}

}  // namespace lapidary
