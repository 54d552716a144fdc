// SPDX-License-Identifier: Apache-2.0
// Fast kernels of functions of one element against the reference kernels, on every instruction
// set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <lapidary/base/error.h>

#include "core/kernels/elementwise/elementwise_inputs.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

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

}  // namespace
}  // namespace lapidary::test
