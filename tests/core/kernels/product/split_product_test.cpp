// SPDX-License-Identifier: Apache-2.0
// Products of float32 by tiles of bfloat16, against sums in double: by the CPU's tiles where it has
// them, and by the same steps in plain code everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <lapidary/tensor/float16.h>

#include "base/cpu_features.h"
#include "base/threads/session_threads.h"
#include "core/kernels/product/plain_split_tiles.h"
#include "kernels/product/product_weight.h"
#include "kernels/product/split_product.h"

namespace lapidary::test {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

std::vector<float> random_floats(std::int64_t count, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> values;
    std::vector<float> out(at(count));
    for (float& v : out) v = values(generator);
    return out;
}

struct Case {
    std::int64_t rows, inner, columns;
    bool has_epilogue = false;
};

struct Operands {
    explicit Operands(const Case& c)
        : size(c), a(random_floats(c.rows * c.inner, 1)), b(random_floats(c.inner * c.columns, 2)),
          bias(random_floats(c.columns, 3)), row_bias(random_floats(c.rows, 4)),
          residual(random_floats(c.rows * c.columns, 5)) {}

    /// The product without B.
    Product product() const {
        Product p;
        p.rows = size.rows, p.inner = size.inner, p.columns = size.columns;
        p.a = a.data();
        p.a_stride = size.inner;
        p.c_stride = size.columns + 3;
        if (size.has_epilogue) {
            p.scale = 0.5f;
            p.bias = bias.data();
            p.row_bias = row_bias.data();
            p.residual = residual.data();
            p.residual_stride = size.columns;
            p.activation = {ActivationKind::relu};
        }
        return p;
    }

    Case size;
    std::vector<float> a, b, bias, row_bias, residual;
};

std::string name_of(const Case& c) {
    return "rows " + std::to_string(c.rows) + " inner " + std::to_string(c.inner) + " columns " +
           std::to_string(c.columns);
}

/// Kernels to test: plain ones, and the CPU's.
std::vector<const SplitTileKernels*> all_kernels() {
    std::vector<const SplitTileKernels*> all{&plain_split::kernels};
    if (split_tile_kernels()) all.push_back(split_tile_kernels());
    return all;
}

/// What multiply_split() writes, [rows, columns]; by one thread and by two, which must agree.
std::vector<float> split_product(Product p, const SplitTileKernels& kernels) {
    const auto pool = make_session_threads(2);
    const auto run = [&](bool in_parallel) {
        std::vector<float> out(at(p.rows * p.c_stride), 77.0f);
        p.c = out.data();
        Tensor workspace(DType::u8, {static_cast<std::int64_t>(split_workspace(p, 2))});
        auto* const memory = static_cast<std::byte*>(workspace.mutable_raw());
        if (in_parallel)
            pool->execute([&] { multiply_split(p, pool.get(), nullptr, memory, kernels); });
        else multiply_split(p, nullptr, nullptr, memory, kernels);
        std::vector<float> dense;
        for (std::int64_t i = 0; i < p.rows; ++i)
            for (std::int64_t j = 0; j < p.c_stride; ++j) {
                const float value = out[at(i * p.c_stride + j)];
                if (j < p.columns) dense.push_back(value);
                else EXPECT_EQ(value, 77.0f) << "written behind row " << i;
            }
        return dense;
    };
    const std::vector<float> alone = run(false), shared = run(true);
    for (std::size_t i = 0; i < alone.size(); ++i)
        if (!std::isnan(alone[i]) || !std::isnan(shared[i])) EXPECT_EQ(alone[i], shared[i]) << i;
    return alone;
}

/// The same by multiply() without tiles.
std::vector<float> float_product(Product p) {
    const Isa isa = active_isa();
    limit_isa(std::min(isa, Isa::avx512_vnni));
    std::vector<float> out(at(p.rows * p.columns));
    p.c = out.data();
    p.c_stride = p.columns;
    Tensor workspace(DType::u8, {static_cast<std::int64_t>(product_workspace(p, 1))});
    multiply(p, CancelToken(), static_cast<std::byte*>(workspace.mutable_raw()));
    limit_isa(isa);
    return out;
}

/// B in panels.
class PackedRight {
public:
    explicit PackedRight(const Operands& o) : source_(DType::f32, {o.size.inner, o.size.columns}) {
        std::ranges::copy(o.b, source_.mutable_data<float>().begin());
        weight_ = pack_weight(store_, source_, 1, o.size.inner, o.size.columns, false);
        const auto pool = make_session_threads(1);
        pool->execute([&] { store_.fill(*pool, CancelToken()); });
    }
    void put(Product& p) const { weight_.put(p); }

private:
    Tensor source_;
    WeightStore store_;
    ProductWeight weight_;
};

struct Errors {
    double largest = 0, squares = 0;  // of the sum of magnitudes of an element's terms
};

Errors errors_of(const Operands& o, const std::vector<float>& got) {
    Errors errors;
    const Case& c = o.size;
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < c.columns; ++j) {
            double sum = 0, size = 0;
            for (std::int64_t k = 0; k < c.inner; ++k) {
                const double term = static_cast<double>(o.a[at(i * c.inner + k)]) *
                                    static_cast<double>(o.b[at(k * c.columns + j)]);
                sum += term;
                size += std::abs(term);
            }
            if (c.has_epilogue) {
                const double added = static_cast<double>(o.bias[at(j)]) +
                                     static_cast<double>(o.row_bias[at(i)]) +
                                     static_cast<double>(o.residual[at(i * c.columns + j)]);
                sum = std::max(sum / 2 + added, 0.0);
                size += 3 + std::abs(added);
            }
            const double error =
                std::abs(static_cast<double>(got[at(i * c.columns + j)]) - sum) / size;
            errors.largest = std::max(errors.largest, error);
            errors.squares += error * error;
        }
    return errors;
}

TEST(SplitProductKernel, EveryTail) {
    for (const SplitTileKernels* kernels : all_kernels())
        for (std::int64_t rows : {1, 15, 17, 32, 33, 49, 70})
            for (std::int64_t inner : {1, 2, 31, 33, 64, 97, 200})
                for (std::int64_t columns : {5, 16, 31, 48, 49, 65, 97, 130}) {
                    const bool is_plain = kernels == &plain_split::kernels;
                    if (is_plain && (rows + inner + columns) % 4 != 0) continue;
                    const Case c{rows, inner, columns, columns % 2 == 0};
                    SCOPED_TRACE(name_of(c));
                    const Operands o(c);
                    const PackedRight right(o);
                    Product p = o.product();
                    right.put(p);
                    ASSERT_LT(errors_of(o, split_product(p, *kernels)).largest, 3e-7);
                }
}

/// No larger than those of the float kernel, but for what luck does with few numbers.
void expect_as_exact(const Operands& o) {
    SCOPED_TRACE(name_of(o.size));
    const PackedRight right(o);
    Product p = o.product();
    right.put(p);
    const Errors floats = errors_of(o, float_product(p)),
                 tiles = errors_of(o, split_product(p, *split_tile_kernels()));
    EXPECT_LE(tiles.squares, floats.squares);
    EXPECT_LE(tiles.largest, floats.largest * 1.1);
}

TEST(SplitProductKernel, AsExactAsFloat32) {
    if (!split_tile_kernels()) GTEST_SKIP() << "this CPU has no tiles";
    for (const Case& c : {Case{40, 768, 100}, Case{70, 130, 96}, Case{33, 16384, 49}}) {
        expect_as_exact(Operands(c));
        std::mt19937 generator(9);
        std::uniform_real_distribution<float> powers(-6, 6);
        Operands scaled(c);
        for (float& v : scaled.a) v *= std::pow(10.0f, powers(generator));
        for (float& v : scaled.b) v *= std::pow(10.0f, powers(generator));
        expect_as_exact(scaled);
        Operands cancelling(c);  // each term but the last has one that is its opposite
        for (std::int64_t k = 0; k + 1 < c.inner; k += 2) {
            for (std::int64_t i = 0; i < c.rows; ++i)
                cancelling.a[at(i * c.inner + k + 1)] = cancelling.a[at(i * c.inner + k)];
            for (std::int64_t j = 0; j < c.columns; ++j)
                cancelling.b[at((k + 1) * c.columns + j)] = -cancelling.b[at(k * c.columns + j)];
        }
        expect_as_exact(cancelling);
    }
}

void expect_near(const std::vector<float>& got, const std::vector<float>& expected) {
    for (std::size_t i = 0; i < got.size(); ++i)
        if (std::isfinite(expected[i]))
            ASSERT_NEAR(got[i], expected[i], 1e-4f + 1e-6f * std::abs(expected[i]));
        else ASSERT_EQ(std::isnan(got[i]), std::isnan(expected[i])) << i;
}

TEST(SplitProductKernel, NumbersThatTilesDoNotTake) {
    const float infinity = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();
    for (const SplitTileKernels* kernels : all_kernels())
        for (const float special : {infinity, -infinity, nan, 3e38f, 1e-42f})
            for (const bool is_left : {true, false}) {
                SCOPED_TRACE(special);
                Operands o({70, 540, 60, true});
                (is_left ? o.a : o.b)[is_left ? 40 * 540 + 3 : 3 * 60 + 50] = special;
                const PackedRight right(o);
                Product p = o.product();
                right.put(p);
                expect_near(split_product(p, *kernels), float_product(p));
            }
    // small throughout: the result is exact to float32's digits
    for (const SplitTileKernels* kernels : all_kernels()) {
        Operands o({40, 64, 50});
        for (float& v : o.a) v = std::ldexp(v, -115);
        const PackedRight right(o);
        Product p = o.product();
        right.put(p);
        ASSERT_LT(errors_of(o, split_product(p, *kernels)).largest, 3e-7);
    }
}

TEST(SplitProductKernel, WeightsOf16BitsGiveWhatTheirFloatsGive) {
    for (const SplitTileKernels* kernels : all_kernels())
        for (const DType type : {DType::f16, DType::bf16}) {
            Operands o({45, 600, 70, true});
            Tensor half(type, {600, 70});
            for (std::size_t i = 0; i < o.b.size(); ++i) {
                o.b[i] = type == DType::f16 ? static_cast<float>(Half(o.b[i]))
                                            : static_cast<float>(BFloat16(o.b[i]));
                if (type == DType::f16) half.mutable_data<Half>()[i] = Half(o.b[i]);
                else half.mutable_data<BFloat16>()[i] = BFloat16(o.b[i]);
            }
            WeightStore store;
            const ProductWeight weight =
                pack_weight(store, Tensor::widened(half, {}), 1, 600, 70, false);
            const auto pool = make_session_threads(1);
            pool->execute([&] { store.fill(*pool, CancelToken()); });
            const PackedRight right(o);
            Product p = o.product(), halves = o.product();
            right.put(p);
            weight.put(halves);
            const std::vector<float> expected = split_product(p, *kernels);
            EXPECT_EQ(split_product(halves, *kernels), expected);
            EXPECT_LT(errors_of(o, expected).largest, 3e-7);
        }
}

// B is split as a whole, and each worker has rows of its own
TEST(SplitProductKernel, ManyRowsOfFewColumns) {
    for (const SplitTileKernels* kernels : all_kernels())
        for (const bool has_infinity : {false, true}) {
            Operands o({270, 700, 50, true});
            if (has_infinity) o.a[at(100 * 700 + 600)] = std::numeric_limits<float>::infinity();
            const PackedRight right(o);
            Product p = o.product();
            right.put(p);
            const std::vector<float> got = split_product(p, *kernels);
            if (has_infinity) expect_near(got, float_product(p));
            else EXPECT_LT(errors_of(o, got).largest, 3e-7);
        }
}

/// Gives columns of a matrix, and what is no number behind them.
class MatrixSource final : public PanelSource {
public:
    explicit MatrixSource(const Operands& o) : o_(o) {}
    void fill(std::int64_t column, std::int64_t columns, std::int64_t first_k, std::int64_t inner,
              std::int64_t width, float* to) const override {
        for (std::int64_t k = 0; k < inner; ++k)
            for (std::int64_t j = 0; j < width; ++j)
                to[k * width + j] = j < columns
                                        ? o_.b[at((first_k + k) * o_.size.columns + column + j)]
                                        : std::numeric_limits<float>::quiet_NaN();
    }

private:
    const Operands& o_;
};

TEST(SplitProductKernel, EveryKindOfRightOperand) {
    for (const SplitTileKernels* kernels : all_kernels())
        for (const bool has_infinity : {false, true}) {
            Operands o({50, 600, 75, true});
            if (has_infinity) o.a[7] = std::numeric_limits<float>::infinity();
            std::vector<float> transposed(o.b.size());
            for (std::int64_t k = 0; k < 600; ++k)
                for (std::int64_t j = 0; j < 75; ++j)
                    transposed[at(j * 600 + k)] = o.b[at(k * 75 + j)];
            const PackedRight right(o);
            const MatrixSource source(o);
            Product packed = o.product(), plain = o.product(), turned = o.product(),
                    made = o.product();
            right.put(packed);
            plain.b = o.b.data();
            plain.b_stride = 75;
            turned.b = transposed.data();
            turned.b_stride = 600;
            turned.transposed_b = true;
            made.source = &source;
            const std::vector<float> expected = split_product(packed, *kernels);
            for (const Product& p : {plain, turned, made}) {
                const std::vector<float> got = split_product(p, *kernels);
                for (std::size_t i = 0; i < got.size(); ++i)
                    if (!std::isnan(expected[i])) ASSERT_EQ(got[i], expected[i]) << i;
                    else ASSERT_TRUE(std::isnan(got[i])) << i;
            }
        }
}

/// Whole numbers of few bits, times a factor for each block of each column.
class FactoredSource final : public PanelSource {
public:
    explicit FactoredSource(std::int64_t block) : block_(block) {}
    static float whole(std::int64_t k, std::int64_t j) {
        return static_cast<float>((k * 7 + j * 3) % 16 - 8);
    }
    float factor(std::int64_t k, std::int64_t j) const {
        return static_cast<float>((k / block_ * 5 + j) % 11 + 1) * 0.017f;
    }
    void fill(std::int64_t column, std::int64_t columns, std::int64_t first_k, std::int64_t inner,
              std::int64_t width, float* to) const override {
        for (std::int64_t k = 0; k < inner; ++k)
            for (std::int64_t j = 0; j < columns; ++j)
                to[k * width + j] =
                    whole(first_k + k, column + j) * factor(first_k + k, column + j);
    }
    std::int64_t factor_depth() const override { return block_; }
    void fill_apart(std::int64_t column, std::int64_t columns, std::int64_t first_k,
                    std::int64_t inner, std::int64_t width, float* to, float* factors,
                    std::int64_t factors_width) const override {
        EXPECT_EQ(first_k % block_, 0);
        EXPECT_LE(inner, most_apart);
        for (std::int64_t k = 0; k < inner; ++k)
            for (std::int64_t j = 0; j < columns; ++j) {
                to[k * width + j] = whole(first_k + k, column + j);
                factors[k / block_ * factors_width + j] = factor(first_k + k, column + j);
            }
    }

private:
    std::int64_t block_;
};

TEST(SplitProductKernel, FactorsOfBlocksStandApart) {
    for (const SplitTileKernels* kernels : all_kernels())
        for (const std::int64_t block : {32, 256, 48})
            for (const bool has_infinity : {false, true})
                for (Case c : {Case{50, 600, 75, true}, Case{33, 1000, 97}, Case{260, 544, 30}}) {
                    SCOPED_TRACE(name_of(c) + " block " + std::to_string(block));
                    Operands o(c);
                    const FactoredSource source(block);
                    for (std::int64_t k = 0; k < c.inner; ++k)
                        for (std::int64_t j = 0; j < c.columns; ++j)
                            o.b[at(k * c.columns + j)] =
                                FactoredSource::whole(k, j) * source.factor(k, j);
                    if (has_infinity) o.a[7] = std::numeric_limits<float>::infinity();
                    Product p = o.product();
                    p.source = &source;
                    const std::vector<float> got = split_product(p, *kernels);
                    if (!has_infinity) {
                        ASSERT_LT(errors_of(o, got).largest, 3e-7);
                        continue;
                    }
                    const PackedRight right(o);
                    right.put(p);
                    expect_near(got, float_product(p));
                }
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

TEST(SplitProductKernel, BlocksOfColumnsGiveTheSame) {
    if (!split_tile_kernels()) GTEST_SKIP() << "this CPU has no tiles";
    for (const bool is_huge : {false, true})
        for (const Case& c : {Case{16, 16, 16}, Case{17, 48, 48, true}, Case{70, 528, 144, true},
                              Case{300, 528, 48, true}}) {
            SCOPED_TRACE(name_of(c));
            Operands o(c);
            if (is_huge) o.a[3] = 1e30f;
            const PackedRight right(o);
            Product p = o.product();
            right.put(p);
            const std::vector<float> expected = split_product(p, *split_tile_kernels());
            const std::vector<float> a = in_blocks(o.a, c.rows, c.inner),
                                     residual = in_blocks(o.residual, c.rows, c.columns);
            std::vector<float> out(at(c.rows * c.columns));
            p.a = a.data();
            p.c = out.data();
            p.a_stride = p.c_stride = p.residual_stride = 16;
            if (p.residual) p.residual = residual.data();
            Tensor workspace(DType::u8, {static_cast<std::int64_t>(split_workspace(p, 1))});
            const std::vector<float> b = in_blocks(o.b, c.inner, c.columns);
            Product unpacked = p;
            unpacked.packed_b = nullptr;
            unpacked.b = b.data();
            unpacked.b_stride = 16;
            const SplitBlocks blocks{c.rows * 16, c.inner * 16, c.rows * 16};
            multiply_split(unpacked, nullptr, nullptr,
                           static_cast<std::byte*>(workspace.mutable_raw()), *split_tile_kernels(),
                           blocks);
            const std::vector<float> got = in_blocks(out, c.rows, c.columns, true);
            for (std::size_t i = 0; i < got.size(); ++i)
                // sums of numbers that tiles do not take are cut otherwise
                if (is_huge)
                    ASSERT_NEAR(got[i], expected[i], 1e-4f + 1e-6f * std::abs(expected[i]));
                else ASSERT_EQ(got[i], expected[i]) << i;
        }
}

TEST(SplitProductKernel, OnlyLargeProducts) {
    Product p;
    p.rows = p.inner = p.columns = 128;
    const bool has_tiles = split_tile_kernels() != nullptr;
    if (!has_tiles) EXPECT_FALSE(prefers_splitting(p));
    p.rows = 20;
    EXPECT_FALSE(prefers_splitting(p));
    p.rows = 128, p.columns = 20;
    EXPECT_FALSE(prefers_splitting(p));
    p.columns = 128, p.inner = 8;
    EXPECT_FALSE(prefers_splitting(p));
    p.inner = 128, p.transposed_a = true;
    EXPECT_FALSE(prefers_splitting(p));
}

}  // namespace
}  // namespace lapidary::test
