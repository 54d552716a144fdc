// SPDX-License-Identifier: Apache-2.0
// Comparison, logic and bitwise operators of two tensors with broadcasting.
#include "kernels/reference/elementwise_binary.h"

namespace lapidary::reference {

void greater(KernelContext& context) {
    compare_types<WideTypes>(context, [](auto a, auto b) { return a > b; });
}

void greater_or_equal(KernelContext& context) {
    compare_types<WideTypes>(context, [](auto a, auto b) { return a >= b; });
}

void less(KernelContext& context) {
    compare_types<WideTypes>(context, [](auto a, auto b) { return a < b; });
}

void less_or_equal(KernelContext& context) {
    compare_types<WideTypes>(context, [](auto a, auto b) { return a <= b; });
}

void equal(KernelContext& context) {
    using Types = TypeList<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                           std::uint64_t, bool, std::string>;
    compare_types<Types>(context, [](const auto& a, const auto& b) { return a == b; });
}

void logical_and(KernelContext& context) {
    compare_types<TypeList<bool>>(context, [](bool a, bool b) { return a && b; });
}

void logical_or(KernelContext& context) {
    compare_types<TypeList<bool>>(context, [](bool a, bool b) { return a || b; });
}

void logical_xor(KernelContext& context) {
    compare_types<TypeList<bool>>(context, [](bool a, bool b) { return a != b; });
}

void bitwise_and(KernelContext& context) {
    combine_types<IntegerTypes>(context, [](auto a, auto b) { return static_cast<decltype(a)>(a & b); });
}

void bitwise_or(KernelContext& context) {
    combine_types<IntegerTypes>(context, [](auto a, auto b) { return static_cast<decltype(a)>(a | b); });
}

void bitwise_xor(KernelContext& context) {
    combine_types<IntegerTypes>(context, [](auto a, auto b) { return static_cast<decltype(a)>(a ^ b); });
}

/// A shift by the width of the type or more leaves 0.
void bit_shift(KernelContext& context) {
    using Types = TypeList<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
    const std::string direction = context.node().string_attribute("direction", "");
    if (direction == "LEFT") {
        combine_types<Types>(context, [](auto a, auto b) {
            using T = decltype(a);
            return b >= sizeof(T) * 8 ? T(0) : static_cast<T>(static_cast<wrapping_t<T>>(a) << b);
        });
    } else if (direction == "RIGHT") {
        combine_types<Types>(context, [](auto a, auto b) {
            using T = decltype(a);
            return b >= sizeof(T) * 8 ? T(0) : static_cast<T>(a >> b);
        });
    } else {
        context.fail("attribute direction: expected \"LEFT\" or \"RIGHT\", found " + quote(direction));
    }
}

}  // namespace lapidary::reference
