// SPDX-License-Identifier: Apache-2.0
// Products in float16 arithmetic: to the last bit against a scalar twin of the same steps, and
// within the bound of the number format against sums in double, on each instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/threads/session_threads.h"
#include "kernels/product/half_product.h"
#include "kernels/product/panels.h"
#include "kernels/product/product_weight.h"
#include "kernels/vector/product/half_tiles.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

constexpr std::int64_t part = 512;  // of the depth, after which sums go to C

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

std::vector<float> random_floats(std::int64_t count, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> values;
    std::vector<float> out(at(count));
    for (float& v : out) v = values(generator);
    return out;
}

/// The nearest float16 of a double, ties to even, below the largest one.
double half_of(double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    const double step = std::ldexp(1.0, std::max(std::ilogb(value), -14) - 10);
    return std::nearbyint(value / step) * step;
}

/// The power of two that takes the largest magnitude into [16, 32).
int power_for(double largest, int most) {
    return largest == 0 ? 0 : std::min(4 - std::ilogb(largest), most);
}

struct Case {
    std::int64_t rows, inner, columns;
    bool transposed_a = false, has_epilogue = false;
};

/// Operands of a product, C = relu(A B / 2 + bias + row_bias + residual) or A B.
struct Operands {
    explicit Operands(const Case& c)
        : size(c), a(random_floats(c.rows * c.inner, 1)), b(random_floats(c.inner * c.columns, 2)),
          bias(random_floats(c.columns, 3)), row_bias(random_floats(c.rows, 4)),
          residual(random_floats(c.rows * c.columns, 5)) {
        for (float& v : b) v = static_cast<float>(Half(v * 0.05f));
    }
    double left(std::int64_t i, std::int64_t k) const {
        return static_cast<double>(
            a[at(size.transposed_a ? k * size.rows + i : i * size.inner + k)]);
    }
    double right(std::int64_t k, std::int64_t j) const {
        return static_cast<double>(b[at(k * size.columns + j)]);
    }

    Case size;
    std::vector<float> a, b, bias, row_bias, residual;
};

/// What multiply() gives for the operands, [rows, columns].
std::vector<float> product_of(const Operands& o) {
    const Case& c = o.size;
    Tensor half(DType::f16, {c.inner, c.columns});
    for (std::size_t i = 0; i < o.b.size(); ++i) half.mutable_data<Half>()[i] = Half(o.b[i]);
    WeightStore store;
    ProductWeight weight =
        pack_weight(store, Tensor::widened(half, {}), 1, c.inner, c.columns, false);
    weight.allow_rounding(DType::bf16);
    EXPECT_FALSE(weight.rounds_inputs);
    weight.allow_rounding(DType::f16);
    EXPECT_TRUE(weight.rounds_inputs);
    const auto pool = make_session_threads(2);
    pool->execute([&] { store.fill(*pool, CancelToken()); });

    Product p;
    p.rows = c.rows, p.inner = c.inner, p.columns = c.columns;
    p.a = o.a.data();
    p.a_stride = c.transposed_a ? c.rows : c.inner;
    p.transposed_a = c.transposed_a;
    weight.put(p);
    p.c_stride = c.columns + 3;
    if (c.has_epilogue) {
        p.scale = 0.5f;
        p.bias = o.bias.data();
        p.row_bias = o.row_bias.data();
        p.residual = o.residual.data();
        p.residual_stride = c.columns;
        p.activation = {ActivationKind::relu};
    }
    EXPECT_EQ(prefers_halves(p), half_tile_kernels() != nullptr && c.rows >= 16);
    const auto run = [&](bool in_parallel) {
        std::vector<float> out(at(c.rows * p.c_stride), 77.0f);
        p.c = out.data();
        Tensor workspace(DType::u8, {static_cast<std::int64_t>(product_workspace(p, 2))});
        auto* memory = static_cast<std::byte*>(workspace.mutable_raw());
        if (in_parallel) pool->execute([&] { multiply(p, *pool, CancelToken(), memory); });
        else multiply(p, CancelToken(), memory);
        return out;
    };
    const std::vector<float> got = run(false);
    std::vector<float> dense;
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < p.c_stride; ++j) {
            const float value = got[at(i * p.c_stride + j)];
            if (j < c.columns) dense.push_back(value);
            else EXPECT_EQ(value, 77.0f) << "written behind row " << i;
        }
    const std::vector<float> shared = run(true);
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!std::isnan(got[i]) || !std::isnan(shared[i])) EXPECT_EQ(got[i], shared[i]) << i;
    return dense;
}

/// A stretch of one row and one column: the terms' sum in float16, widened and taken back.
float twin_stretch(const Operands& o, std::int64_t i, std::int64_t j, std::int64_t k,
                   std::int64_t first_column, std::int64_t last_column, float total) {
    const std::int64_t end = std::min(k + half_tiles::stretch, o.size.inner);
    double largest_a = 0, largest_b = 0;
    for (std::int64_t n = k; n < end; ++n) {
        largest_a = std::max(largest_a, std::abs(o.left(i, n)));
        for (std::int64_t column = first_column; column < last_column; ++column)
            largest_b = std::max(largest_b, std::abs(o.right(n, column)));
    }
    const int a_power = power_for(largest_a, 100), b_power = power_for(largest_b, 15);
    double sum = 0;
    for (std::int64_t n = k; n < end; ++n)
        sum = half_of(half_of(std::ldexp(o.left(i, n), a_power)) *
                          half_of(std::ldexp(o.right(n, j), b_power)) +
                      sum);
    return std::fma(static_cast<float>(sum),
                    std::ldexp(1.0f, -a_power) * std::ldexp(1.0f, -b_power), total);
}

float twin(const Operands& o, std::int64_t i, std::int64_t j) {
    const Panels cut(o.size.columns);
    std::int64_t panel = 0;
    while (cut.begin(panel + 2) <= j) panel += 2;
    float c = o.size.has_epilogue ? o.residual[at(i * o.size.columns + j)] : 0;
    for (std::int64_t first = 0; first < o.size.inner; first += part) {
        float total = 0;
        const std::int64_t last = std::min(first + part, o.size.inner);
        for (std::int64_t k = first; k < last; k += half_tiles::stretch)
            total = twin_stretch(o, i, j, k, cut.begin(panel), cut.begin(panel + 2), total);
        const bool adds = o.size.has_epilogue && last == o.size.inner;
        total = std::fma(total, o.size.has_epilogue ? 0.5f : 1.0f, adds ? o.bias[at(j)] : 0.0f);
        if (adds) total += o.row_bias[at(i)];
        c = total + c;
    }
    return o.size.has_epilogue ? std::max(c, 0.0f) : c;
}

void expect_twin(const Case& c) {
    SCOPED_TRACE("rows " + std::to_string(c.rows) + " inner " + std::to_string(c.inner) +
                 " columns " + std::to_string(c.columns));
    const Operands o(c);
    const std::vector<float> got = product_of(o);
    // every row and column comes once, their pairs in part
    const std::int64_t step = c.rows * c.columns * c.inner > 100000 ? 7 : 1;
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = i % step; j < c.columns; j += step)
            ASSERT_EQ(got[at(i * c.columns + j)], twin(o, i, j)) << "at " << i << ", " << j;
}

TEST(HalfProductKernel, EveryTailEqualsItsTwin) {
    if (!half_tile_kernels()) GTEST_SKIP() << "this CPU has no arithmetic of float16";
    for (std::int64_t rows : {16, 17, 23, 31})
        for (std::int64_t inner : {1, 33, 70})
            for (std::int64_t columns : {5, 48, 65, 145}) expect_twin({rows, inner, columns});
}

TEST(HalfProductKernel, PartsAndEpiloguesEqualTheirTwin) {
    if (!half_tile_kernels()) GTEST_SKIP() << "this CPU has no arithmetic of float16";
    expect_twin({50, 700, 70, false, true});
    expect_twin({50, 700, 70, true, true});
    expect_twin({20, 1100, 100, false, false});
}

/// The same matrix with 16 columns of all rows behind each other.
std::vector<float> in_blocks(const std::vector<float>& rows, std::int64_t count,
                             std::int64_t columns, bool back = false) {
    std::vector<float> out(rows.size());
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            const std::size_t plain = at(i * columns + j),
                              block = at((j / 16 * count + i) * 16 + j % 16);
            out[back ? plain : block] = rows[back ? block : plain];
        }
    return out;
}

TEST(HalfProductKernel, BlocksOfColumnsGiveTheSame) {
    if (!half_tile_kernels()) GTEST_SKIP() << "this CPU has no arithmetic of float16";
    for (const Case& c : {Case{16, 16, 16}, Case{17, 48, 48, false, true},
                          Case{23, 80, 64, false, true}, Case{35, 528, 144, false, true}}) {
        SCOPED_TRACE("inner " + std::to_string(c.inner));
        const Operands o(c);
        Tensor half(DType::f16, {c.inner, c.columns});
        for (std::size_t i = 0; i < o.b.size(); ++i) half.mutable_data<Half>()[i] = Half(o.b[i]);
        WeightStore store;
        ProductWeight weight =
            pack_weight(store, Tensor::widened(half, {}), 1, c.inner, c.columns, false);
        weight.allow_rounding(DType::f16);
        const auto pool = make_session_threads(2);
        pool->execute([&] { store.fill(*pool, CancelToken()); });
        const std::vector<float> a = in_blocks(o.a, c.rows, c.inner),
                                 residual = in_blocks(o.residual, c.rows, c.columns);
        std::vector<float> out(at(c.rows * c.columns));
        Product p;
        p.rows = c.rows, p.inner = c.inner, p.columns = c.columns;
        p.a = a.data();
        weight.put(p);
        p.c = out.data();
        p.a_stride = p.c_stride = p.residual_stride = 16;
        if (c.has_epilogue) {
            p.scale = 0.5f;
            p.bias = o.bias.data();
            p.row_bias = o.row_bias.data();
            p.residual = residual.data();
            p.activation = {ActivationKind::relu};
        }
        Tensor workspace(DType::u8, {static_cast<std::int64_t>(halves_workspace(p, 2))});
        auto* const memory = static_cast<std::byte*>(workspace.mutable_raw());
        pool->execute([&] {
            multiply_halves(p, pool.get(), nullptr, memory, {c.rows * 16, c.rows * 16});
        });
        EXPECT_EQ(in_blocks(out, c.rows, c.columns, true), product_of(o));
    }
}

/// Error bound of the header, and of float32 where there is no arithmetic of float16.
void expect_bound(const Operands& o) {
    const Case& c = o.size;
    const std::vector<float> got = product_of(o);
    for (std::int64_t i = 0; i < c.rows; ++i) {
        for (std::int64_t j = 0; j < c.columns; ++j) {
            double sum = 0, bound = 0, size = 0;
            for (std::int64_t k = 0; k < c.inner; k += half_tiles::stretch) {
                double terms = 0, largest = 0;
                const std::int64_t end = std::min(k + half_tiles::stretch, c.inner);
                for (std::int64_t n = k; n < end; ++n) {
                    sum += o.left(i, n) * o.right(n, j);
                    terms += std::abs(o.left(i, n) * o.right(n, j));
                    largest = std::max(largest, std::abs(o.left(i, n)));
                }
                bound += 34 * terms + largest * 0x1p-10;  // no weight is above 1
                size += terms;
            }
            const bool is_half = half_tile_kernels() && c.rows >= 16;
            ASSERT_NEAR(static_cast<double>(got[at(i * c.columns + j)]), sum,
                        (is_half ? bound * 0x1p-11 : 0) + size * 1e-6)
                << "at " << i << ", " << j;
        }
    }
}

TEST(HalfProductKernel, ErrorsAreBoundedOnEachInstructionSet) {
    for_each_isa([](Isa isa) {
        SCOPED_TRACE(name_of(isa));
        for (const Case& c : {Case{33, 130, 50}, Case{16, 32, 96}, Case{8, 70, 20}}) {
            Operands o(c);
            for (std::size_t i = 0; i < o.a.size(); i += 5) o.a[i] *= 1000;
            for (std::size_t i = 1; i < o.a.size(); i += 7) o.a[i] *= 1e-5f;
            expect_bound(o);
        }
    });
}

TEST(HalfProductKernel, ErrorsAreSixtyDecibelsBelow) {
    const Operands o({64, 512, 96});
    const std::vector<float> got = product_of(o);
    double signal = 0, noise = 0;
    for (std::int64_t i = 0; i < o.size.rows; ++i)
        for (std::int64_t j = 0; j < o.size.columns; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < o.size.inner; ++k) sum += o.left(i, k) * o.right(k, j);
            const double error = static_cast<double>(got[at(i * o.size.columns + j)]) - sum;
            signal += sum * sum, noise += error * error;
        }
    EXPECT_GT(10 * std::log10(signal / noise), 60);
}

TEST(HalfProductKernel, ValuesOfAnySizeKeepTheirDigits) {
    const Operands o({20, 64, 40});
    const std::vector<float> expected = product_of(o);
    for (const int power : {-90, -20, 20, 100}) {
        Operands scaled = o;
        for (float& v : scaled.a) v = std::ldexp(v, power);
        const std::vector<float> got = product_of(scaled);
        for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_EQ(got[i], std::ldexp(expected[i], power)) << "2^" << power << ", " << i;
    }
}

TEST(HalfProductKernel, InfinityAndNaNStayInTheirRows) {
    Operands o({20, 64, 40});
    const std::vector<float> expected = product_of(o);
    o.a[at(3 * 64 + 5)] = std::numeric_limits<float>::infinity();
    o.a[at(7 * 64 + 40)] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> got = product_of(o);
    for (std::int64_t i = 0; i < 20; ++i)
        for (std::int64_t j = 0; j < 40; ++j) {
            const float value = got[at(i * 40 + j)];
            if (i == 7) EXPECT_TRUE(std::isnan(value)) << j;
            else if (i == 3)
                EXPECT_EQ(value, o.right(5, j) > 0 ? std::numeric_limits<float>::infinity()
                                                   : -std::numeric_limits<float>::infinity())
                    << j;
            else EXPECT_EQ(value, expected[at(i * 40 + j)]) << i << ", " << j;
        }
}

}  // namespace
}  // namespace lapidary::test
