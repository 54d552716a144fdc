// SPDX-License-Identifier: Apache-2.0
// DFT, STFT, window functions, MelWeightMatrix and Col2Im against their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "support/kernel_compare.h"

namespace lapidary {
namespace {

using namespace test;
using Complex = std::complex<double>;

std::vector<Complex> signal_of(std::int64_t length) {
    std::vector<Complex> x;
    for (std::int64_t i = 0; i < length; ++i)
        x.emplace_back(std::sin(1.3 * static_cast<double>(i)) + 0.2,
                       std::cos(0.7 * static_cast<double>(i * i % 17)));
    return x;
}

std::vector<Complex> transform(const std::vector<Complex>& x, std::size_t points, double sign) {
    std::vector<Complex> y(points);
    for (std::size_t k = 0; k < points; ++k)
        for (std::size_t n = 0; n < std::min(points, x.size()); ++n)
            y[k] += x[n] * std::polar(1.0, sign * 2 * std::numbers::pi *
                                               static_cast<double>(k * n % points) /
                                               static_cast<double>(points));
    return y;
}

Tensor complex_tensor(const std::vector<Complex>& x) {
    Tensor t(DType::f64, {1, static_cast<std::int64_t>(x.size()), 2});
    for (std::size_t i = 0; i < x.size(); ++i) {
        t.mutable_data<double>()[2 * i] = x[i].real();
        t.mutable_data<double>()[2 * i + 1] = x[i].imag();
    }
    return t;
}

Tensor real_tensor(const std::vector<Complex>& x) {
    Tensor t(DType::f64, {1, static_cast<std::int64_t>(x.size()), 1});
    for (std::size_t i = 0; i < x.size(); ++i) t.mutable_data<double>()[i] = x[i].real();
    return t;
}

class DftKernel : public testing::TestWithParam<int> {};

TEST_P(DftKernel, FollowsTheDefinition) {
    const std::int64_t length = GetParam();
    const auto x = signal_of(length);
    const auto expected = transform(x, x.size(), -1);
    const Tensor y = run_kernel_tensor("", "DFT", 17, {complex_tensor(x)}, {attribute("axis", 1)});
    ASSERT_EQ(y.shape(), (Shape{1, length, 2}));
    for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(y.data<double>()[2 * k], expected[k].real(), 1e-9 * static_cast<double>(length))
            << k;
        EXPECT_NEAR(y.data<double>()[2 * k + 1], expected[k].imag(),
                    1e-9 * static_cast<double>(length))
            << k;
    }
    const Tensor back = run_kernel_tensor("", "DFT", 20, {y}, {attribute("inverse", 1)});
    for (std::size_t k = 0; k < x.size(); ++k) {
        EXPECT_NEAR(back.data<double>()[2 * k], x[k].real(), 1e-11);
        EXPECT_NEAR(back.data<double>()[2 * k + 1], x[k].imag(), 1e-11);
    }
}

// Powers of two, mixed factors, primes by definition, and lengths with a prime above 61 (by
// convolution).
INSTANTIATE_TEST_SUITE_P(Lengths, DftKernel,
                         testing::Values(1, 2, 3, 8, 12, 30, 61, 67, 128, 134, 211, 400));

TEST(DftKernels, HalveAndRestoreRealSignals) {
    const auto x = signal_of(10);
    std::vector<Complex> real;
    for (const Complex& v : x) real.push_back(v.real());
    const auto expected = transform(real, 10, -1);
    const Tensor half =
        run_kernel_tensor("", "DFT", 20, {real_tensor(x)}, {attribute("onesided", 1)});
    ASSERT_EQ(half.shape(), (Shape{1, 6, 2}));
    for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(half.data<double>()[2 * k + 1], expected[k].imag(), 1e-10);
    const Tensor back = run_kernel_tensor("", "DFT", 20, {half},
                                          {attribute("onesided", 1), attribute("inverse", 1)});
    ASSERT_EQ(back.shape(), (Shape{1, 10, 1}));
    for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(back.data<double>()[k], x[k].real(), 1e-12);
}

TEST(DftKernels, PadCutAndChooseTheAxis) {
    const auto x = signal_of(5);
    for (const std::int64_t points : {3, 9}) {
        const auto expected = transform(x, static_cast<std::size_t>(points), -1);
        const Tensor y = run_kernel_tensor("", "DFT", 20,
                                           {complex_tensor(x), Tensor::scalar<std::int64_t>(points),
                                            Tensor::scalar<std::int64_t>(1)});
        ASSERT_EQ(y.dim(1), points);
        for (std::size_t k = 0; k < expected.size(); ++k)
            EXPECT_NEAR(y.data<double>()[2 * k], expected[k].real(), 1e-10);
    }
    EXPECT_THROW(run_kernel("", "DFT", 20,
                            {complex_tensor(x), RuntimeValue(), Tensor::scalar<std::int64_t>(-1)}),
                 Error);
    EXPECT_THROW(run_kernel("", "DFT", 20, {complex_tensor(x), Tensor::scalar<std::int64_t>(0)}),
                 Error);
    EXPECT_THROW(
        run_kernel("", "DFT", 20,
                   {complex_tensor(x), Tensor::scalar<std::int64_t>(std::int64_t(1) << 60)}),
        Error);
}

TEST(StftKernel, TransformsWindowedFrames) {
    const auto x = signal_of(11);
    const Tensor window = Tensor::of<double>({4}, {0.5, 1, 1, 0.25});
    const Tensor y = run_kernel_tensor("", "STFT", 17,
                                       {real_tensor(x), Tensor::scalar<std::int64_t>(3), window});
    ASSERT_EQ(y.shape(), (Shape{1, 3, 3, 2}));
    for (std::size_t frame = 0; frame < 3; ++frame) {
        std::vector<Complex> part;
        for (std::size_t i = 0; i < 4; ++i)
            part.push_back(x[frame * 3 + i].real() * window.data<double>()[i]);
        const auto expected = transform(part, 4, -1);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(y.data<double>()[(frame * 3 + k) * 2], expected[k].real(), 1e-12);
            EXPECT_NEAR(y.data<double>()[(frame * 3 + k) * 2 + 1], expected[k].imag(), 1e-12);
        }
    }
    EXPECT_THROW(
        run_kernel("", "STFT", 17, {real_tensor(x), Tensor::scalar<std::int64_t>(0), window}),
        Error);
    EXPECT_THROW(run_kernel("", "STFT", 17,
                            {real_tensor(x), Tensor::scalar<std::int64_t>(3), window,
                             Tensor::scalar<std::int64_t>(5)}),
                 Error);
}

TEST(WindowFunctionKernels, FollowTheirFormulas) {
    const auto window = [](const char* op, std::int64_t size, int periodic) {
        return values_of<float>(run_kernel_tensor("", op, 17, {Tensor::scalar(size)},
                                                  {attribute("periodic", periodic)}));
    };
    const auto hann = window("HannWindow", 4, 1);
    EXPECT_NEAR(hann[0], 0, 1e-7);
    EXPECT_NEAR(hann[1], 0.5, 1e-7);
    EXPECT_NEAR(hann[2], 1, 1e-7);
    EXPECT_NEAR(window("HannWindow", 5, 0)[2], 1, 1e-7);
    EXPECT_NEAR(window("HammingWindow", 4, 1)[0], 4.0 / 46, 1e-7);
    EXPECT_NEAR(window("HammingWindow", 4, 1)[2], 1, 1e-7);
    EXPECT_NEAR(window("BlackmanWindow", 4, 1)[1], 0.34, 1e-7);
    EXPECT_EQ(window("HannWindow", 1, 0), (std::vector<float>{1}));
    EXPECT_TRUE(window("HannWindow", 0, 1).empty());
    EXPECT_EQ(run_kernel_tensor("", "HannWindow", 17, {Tensor::scalar<std::int32_t>(4)},
                                {attribute("output_datatype", 11)})
                  .dtype(),
              DType::f64);
    EXPECT_THROW(run_kernel("", "HannWindow", 17, {Tensor::scalar<std::int64_t>(-1)}), Error);
}

TEST(MelWeightMatrixKernel, PeaksAtOneAndStaysInTheSpectrum) {
    const auto run = [](std::int64_t bands, std::int64_t points, std::int64_t rate, float lower,
                        float upper) {
        return run_kernel_tensor(
            "", "MelWeightMatrix", 17,
            {Tensor::scalar(bands), Tensor::scalar(points), Tensor::scalar(rate),
             Tensor::scalar(lower), Tensor::scalar(upper)});
    };
    const Tensor m = run(8, 64, 8192, 0, 4096);
    ASSERT_EQ(m.shape(), (Shape{33, 8}));
    for (std::size_t band = 0; band < 8; ++band) {
        float most = 0;
        for (std::size_t bin = 0; bin < 33; ++bin)
            most = std::max(most, m.data<float>()[bin * 8 + band]);
        EXPECT_EQ(most, 1) << band;
    }
    EXPECT_THROW(run(8, 16, 8192, 0, 1e6f), Error);
    EXPECT_THROW(run(8, 16, 0, 0, 10), Error);
}

TEST(Col2ImKernel, SumsOverlappingBlocks) {
    const Tensor x = Tensor::of<float>({1, 2, 2}, {1, 2, 10, 20});
    const Tensor image = Tensor::of<std::int64_t>({2}, {1, 3}),
                 block = Tensor::of<std::int64_t>({2}, {1, 2});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Col2Im", 18, {x, image, block})),
              (std::vector<float>{1, 12, 20}));
    EXPECT_THROW(run_kernel("", "Col2Im", 18, {x, Tensor::of<std::int64_t>({2}, {1, 4}), block}),
                 Error);
}

TEST(Col2ImKernel, RowsOfBlocksSumAsTheReference) {
    struct Case {
        std::vector<std::int64_t> image, block;
        Shape columns;
        std::vector<std::int64_t> strides, dilations, pads;
    };
    const std::vector<Case> cases{
        {{5, 20}, {3, 3}, {2, 27, 100}, {1, 1}, {1, 1}, {1, 1, 1, 1}},
        {{5, 20}, {2, 4}, {1, 16, 68}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
        {{9, 37}, {3, 3}, {2, 9, 95}, {2, 2}, {1, 1}, {1, 1, 1, 1}},
        {{8, 36}, {2, 2}, {2, 12, 72}, {2, 2}, {1, 1}, {0, 0, 0, 0}},
        {{9, 18}, {3, 2}, {1, 12, 50}, {1, 3}, {2, 5}, {0, 2, 5, 0}},
        {{3, 3}, {1, 5}, {1, 10, 18}, {1, 1}, {1, 1}, {0, 3, 0, 4}},
        {{40}, {3}, {2, 6, 40}, {1}, {1}, {1, 1}},
        {{41}, {4}, {2, 8, 13}, {3}, {1}, {0, 0}},
    };
    for (const Case& c : cases) {
        const Tensor x = noise(c.columns, 1);
        const auto list = [](const std::vector<std::int64_t>& values) {
            return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
        };
        const std::vector<RuntimeValue> inputs{x, list(c.image), list(c.block)};
        const std::vector<Attribute> attributes{attribute("strides", ints(c.strides)),
                                                attribute("dilations", ints(c.dilations)),
                                                attribute("pads", ints(c.pads))};
        KernelRun fast;
        fast.kernel = "convolution.column_image";
        fast.constants = {1};
        const Tensor expected = run_kernel_tensor("", "Col2Im", 18, inputs, attributes);
        for_each_isa([&](Isa isa) {
            EXPECT_TRUE(same_contents(run_kernel_tensor("", "Col2Im", 18, inputs, attributes, fast),
                                      expected))
                << name_of(isa) << " " << to_string(c.columns);
        });
        EXPECT_THROW(run_kernel("", "Col2Im", 18, {noise({1, 7, 5}, 1), inputs[1], inputs[2]},
                                attributes, fast),
                     Error);
    }
}

}  // namespace
}  // namespace lapidary
