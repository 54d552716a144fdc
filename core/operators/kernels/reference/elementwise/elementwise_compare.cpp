// SPDX-License-Identifier: Apache-2.0
// Comparison, logic and bitwise operators of two tensors with broadcasting.
#include "kernels/reference/elementwise/elementwise_binary.h"

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
    using Types =
        TypeList<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                 std::uint16_t, std::uint32_t, std::uint64_t, bool, std::string>;
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
    combine_types<IntegerTypes>(context,
                                [](auto a, auto b) { return static_cast<decltype(a)>(a & b); });
}

void bitwise_or(KernelContext& context) {
    combine_types<IntegerTypes>(context,
                                [](auto a, auto b) { return static_cast<decltype(a)>(a | b); });
}

void bitwise_xor(KernelContext& context) {
    combine_types<IntegerTypes>(context,
                                [](auto a, auto b) { return static_cast<decltype(a)>(a ^ b); });
}

/// A shift by the width of the type or more, or by a negative number, leaves 0, and -1 where a
/// negative number goes to the right.
void bit_shift(KernelContext& context) {
    const auto leaves_nothing = [](auto by) {
        return by < 0 || static_cast<std::uint64_t>(by) >= sizeof(by) * 8;
    };
    const std::string direction = context.node().string_attribute("direction", "");
    if (direction == "LEFT") {
        combine_types<IntegerTypes>(context, [&](auto a, auto b) {
            using T = decltype(a);
            return leaves_nothing(b) ? T(0) : static_cast<T>(static_cast<wrapping_t<T>>(a) << b);
        });
    } else if (direction == "RIGHT") {
        combine_types<IntegerTypes>(context, [&](auto a, auto b) {
            using T = decltype(a);
            return leaves_nothing(b) ? (a < 0 ? static_cast<T>(-1) : T(0)) : static_cast<T>(a >> b);
        });
    } else {
        context.fail("attribute direction: expected \"LEFT\" or \"RIGHT\", found " +
                     quote(direction));
    }
}

}  // namespace lapidary::reference
