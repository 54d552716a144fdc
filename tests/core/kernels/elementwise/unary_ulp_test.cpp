// SPDX-License-Identifier: Apache-2.0
// The error of every operator that computes float results from one element, in units in the last
// place (ULP), of its plain kernel and of its vector kernel on every instruction set. What is exact
// is the plain kernel in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ops/operator_traits.h"
#include "support/kernel_harness.h"

namespace lapidary {
namespace {

using test::attribute;

/// The number whose last place counts: the result; that or 1 (periods, sums with a constant); that
/// or the operand (products with what is close to 0).
enum class Unit { result, one, operand };

struct Row {
    const char* domain;
    const char* op;
    std::int64_t version;
    double plain, vector;  // most ULP; vector 0: exact, -1: it has no vector kernel
    Unit unit = Unit::result;
    std::vector<Attribute> attributes = {};
};

const std::vector<Row>& table() {
    static const std::vector<Row> rows{
        {"", "Abs", 13, 0, 0},
        {"", "Acos", 7, 1, -1},
        {"", "Acosh", 9, 3, -1},
        {"",
         "Affine",
         1,
         1.5,
         1.5,
         Unit::operand,
         {attribute("alpha", 1.5f), attribute("beta", -0.5f)}},
        {"", "Asin", 7, 1, -1},
        {"", "Asinh", 9, 2, -1},
        {"", "Atan", 7, 1, 3},
        {"", "Atanh", 9, 2, -1},
        {"", "Ceil", 13, 0, 0},
        {"", "Celu", 12, 3, 3, Unit::result, {attribute("alpha", 1.5f)}},
        {"", "Clip", 6, 0, 0, Unit::result, {attribute("min", -1.0f), attribute("max", 2.5f)}},
        {"", "Cos", 7, 1, 1, Unit::one},
        {"", "Cosh", 9, 2, -1},
        {"", "Elu", 6, 2, 2, Unit::result, {attribute("alpha", 0.7f)}},
        {"", "Erf", 13, 1, 7},
        {"", "Exp", 13, 1, 2},
        {"", "Floor", 13, 0, 0},
        {"", "Gelu", 20, 3, 5, Unit::operand},
        {"", "Gelu", 20, 3, 5, Unit::operand, {attribute("approximate", "tanh")}},
        {"", "HardSigmoid", 6, 1, 1, Unit::one},
        {"", "HardSwish", 14, 3, 3, Unit::operand},
        {"", "LeakyRelu", 16, 0.5, 0.5, Unit::result, {attribute("alpha", 0.3f)}},
        {"", "Log", 13, 1, 2},
        {"", "Mish", 18, 1, 3},
        {"", "Neg", 13, 0, 0},
        {"",
         "ParametricSoftplus",
         1,
         3,
         -1,
         Unit::result,
         {attribute("alpha", 1.5f), attribute("beta", 0.5f)}},
        {"", "Reciprocal", 13, 0.5, 0.5},
        {"", "Relu", 14, 0, 0},
        {"", "Round", 11, 0, 0},
        {"", "Scale", 1, 0.5, 0.5, Unit::result, {attribute("scale", 1.3f)}},
        {"",
         "ScaledTanh",
         1,
         3,
         -1,
         Unit::result,
         {attribute("alpha", 1.5f), attribute("beta", 0.5f)}},
        {"", "Selu", 6, 3, 3},
        {"",
         "Shrink",
         9,
         0.5,
         -1,
         Unit::result,
         {attribute("bias", 0.25f), attribute("lambd", 0.5f)}},
        {"", "Sigmoid", 13, 3, 4},
        {"", "Sign", 13, 0, 0},
        {"", "Sin", 7, 1, 1, Unit::one},
        {"", "Sinh", 9, 2, -1},
        {"", "Softplus", 1, 2, 2},
        {"", "Softsign", 1, 1.5, 1.5},
        {"", "Sqrt", 13, 0.5, 0.5},
        {"", "Swish", 24, 3, 5, Unit::operand},
        {"", "Tan", 7, 1, -1},
        {"", "Tanh", 13, 2, 7},
        {"", "ThresholdedRelu", 10, 0, 0},
        {"com.microsoft", "Gelu", 1, 3, 5, Unit::operand},
        {"com.microsoft", "QuickGelu", 1, 3, 5, Unit::operand},
    };
    return rows;
}

/// Of one element too, but nothing is rounded: they move, convert or test.
constexpr std::string_view not_of_floats[] = {"BitCast",  "BitwiseNot", "Cast",  "CastLike",
                                              "Identity", "IsInf",      "IsNaN", "Not"};

/// Normal numbers of every exponent and sign, a dense range where the functions bend, and 0.
const Tensor& samples() {
    static const Tensor values = [] {
        std::vector<float> v{0};
        for (std::uint64_t bits = 0; bits < 0x100000000ull; bits += 99991)
            if (const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
                std::isnormal(x))
                v.push_back(x);
        for (float x = -106; x < 106; x += 0.004f) v.push_back(x);
        return Tensor::of<float>({std::ssize(v)}, v);
    }();
    return values;
}

double ulp_of(double x) {
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::ldexp(1.0, std::max(exponent, -125) - 24);
}

/// Results below the normal numbers may be 0.
double ulps_off(float y, double exact, float x, Unit unit) {
    constexpr double smallest_normal = std::numeric_limits<float>::min();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (std::isnan(exact)) return std::isnan(y) ? 0 : infinity;
    if (std::isinf(static_cast<float>(exact))) return y == static_cast<float>(exact) ? 0 : infinity;
    if (std::abs(exact) < smallest_normal) return std::abs(y) <= 2 * smallest_normal ? 0 : infinity;
    const double least = unit == Unit::one       ? 1
                         : unit == Unit::operand ? std::max(1.0, std::abs(double(x)))
                                                 : 0;
    return std::abs(y - exact) / ulp_of(std::max(std::abs(exact), least));
}

struct Worst {
    double ulps = 0, relative = 0;
    float at = 0;
};

Worst worst_of(const Tensor& found, const std::vector<double>& exact, Unit unit) {
    Worst worst;
    const auto x = samples().data<float>(), y = found.data<float>();
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double ulps = ulps_off(y[i], exact[i], x[i], unit);
        if (!(ulps <= worst.ulps)) worst.ulps = ulps, worst.at = x[i];
        if (std::abs(exact[i]) >= std::numeric_limits<float>::min() &&
            std::isfinite(static_cast<float>(exact[i])))
            worst.relative =
                std::max(worst.relative, std::abs(y[i] - exact[i]) / std::abs(exact[i]));
    }
    return worst;
}

std::vector<double> exact_of(const Row& row) {
    const Tensor x = Tensor::of<double>(samples().shape(), to_doubles(samples()));
    return to_doubles(
        test::run_kernel_tensor(row.domain, row.op, row.version, {x}, row.attributes));
}

TEST(UnaryUlps, EveryOperatorOfOneElementIsInTheTable) {
    for (const OperatorTraits& traits : all_operator_traits()) {
        if (traits.layout != OperatorLayout::unary) continue;
        const bool is_held = std::ranges::any_of(table(), [&](const Row& row) {
            return traits.domain == row.domain && traits.name == row.op;
        });
        EXPECT_TRUE(is_held ||
                    std::ranges::find(not_of_floats, traits.name) != std::end(not_of_floats))
            << traits.qualified_name() << " has no bound";
    }
}

TEST(UnaryUlps, PlainAndVectorKernelsKeepWithinTheTable) {
    for (const Row& row : table()) {
        const std::vector<double> exact = exact_of(row);
        const auto check = [&](const Tensor& found, double bound, std::string_view kernel) {
            const Worst worst = worst_of(found, exact, row.unit);
            EXPECT_LE(worst.ulps, bound) << row.op << ", " << kernel << ", of " << worst.at;
        };
        check(test::run_kernel_tensor(row.domain, row.op, row.version, {samples()}, row.attributes),
              row.plain, "plain");
        if (row.vector < 0) continue;
        test::for_each_isa([&](Isa isa) {
            check(test::run_kernel_tensor(row.domain, row.op, row.version, {samples()},
                                          row.attributes, {.kernel = "elementwise.unary"}),
                  row.vector, name_of(isa));
        });
    }
}

/// log(1 + e^x) is about e^x where e^x is lost beside 1, and what is made of it is as accurate.
TEST(UnaryUlps, LogarithmsOfOnePlusASmallNumberKeepTheirDigits) {
    for (const Row& row : table()) {
        const std::string_view op = row.op;
        if (op != "Softplus" && op != "Mish" && op != "Elu") continue;
        const std::vector<double> exact = exact_of(row);
        EXPECT_LE(
            worst_of(test::run_kernel_tensor("", row.op, row.version, {samples()}, row.attributes),
                     exact, Unit::result)
                .relative,
            2e-7)
            << op;
        test::for_each_isa([&](Isa isa) {
            EXPECT_LE(
                worst_of(test::run_kernel_tensor("", row.op, row.version, {samples()},
                                                 row.attributes, {.kernel = "elementwise.unary"}),
                         exact, Unit::result)
                    .relative,
                2e-7)
                << op << ", " << name_of(isa);
        });
    }
}

}  // namespace
}  // namespace lapidary
