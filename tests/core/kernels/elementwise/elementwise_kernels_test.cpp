// SPDX-License-Identifier: Apache-2.0
// The fast elementwise kernels against the reference kernels, on every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

std::vector<float> random_floats(std::int64_t count, float low, float high,
                                 std::uint32_t seed = 1) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> distribution(low, high);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& v : values) v = distribution(generator);
    return values;
}

Tensor random_tensor(Shape shape, float low = -4, float high = 4, std::uint32_t seed = 1) {
    const std::int64_t count = element_count(shape);
    return Tensor::of<float>(std::move(shape), random_floats(count, low, high, seed));
}

KernelRun fast(const char* kernel, std::set<std::size_t> constants = {}) {
    KernelRun run;
    run.kernel = kernel;
    run.constants = std::move(constants);
    return run;
}

/// Each element within `absolute` + `relative` of the expected one; NaN where NaN is expected.
void expect_near(const Tensor& actual, const Tensor& expected, float absolute, float relative,
                 const std::string& what) {
    ASSERT_EQ(actual.shape(), expected.shape()) << what;
    ASSERT_EQ(actual.dtype(), expected.dtype()) << what;
    const auto a = to_doubles(actual), e = to_doubles(expected);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(e[i])) {
            ASSERT_TRUE(std::isnan(a[i])) << what << " at " << i;
        } else if (a[i] != e[i]) {
            ASSERT_LE(std::fabs(a[i] - e[i]), absolute + relative * std::fabs(e[i]))
                << what << " at " << i << ": " << a[i] << " for " << e[i];
        }
    }
}

struct UnaryCase {
    const char* domain;
    const char* op;
    std::int64_t version;
    float low, high, absolute, relative;
    std::vector<Attribute> attributes = {};
};

const std::vector<UnaryCase>& unary_cases() {
    static const std::vector<UnaryCase> cases{
        {"", "Relu", 14, -4, 4, 0, 0},
        {"", "LeakyRelu", 16, -4, 4, 0, 0, {attribute("alpha", 0.3f)}},
        {"", "Sigmoid", 13, -30, 30, 1e-7f, 1e-6f},
        {"",
         "HardSigmoid",
         6,
         -4,
         4,
         2e-7f,
         0,
         {attribute("alpha", 0.25f), attribute("beta", 0.4f)}},
        {"", "Tanh", 13, -10, 10, 1e-7f, 1e-6f},
        {"", "HardSwish", 14, -5, 5, 1e-6f, 0},
        {"", "Elu", 6, -6, 6, 2e-7f, 1e-6f, {attribute("alpha", 0.7f)}},
        {"", "Softplus", 1, -20, 20, 2e-7f, 1e-6f},
        {"", "ThresholdedRelu", 10, -3, 3, 0, 0, {attribute("alpha", 0.5f)}},
        {"", "Celu", 12, -4, 4, 2e-7f, 1e-6f, {attribute("alpha", 1.5f)}},
        {"", "Selu", 6, -4, 4, 4e-7f, 1e-6f},
        {"", "Mish", 18, -10, 10, 2e-6f, 2e-6f},
        {"", "Softsign", 1, -4, 4, 0, 2e-7f},
        {"", "Gelu", 20, -6, 6, 1e-6f, 1e-6f},
        {"", "Gelu", 20, -6, 6, 1e-6f, 1e-6f, {attribute("approximate", "tanh")}},
        {"com.microsoft", "Gelu", 1, -6, 6, 1e-6f, 1e-6f},
        {"com.microsoft", "QuickGelu", 1, -6, 6, 1e-6f, 1e-6f, {attribute("alpha", 1.5f)}},
        {"com.microsoft", "FastGelu", 1, -6, 6, 1e-6f, 1e-6f},
        {"", "Affine", 1, -4, 4, 0, 2e-7f, {attribute("alpha", 1.5f), attribute("beta", -0.5f)}},
        {"", "Scale", 1, -4, 4, 0, 0, {attribute("scale", 1.5f)}},
        {"", "Abs", 13, -4, 4, 0, 0},
        {"", "Neg", 13, -4, 4, 0, 0},
        {"", "Sign", 13, -1, 1, 0, 0},
        {"", "Sqrt", 13, -0.1f, 9, 0, 0},
        {"", "Reciprocal", 13, -4, 4, 0, 0},
        {"", "Exp", 13, -87, 90, 0, 5e-7f},
        {"", "Log", 13, -0.1f, 50, 1e-7f, 5e-7f},
        {"", "Erf", 13, -5, 5, 1e-7f, 1e-6f},
        {"", "Sin", 7, -100, 100, 2e-7f, 0},
        {"", "Cos", 7, -9000, 9000, 2e-7f, 0},
        {"", "Atan", 7, -5, 5, 0, 3e-7f},
        {"", "Floor", 13, -9, 9, 0, 0},
        {"", "Ceil", 13, -9, 9, 0, 0},
        {"", "Round", 11, -9, 9, 0, 0},
        {"", "Clip", 6, -4, 4, 0, 0, {attribute("min", -1.0f), attribute("max", 2.5f)}},
    };
    return cases;
}

TEST(FastElementwise, FunctionsOfOneElementAgreeForAllLengthsAndInstructionSets) {
    for_each_isa([](Isa isa) {
        for (const UnaryCase& c : unary_cases())
            for (std::int64_t n :
                 {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 1000, 9001}) {
                const Tensor x = random_tensor({n}, c.low, c.high);
                expect_near(run_kernel_tensor(c.domain, c.op, c.version, {x}, c.attributes,
                                              fast("elementwise.unary")),
                            run_kernel_tensor(c.domain, c.op, c.version, {x}, c.attributes),
                            c.absolute, c.relative,
                            std::string(name_of(isa)) + " " + c.op + " of " + std::to_string(n));
            }
    });
}

TEST(FastElementwise, SpecialValuesOfOneElementAgree) {
    const Tensor x = Tensor::of<float>(
        {12}, {nan_value, inf, -inf, 0.0f, -0.0f, 1e30f, -1e30f, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f});
    for_each_isa([&](Isa isa) {
        for (const UnaryCase& c : unary_cases()) {
            const std::string op = c.op;
            if (op == "Gelu" || op == "FastGelu" || op == "QuickGelu" || op == "HardSwish" ||
                op == "Celu" || op == "Softsign" || op == "HardSigmoid")
                continue;  // 0 * inf; NaN
            expect_near(run_kernel_tensor(c.domain, c.op, c.version, {x}, c.attributes,
                                          fast("elementwise.unary")),
                        run_kernel_tensor(c.domain, c.op, c.version, {x}, c.attributes), 2e-7f,
                        2e-6f, std::string(name_of(isa)) + " " + op);
        }
    });
}

TEST(FastElementwise, HalvesAreRoundedOnce) {
    for_each_isa([](Isa isa) {
        for (const UnaryCase& c : unary_cases()) {
            std::vector<Half> halves;
            for (float v : random_floats(1500, std::max(c.low, -8.0f), std::min(c.high, 8.0f)))
                halves.push_back(Half(v));
            const Tensor x = Tensor::of<Half>({1500}, halves);
            expect_near(run_kernel_tensor(c.domain, c.op, c.version, {x}, c.attributes,
                                          fast("elementwise.unary")),
                        run_kernel_tensor(c.domain, c.op, c.version, {x}, c.attributes), 1e-4f,
                        1e-3f, std::string(name_of(isa)) + " " + c.op);
        }
    });
}

TEST(FastElementwise, ClipTakesItsBoundsFromConstants) {
    const Tensor x = Tensor::of<float>({5}, {-3, -1, 0, nan_value, 9});
    const auto clip = [&](std::vector<RuntimeValue> inputs) {
        return run_kernel_tensor("", "Clip", 13, inputs, {}, fast("elementwise.unary", {1, 2}));
    };
    EXPECT_EQ(values_of<float>(clip({x, Tensor::scalar(-2.0f), Tensor::scalar(4.0f)}))[0], -2.0f);
    EXPECT_EQ(values_of<float>(clip({x, RuntimeValue(), Tensor::scalar(4.0f)}))[4], 4.0f);
    EXPECT_TRUE(std::isnan(values_of<float>(clip({x, RuntimeValue(), Tensor::scalar(4.0f)}))[3]));
    EXPECT_EQ(values_of<float>(clip({x}))[0], -3.0f);
    // declines
    EXPECT_THROW(run_kernel_tensor("", "Clip", 13, {x, Tensor::scalar(-2.0f)}, {},
                                   fast("elementwise.unary")),
                 Error);
}

const std::vector<std::pair<Shape, Shape>>& broadcast_cases() {
    static const std::vector<std::pair<Shape, Shape>> cases{
        {{}, {}},
        {{7}, {7}},
        {{7}, {}},
        {{}, {33}},
        {{3, 5}, {5}},
        {{3, 5}, {3, 1}},
        {{5}, {3, 5}},
        {{1, 5}, {3, 1}},
        {{2, 3, 4, 5}, {3, 1, 1}},
        {{1, 6, 1, 1}, {2, 6, 7, 9}},
        {{2, 1, 4}, {3, 1}},
        {{2, 1, 3, 1, 5}, {4, 1, 6, 1}},
        {{64, 3}, {3}},
        {{3}, {500, 3}},
        {{0, 3}, {3}},
        {{3, 0}, {1}},
        {{17, 19}, {17, 19}},
        {{1, 1, 1}, {4}},
        {{40000}, {40000}},
        {{3, 20000}, {3, 1}},
        {{20000, 3}, {20000, 1}},
        {{20000, 4}, {4}},
        {{2, 3, 1, 1, 2, 2, 3}, {3, 2, 1, 1, 3}},
        {{700, 2}, {700, 1}},
        {{5, 300, 2}, {300, 1}},
        {{300, 1}, {1, 3}},
        {{1, 300, 1, 2}, {4, 1, 3, 1}},
    };
    return cases;
}

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

TEST(FastElementwise, NaNsAndInfinitiesAreFoundInEveryLane) {
    for_each_isa([](Isa isa) {
        for (std::int64_t n : {0, 1, 3, 4, 5, 8, 15, 16, 17, 33, 100, 40000}) {
            Tensor x = random_tensor({n});
            const auto values = x.mutable_data<float>();
            for (std::size_t i = 0; i < values.size(); ++i)
                if (const std::size_t kind = i * 7 % 5; kind < 3)
                    values[i] = kind == 0 ? nan_value : kind == 1 ? inf : -inf;
            const std::string what = std::string(name_of(isa)) + " " + std::to_string(n);
            EXPECT_TRUE(same_contents(
                run_kernel_tensor("", "IsNaN", 20, {x}, {}, fast("elementwise.float_test")),
                run_kernel_tensor("", "IsNaN", 20, {x})))
                << what;
            for (int positive : {0, 1})
                for (int negative : {0, 1}) {
                    const std::vector<Attribute> signs{attribute("detect_positive", positive),
                                                       attribute("detect_negative", negative)};
                    EXPECT_TRUE(same_contents(run_kernel_tensor("", "IsInf", 20, {x}, signs,
                                                                fast("elementwise.float_test")),
                                              run_kernel_tensor("", "IsInf", 20, {x}, signs)))
                        << what << " " << positive << negative;
                }
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

TEST(FastElementwise, WhereChoosesUnderEveryBroadcast) {
    const std::vector<bool> bits{true, false, false, true, true, false};
    for (const Shape& c_shape : {Shape{2, 3}, Shape{2, 1}, Shape{3}, Shape{}})
        for (const Shape& x_shape : {Shape{2, 3}, Shape{3}, Shape{}})
            for (const Shape& z_shape : {Shape{2, 3}, Shape{2, 1}, Shape{1}}) {
                Tensor c = Tensor::of<bool>(
                    c_shape,
                    std::vector<bool>(bits.begin(), bits.begin() + element_count(c_shape)));
                const Tensor x = random_tensor(x_shape, 0, 1, 1),
                             z = random_tensor(z_shape, 2, 3, 2);
                EXPECT_TRUE(same_contents(
                    run_kernel_tensor("", "Where", 16, {c, x, z}, {}, fast("elementwise.where")),
                    run_kernel_tensor("", "Where", 16, {c, x, z})));
            }
    const Tensor c = Tensor::of<bool>({1}, {true});
    EXPECT_THROW(run_kernel_tensor("", "Where", 16, {c, Tensor::scalar(1.0f), Tensor::scalar(1.0)},
                                   {}, fast("elementwise.where")),
                 Error);
}

TEST(FastElementwise, CastsAgreeForCommonTypes) {
    const std::vector<float> values{0,      -0.0f,     1.5f,          -1.5f, 300,    -300,
                                    127.9f, 1e10f,     -1e10f,        1e20f, -1e20f, inf,
                                    -inf,   nan_value, 2147483520.0f, 0.49f};
    const Tensor base = Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
    constexpr DType types[] = {DType::f32, DType::f64, DType::i32,     DType::i64,
                               DType::u8,  DType::i8,  DType::boolean, DType::f16};
    for (DType from : types) {
        const Tensor x =
            run_kernel_tensor("", "Cast", 13, {base}, {attribute("to", static_cast<int>(from))});
        for (DType to : types) {
            // declined
            if ((from == DType::f16) != (to == DType::f16) && from != DType::f32 &&
                to != DType::f32)
                continue;
            if (from == DType::f16 && to == DType::f16) continue;
            expect_near(
                run_kernel_tensor("", "Cast", 13, {x}, {attribute("to", static_cast<int>(to))},
                                  fast("elementwise.cast")),
                run_kernel_tensor("", "Cast", 13, {x}, {attribute("to", static_cast<int>(to))}), 0,
                0, std::string(name_of(from)) + " to " + std::string(name_of(to)));
        }
    }
}

TEST(FastElementwise, HalvesConvertBothWaysOnEveryInstructionSet) {
    for_each_isa([](Isa) {
        for (std::int64_t n : {0, 1, 7, 8, 9, 15, 16, 17, 33, 70000}) {
            const Tensor x = random_tensor({n}, -70000, 70000);
            const Tensor narrow = run_kernel_tensor("", "Cast", 13, {x}, {attribute("to", 10)},
                                                    fast("elementwise.cast"));
            expect_near(narrow, run_kernel_tensor("", "Cast", 13, {x}, {attribute("to", 10)}), 0, 0,
                        "narrow");
            expect_near(run_kernel_tensor("", "Cast", 13, {narrow}, {attribute("to", 1)},
                                          fast("elementwise.cast")),
                        run_kernel_tensor("", "Cast", 13, {narrow}, {attribute("to", 1)}), 0, 0,
                        "wide");
        }
    });
}

TEST(FastElementwise, ImagesAreScaledPerChannel) {
    for_each_isa([](Isa) {
        for (const Shape& shape : {Shape{2, 3, 5, 7}, Shape{1, 3, 200, 150}, Shape{0, 3, 2, 2}})
            for (const auto& bias : {std::vector<float>{}, std::vector<float>{-0.5f, 1.25f, 3}}) {
                const Tensor x = random_tensor(shape);
                const std::vector<Attribute> attributes{attribute("scale", 0.3f),
                                                        attribute("bias", bias)};
                expect_near(run_kernel_tensor("", "ImageScaler", 1, {x}, attributes,
                                              fast("elementwise.image_scaler")),
                            run_kernel_tensor("", "ImageScaler", 1, {x}, attributes), 0, 0,
                            "ImageScaler");
            }
    });
}

TEST(FastElementwise, BiasesAreAddedToEveryRow) {
    for_each_isa([](Isa isa) {
        for (std::int64_t width : {1, 5, 16, 33}) {
            const Tensor x = random_tensor({3, 7, width}), bias = random_tensor({width}, -1, 1, 5);
            for (const char* op : {"BiasGelu", "FastGelu"})
                expect_near(run_kernel_tensor("com.microsoft", op, 1, {x, bias}, {},
                                              fast("elementwise.bias_activation")),
                            run_kernel_tensor("com.microsoft", op, 1, {x, bias}), 1e-6f, 1e-6f,
                            std::string(name_of(isa)) + op);
            expect_near(run_kernel_tensor("com.microsoft", "BiasAdd", 1, {x, bias, x}, {},
                                          fast("elementwise.bias_activation")),
                        run_kernel_tensor("com.microsoft", "BiasAdd", 1, {x, bias, x}), 0, 0,
                        "BiasAdd");
        }
        EXPECT_THROW(run_kernel_tensor("com.microsoft", "BiasGelu", 1,
                                       {random_tensor({2, 3}), random_tensor({4})}, {},
                                       fast("elementwise.bias_activation")),
                     Error);
    });
}

}  // namespace
}  // namespace lapidary::test
