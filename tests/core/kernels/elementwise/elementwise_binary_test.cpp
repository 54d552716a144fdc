// SPDX-License-Identifier: Apache-2.0
// Fast kernels of two and more operands against the reference kernels, on every instruction set:
// broadcasting, integers, remainders, powers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>

#include "core/kernels/elementwise/elementwise_inputs.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

TEST(FastElementwise, FloatOperandsBroadcastAsTheReferenceDoes) {
    for_each_isa([](Isa isa) {
        for (const auto& [a_shape, b_shape] : broadcast_cases()) {
            const Tensor a = random_tensor(a_shape, -3, 3, 1), b = random_tensor(b_shape, -3, 3, 2);
            for (const char* op : {"Add", "Sub", "Mul", "Div", "Min", "Max", "Less", "LessOrEqual",
                                   "Greater", "GreaterOrEqual", "Equal"})
                expect_near(run_kernel_tensor("", op, 16, {a, b}, {}, fast("elementwise.binary")),
                            run_kernel_tensor("", op, 16, {a, b}), 0, 0,
                            std::string(name_of(isa)) + " " + op + " " + to_string(a_shape) +
                                to_string(b_shape));
            const Tensor base = random_tensor(a_shape, 0.1f, 3, 1);
            expect_near(run_kernel_tensor("", "Pow", 15, {base, b}, {}, fast("elementwise.binary")),
                        run_kernel_tensor("", "Pow", 15, {base, b}), 0, 1e-6f, "Pow");
        }
    });
}

TEST(FastElementwise, PReluTakesSlopesThatBroadcastToItsInputOnly) {
    for_each_isa([](Isa) {
        const Tensor x = random_tensor({2, 5, 3, 7});
        for (const Shape& shape : {Shape{5, 1, 1}, Shape{1}, Shape{7}, Shape{2, 5, 3, 7}}) {
            const Tensor slope = random_tensor(shape, -1, 1, 3);
            expect_near(
                run_kernel_tensor("", "PRelu", 16, {x, slope}, {}, fast("elementwise.binary")),
                run_kernel_tensor("", "PRelu", 16, {x, slope}), 0, 0, "PRelu");
        }
        EXPECT_THROW(run_kernel_tensor("", "PRelu", 16, {random_tensor({3}), random_tensor({2, 3})},
                                       {}, fast("elementwise.binary")),
                     Error);
    });
}

TEST(FastElementwise, NaNWinsInMinAndMax) {
    const Tensor a = Tensor::of<float>({4}, {nan_value, 1, nan_value, -0.0f}),
                 b = Tensor::of<float>({4}, {1, nan_value, nan_value, 0.0f});
    for_each_isa([&](Isa isa) {
        for (const char* op : {"Min", "Max"})
            expect_near(run_kernel_tensor("", op, 13, {a, b}, {}, fast("elementwise.binary")),
                        run_kernel_tensor("", op, 13, {a, b}), 0, 0,
                        std::string(name_of(isa)) + op);
        for (const char* op : {"Less", "Equal", "GreaterOrEqual"})
            expect_near(run_kernel_tensor("", op, 16, {a, b}, {}, fast("elementwise.binary")),
                        run_kernel_tensor("", op, 16, {a, b}), 0, 0, op);
    });
}

template <typename T>
void expect_integers_agree(const std::vector<T>& a, const std::vector<T>& b) {
    const auto n = static_cast<std::int64_t>(a.size());
    const Tensor x = Tensor::of<T>({n}, a), z = Tensor::of<T>({n}, b);
    for (const char* op : {"Add", "Sub", "Mul", "Div", "Min", "Max", "Less", "LessOrEqual",
                           "Greater", "GreaterOrEqual", "Equal"})
        for (const auto& [p, q] : {std::pair(x, z), std::pair(x, Tensor::scalar(b[0])),
                                   std::pair(Tensor::scalar(a[0]), z)})
            EXPECT_TRUE(
                same_contents(run_kernel_tensor("", op, 16, {p, q}, {}, fast("elementwise.binary")),
                              run_kernel_tensor("", op, 16, {p, q})))
                << op;
}

TEST(FastElementwise, IntegersWrapAndDivideAsTheReferenceDoes) {
    constexpr auto low = std::numeric_limits<std::int64_t>::min(),
                   high = std::numeric_limits<std::int64_t>::max();
    expect_integers_agree<std::int64_t>({low, high, 7, -7, 3}, {-1, 2, -2, 2, 5});
    expect_integers_agree<std::int32_t>({INT32_MIN, INT32_MAX, 7, -7}, {-1, 2, -2, 2});
    expect_integers_agree<std::uint8_t>({0, 255, 7}, {255, 2, 3});
    expect_integers_agree<std::int8_t>({-128, 127, 7}, {-1, 2, -3});
    const Tensor a = Tensor::of<std::int64_t>({4}, {7, -7, low, 9}),
                 b = Tensor::of<std::int64_t>({4}, {-3, 3, -1, 4});
    EXPECT_TRUE(
        same_contents(run_kernel_tensor("", "Mod", 13, {a, b}, {}, fast("elementwise.binary")),
                      run_kernel_tensor("", "Mod", 13, {a, b})));
    for (const char* op : {"Div", "Mod"})
        EXPECT_THROW(run_kernel_tensor("", op, 14, {a, Tensor::scalar<std::int64_t>(0)}, {},
                                       fast("elementwise.binary")),
                     Error)
            << op;
    EXPECT_THROW(run_kernel_tensor("", "Add", 14, {a, Tensor::scalar<std::int32_t>(0)}, {},
                                   fast("elementwise.binary")),
                 Error);
}

TEST(FastElementwise, LogicOfBools) {
    const Tensor a = Tensor::of<bool>({4}, {true, true, false, false}),
                 b = Tensor::of<bool>({4}, {true, false, true, false});
    for (const char* op : {"And", "Or", "Xor", "Equal"})
        EXPECT_TRUE(
            same_contents(run_kernel_tensor("", op, 13, {a, b}, {}, fast("elementwise.binary")),
                          run_kernel_tensor("", op, 13, {a, b})))
            << op;
    EXPECT_TRUE(same_contents(run_kernel_tensor("", "Not", 1, {a}, {}, fast("elementwise.not")),
                              run_kernel_tensor("", "Not", 1, {a})));
}

TEST(FastElementwise, RemaindersOfFloatsAreExact) {
    const std::vector<Attribute> fmod{attribute("fmod", 1)};
    const auto expect_exact = [&](const Tensor& a, const Tensor& b, const std::string& what) {
        const Tensor actual =
                         run_kernel_tensor("", "Mod", 13, {a, b}, fmod, fast("elementwise.binary")),
                     expected = run_kernel_tensor("", "Mod", 13, {a, b}, fmod);
        expect_near(actual, expected, 0, 0, what);
        const auto found = values_of<float>(actual), wanted = values_of<float>(expected);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            EXPECT_TRUE(wanted[i] != 0 || std::signbit(found[i]) == std::signbit(wanted[i]))
                << what << " at " << i;
    };
    // Every pair of these, which fill vectors and their tails with near, far and special quotients.
    std::vector<float> values{0.0f,
                              1.0f,
                              3.0f,
                              0.1f,
                              7.5f,
                              0.99999994f,
                              1.0000001f,
                              16777215.0f,
                              16777216.0f,
                              268435456.0f,
                              1e10f,
                              1e30f,
                              std::numeric_limits<float>::max(),
                              std::numeric_limits<float>::min(),
                              std::numeric_limits<float>::denorm_min(),
                              1e-39f,
                              inf,
                              nan_value};
    for (const float v : std::vector<float>(values)) values.push_back(-v);
    const auto n = static_cast<std::int64_t>(values.size());
    for_each_isa([&](Isa isa) {
        const std::string name(name_of(isa));
        expect_exact(Tensor::of<float>({n, 1}, values), Tensor::of<float>({1, n}, values), name);
        for (const float v : values) {
            expect_exact(Tensor::of<float>({n}, values), Tensor::scalar(v),
                         name + " by " + std::to_string(v));
            expect_exact(Tensor::scalar(v), Tensor::of<float>({n}, values),
                         name + " of " + std::to_string(v));
        }
        for (const auto& [a_shape, b_shape] : broadcast_cases()) {
            expect_exact(random_tensor(a_shape, -1e4f, 1e4f, 1), random_tensor(b_shape, -3, 3, 2),
                         name + to_string(a_shape) + to_string(b_shape));
            expect_exact(random_tensor(a_shape, -9, 9, 3), random_tensor(b_shape, 1e-6f, 1e-5f, 4),
                         name + to_string(a_shape) + to_string(b_shape));
        }
    });
}

TEST(FastElementwise, TypesUnknownWhenChosenAreServedWhenRun) {
    KernelRun run = fast("elementwise.binary");
    run.static_shapes = false;
    const Tensor a = Tensor::of<Half>({3}, {Half(1.0f), Half(2.0f), Half(3.0f)});
    // the type is known: it declines
    EXPECT_THROW(run_kernel_tensor("", "Add", 14, {a, a}, {}, run), Error);
}

TEST(FastElementwise, PowersByConstants) {
    const Tensor x =
        Tensor::of<float>({8}, {nan_value, inf, -inf, 0.0f, -0.0f, 2.5f, -1.25f, 1e20f});
    for_each_isa([&](Isa isa) {
        for (float e : {2.0f, 0.5f, 3.0f, 1.0f, -1.0f, 1.7f, 0.0f})
            expect_near(run_kernel_tensor("", "Pow", 15, {x, Tensor::scalar(e)}, {},
                                          fast("elementwise.binary", {1})),
                        run_kernel_tensor("", "Pow", 15, {x, Tensor::scalar(e)}), 0, 3e-7f,
                        std::string(name_of(isa)) + " " + std::to_string(e));
    });
}

TEST(FastElementwise, SeveralInputsAreFoldedFromTheLeft) {
    for_each_isa([](Isa) {
        for (const char* op : {"Max", "Min", "Sum", "Mean"})
            for (std::size_t inputs : {1, 2, 3, 4}) {
                std::vector<RuntimeValue> same, mixed;
                for (std::size_t i = 0; i < inputs; ++i) {
                    same.push_back(random_tensor({3, 1000}, -1, 1, static_cast<std::uint32_t>(i)));
                    mixed.push_back(random_tensor(i % 2 ? Shape{7} : Shape{3, 1}, -1, 1,
                                                  static_cast<std::uint32_t>(i)));
                }
                for (const auto& given : {same, mixed})
                    expect_near(
                        run_kernel_tensor("", op, 13, given, {}, fast("elementwise.binary")),
                        run_kernel_tensor("", op, 13, given), 0, 0, op);
            }
    });
}

}  // namespace
}  // namespace lapidary::test
