// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/elementwise/number_output.h"

#include <limits>
#include <type_traits>

namespace lapidary::reference {
namespace {

template <typename T>
T convert(double value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value != 0;
    } else if constexpr (std::is_integral_v<T>) {
        if (value != value) return 0;
        if (value <= static_cast<double>(std::numeric_limits<T>::min()))
            return std::numeric_limits<T>::min();
        if (value >= static_cast<double>(std::numeric_limits<T>::max()))
            return std::numeric_limits<T>::max();
        return static_cast<T>(value);
    } else {
        return T(static_cast<compute_t<T>>(value));
    }
}

}  // namespace

DType output_type(const Node& node, std::string_view name, DType fallback) {
    if (!node.has_attribute(name)) return fallback;
    const std::int64_t number = node.int_attribute(name, 0);
    if (!is_known_dtype(number))
        fail_model("attribute " + std::string(name) + ": " + std::to_string(number) +
                   " is no known element type");
    return static_cast<DType>(number);
}

NumberOutput::NumberOutput(KernelContext& context, DType dtype, const Shape& shape)
    : output_(context.output(0, dtype, shape)) {
    dispatch<NumericOrBoolTypes>(dtype, []<typename T>() {});
    scratch_ = context.scratch(DType::f64, shape);
    values_ = scratch_.mutable_data<double>();
}

void NumberOutput::store() {
    dispatch<NumericOrBoolTypes>(output_.dtype(), [&]<typename T>() {
        auto to = output_.mutable_data<T>();
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = convert<T>(values_[i]);
    });
}

}  // namespace lapidary::reference
