// SPDX-License-Identifier: Apache-2.0
// The elementary functions of vector code against double precision, over dense samples of all
// floats, with the bounds that kernels/vector/math.h states.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/vector/elementwise/elementary.h"
#include "support/kernel_harness.h"

namespace lapidary {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float smallest_normal = std::numeric_limits<float>::min();

/// Finite floats of every exponent and sign, and a dense range in which the functions bend.
const std::vector<float>& samples() {
    static const std::vector<float> values = [] {
        std::vector<float> v;
        for (std::uint64_t bits = 0; bits < 0x100000000ull; bits += 9973) {
            const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
            if (std::isfinite(x)) v.push_back(x);
        }
        for (float x = -106; x < 106; x += 0.0009f) v.push_back(x);
        return v;
    }();
    return values;
}

double ulp_of(double x) {
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::ldexp(1.0, std::max(exponent, -125) - 24);
}

std::vector<float> evaluate(ElementaryKernels::Function f, const std::vector<float>& x) {
    std::vector<float> y(x.size());
    f(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
    return y;
}

/// error(y, exact, x) of the worst sample.
template <typename Exact, typename Error>
void expect_within(double bound, ElementaryKernels::Function f, const Exact& exact,
                   const Error& error) {
    const std::vector<float> y = evaluate(f, samples());
    double worst = 0;
    float at = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double e = error(y[i], exact(static_cast<double>(samples()[i])), samples()[i]);
        if (e <= worst) continue;
        worst = e;
        at = samples()[i];
        if (std::isnan(e)) break;
    }
    EXPECT_LE(worst, bound) << "at " << at;
}

/// In ULP of the exact value; normal results only. An exact value that is no float has to give
/// infinity.
double in_ulp(float y, double exact, float) {
    if (std::isinf(static_cast<float>(exact))) return y == static_cast<float>(exact) ? 0 : infinity;
    if (std::abs(exact) < smallest_normal) return std::abs(y) <= 2 * smallest_normal ? 0 : infinity;
    return std::abs(y - exact) / ulp_of(exact);
}
double of_magnitude(float y, double exact, float x) {
    return std::abs(y - exact) / std::max(1.0, std::abs(static_cast<double>(x)));
}

TEST(VectorMath, HoldsItsBounds) {
    test::for_each_isa([](Isa isa) {
        SCOPED_TRACE(name_of(isa));
        const ElementaryKernels& k = elementary_kernels();
        expect_within(
            2, k.exp, [](double x) { return std::exp(x); },
            [](float y, double e, float x) {
                return x < -87.33f && y <= 2 * smallest_normal ? 0 : in_ulp(y, e, x);
            });
        expect_within(
            2, k.log, [](double x) { return std::log(x); },
            [](float y, double e, float x) { return x < smallest_normal ? 0 : in_ulp(y, e, x); });
        expect_within(
            7, k.erf, [](double x) { return std::erf(x); }, in_ulp);
        expect_within(
            7, k.tanh, [](double x) { return std::tanh(x); }, in_ulp);
        expect_within(
            4, k.sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, in_ulp);
        const auto absolute = [](float y, double e, float) { return std::abs(y - e); };
        expect_within(
            1e-7, k.sin, [](double x) { return std::sin(x); }, absolute);
        expect_within(
            1e-7, k.cos, [](double x) { return std::cos(x); }, absolute);
        expect_within(
            2, k.sin, [](double x) { return std::sin(x); },
            [](float y, double e, float x) { return std::abs(x) > 1.5f ? 0 : in_ulp(y, e, x); });
        expect_within(
            3, k.atan, [](double x) { return std::atan(x); }, in_ulp);
        expect_within(
            3e-7, k.gelu, [](double x) { return x / 2 * (1 + std::erf(x / std::numbers::sqrt2)); },
            of_magnitude);
        expect_within(
            3e-7, k.gelu_tanh,
            [](double x) {
                return x / 2 *
                       (1 +
                        std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
            },
            of_magnitude);
    });
}

TEST(VectorMath, FollowsTheLimits) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    test::for_each_isa([&](Isa isa) {
        SCOPED_TRACE(name_of(isa));
        const ElementaryKernels& k = elementary_kernels();
        const auto at = [](ElementaryKernels::Function f, float x) {
            return evaluate(f, {x}).at(0);
        };
        for (const auto f :
             {k.exp, k.log, k.erf, k.tanh, k.sigmoid, k.gelu, k.gelu_tanh, k.sin, k.cos, k.atan}) {
            // In any lane.
            for (std::size_t lane = 0; lane < 17; ++lane) {
                std::vector<float> x(17, 0.5f);
                x[lane] = nan;
                const auto y = evaluate(f, x);
                for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(y[i]), i == lane);
            }
        }
        EXPECT_EQ(at(k.exp, -infinity), 0);
        EXPECT_EQ(at(k.exp, infinity), infinity);
        EXPECT_EQ(at(k.exp, 0), 1);
        EXPECT_EQ(at(k.log, 0), -infinity);
        EXPECT_EQ(at(k.log, infinity), infinity);
        EXPECT_EQ(at(k.log, 1), 0);
        EXPECT_TRUE(std::isnan(at(k.log, -1)));
        EXPECT_TRUE(std::isnan(at(k.sin, infinity)) && std::isnan(at(k.cos, -infinity)));
        EXPECT_EQ(at(k.sin, 0), 0);
        EXPECT_EQ(at(k.cos, 0), 1);
        EXPECT_EQ(at(k.atan, infinity), std::numbers::pi_v<float> / 2);
        EXPECT_EQ(at(k.atan, -infinity), -std::numbers::pi_v<float> / 2);
        EXPECT_TRUE(at(k.atan, -0.0f) == 0 && std::signbit(at(k.atan, -0.0f)));
        EXPECT_EQ(at(k.erf, infinity), 1);
        EXPECT_EQ(at(k.erf, -infinity), -1);
        EXPECT_EQ(at(k.tanh, infinity), 1);
        EXPECT_EQ(at(k.tanh, -infinity), -1);
        EXPECT_EQ(at(k.sigmoid, infinity), 1);
        EXPECT_EQ(at(k.sigmoid, -infinity), 0);
        EXPECT_EQ(at(k.gelu, infinity), infinity);
    });
}

}  // namespace
}  // namespace lapidary
