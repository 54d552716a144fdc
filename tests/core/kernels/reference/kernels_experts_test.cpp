// SPDX-License-Identifier: Apache-2.0
// Mixtures of experts of com.microsoft (MoE, QMoE) against sums written out here.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;

std::vector<RuntimeValue> run_all(const char* op, std::vector<RuntimeValue> inputs,
                                  std::vector<Attribute> attributes, std::size_t outputs) {
    KernelRun run;
    run.outputs = outputs;
    return run_kernel("com.microsoft", op, 1, std::move(inputs), std::move(attributes), run);
}

/// Values that look random but are the same each time.
Tensor noise(Shape shape, unsigned seed) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1;
    }
    return Tensor::of(std::move(shape), values);
}

void expect_near(const Tensor& a, const Tensor& b, float tolerance = 1e-5f) {
    ASSERT_EQ(a.shape(), b.shape());
    const auto x = a.data<float>(), y = b.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], tolerance) << "element " << i;
}

TEST(LanguageKernels, ExpertsAreChosenAndWeighted) {
    // Two features, one inner one, three experts that multiply by 1, 10 and 100.
    const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, -4}),
                 first = Tensor::of<float>({3, 1, 2}, {1, 0, 10, 0, 0, 100});
    const Tensor second = Tensor::of<float>({3, 2, 1}, {1, 1, 1, 2, 1, 3});
    const float a = std::log(2.0f), b = std::log(3.0f);
    const Tensor router =
        Tensor::of<float>({2, 3}, {0, a, b, b, a, 0});  // probabilities 1/6 1/3 1/2 and 1/2 1/3 1/6
    const auto run = [&](int k, int normalize, const char* activation) {
        return values_of<float>(
            run_all("MoE", {x, router, first, {}, second},
                    {attribute("k", k), attribute("normalize_routing_weights", normalize),
                     attribute("activation_type", activation)},
                    1)[0]
                .tensor());
    };
    const auto near = [](const F& got, const F& expected) {
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-3) << i;
    };
    near(run(1, 1, "identity"), {200, 600, 3, 3});
    near(run(1, 0, "identity"), {100, 300, 1.5f, 1.5f});
    near(run(2, 1, "identity"), {200 * 0.6f + 10 * 0.4f, 600 * 0.6f + 20 * 0.4f,
                                 3 * 0.6f + 30 * 0.4f, 3 * 0.6f + 60 * 0.4f});
    near(run(3, 0, "relu"),
         {1 / 6.0f + 10 / 3.0f + 100, 1 / 6.0f + 20 / 3.0f + 300, 1.5f + 10, 1.5f + 20});
    EXPECT_THROW(run(4, 0, "relu"), Error);
    EXPECT_THROW(run(1, 0, "mish"), Error);
}

TEST(LanguageKernels, PackedExpertsAreTheirFloatOnes) {
    const std::int64_t experts = 2, hidden = 16, inner = 8;
    for (const int bits : {2, 4, 8})
        for (const std::int64_t block : {std::int64_t{0}, std::int64_t{4}})
            for (const bool has_zeros : {false, true}) {
                SCOPED_TRACE(std::to_string(bits) + " bits, blocks of " + std::to_string(block));
                unsigned seed = 7;
                const auto layer = [&](std::int64_t rows, std::int64_t columns) {
                    const std::int64_t blocks = block > 0 ? columns / block : 1;
                    std::vector<std::uint8_t> packed(
                        static_cast<std::size_t>(experts * rows * columns * bits / 8));
                    for (auto& byte : packed)
                        byte =
                            static_cast<std::uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24);
                    const std::int64_t zero_bytes = ((block > 0 ? blocks : rows) * bits + 7) / 8,
                                       zero_rows = block > 0 ? rows : 1;
                    std::vector<std::uint8_t> zeros(
                        static_cast<std::size_t>(experts * zero_rows * zero_bytes));
                    for (auto& byte : zeros)
                        byte =
                            static_cast<std::uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24);
                    const Tensor scales = noise(
                        block > 0 ? Shape{experts, rows, blocks} : Shape{experts, rows}, seed);
                    const auto code = [&](const std::vector<std::uint8_t>& bytes,
                                          std::int64_t first_byte, std::int64_t i) {
                        return static_cast<float>(
                            (bytes[static_cast<std::size_t>(first_byte + i * bits / 8)] >>
                             (i * bits % 8)) &
                            ((1 << bits) - 1));
                    };
                    F wide;
                    for (std::int64_t e = 0; e < experts; ++e)
                        for (std::int64_t r = 0; r < rows; ++r)
                            for (std::int64_t c = 0; c < columns; ++c) {
                                const std::int64_t b = block > 0 ? c / block : 0;
                                const float zero = !has_zeros ? static_cast<float>(1 << (bits - 1))
                                                   : block > 0
                                                       ? code(zeros, (e * rows + r) * zero_bytes, b)
                                                       : code(zeros, e * zero_bytes, r);
                                wide.push_back(
                                    (code(packed, (e * rows + r) * columns * bits / 8, c) - zero) *
                                    scales.data<float>()[static_cast<std::size_t>(
                                        (e * rows + r) * blocks + b)]);
                            }
                    const Shape zero_shape =
                        block > 0 ? Shape{experts, rows, zero_bytes} : Shape{experts, zero_bytes};
                    return std::tuple(Tensor::of({experts, rows, columns * bits / 8}, packed),
                                      scales, Tensor::of(zero_shape, zeros),
                                      Tensor::of({experts, rows, columns}, wide));
                };
                const auto [w1, s1, z1, f1] = layer(2 * inner, hidden);
                const auto [w2, s2, z2, f2] = layer(hidden, inner);
                const Tensor x = noise({3, hidden}, 1), router = noise({3, experts}, 2);
                std::vector<Attribute> attributes{attribute("k", 2),
                                                  attribute("activation_type", "swiglu"),
                                                  attribute("swiglu_fusion", 1)};
                const Tensor expected =
                    run_all("MoE", {x, router, f1, {}, f2}, attributes, 1)[0].tensor();
                attributes.push_back(attribute("expert_weight_bits", bits));
                if (block > 0)
                    attributes.push_back(attribute("block_size", static_cast<int>(block)));
                const RuntimeValue none, zero1 = has_zeros ? RuntimeValue(z1) : none,
                                         zero2 = has_zeros ? RuntimeValue(z2) : none;
                expect_near(
                    run_all("QMoE",
                            {x, router, w1, s1, none, w2, s2, none, none, none, none, zero1, zero2},
                            attributes, 1)[0]
                        .tensor(),
                    expected, 0);
            }
}

}  // namespace
}  // namespace lapidary::test
