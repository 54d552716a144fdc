// SPDX-License-Identifier: Apache-2.0
// Products whose constant operand stays in 16 bits: equal to the last bit to those that widen it
// first, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "base/threads/session_threads.h"
#include "kernels/product/packed_product.h"
#include "kernels/product/product_weight.h"
#include "rewrite/widened_constant.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

/// Floats between -1 and 1, with some that are subnormal in float16.
std::vector<float> random_values(std::int64_t count, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<float> out(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = values(generator) * (i % 7 == 0 ? 0x1p-15f : 1);
    return out;
}

std::uint16_t half_of(float value, DType dtype) {
    return dtype == DType::f16 ? Half(value).bits : BFloat16(value).bits;
}

Tensor halves(DType dtype, Shape shape, std::uint32_t seed) {
    Tensor t(dtype, std::move(shape));
    const std::vector<float> values = random_values(t.size(), seed);
    auto* to = static_cast<std::uint16_t*>(t.mutable_raw());
    for (float v : values) *to++ = half_of(v, dtype);
    return t;
}

/// The same elements at an odd address, as those of a file may be.
Tensor at_odd_address(const Tensor& half) {
    const auto bytes = std::make_shared<std::vector<std::byte>>(half.byte_size() + 1);
    std::memcpy(bytes->data() + 1, half.raw(), half.byte_size());
    return Tensor::borrow_unaligned(half.dtype(), half.shape(), bytes->data() + 1, bytes);
}

float wide_of(std::uint16_t bits, DType dtype) {
    if (dtype == DType::f16) return half_bits_to_float(bits);
    BFloat16 value;
    value.bits = bits;
    return value;
}

/// A float32 tensor with the elements of `half`, which knows nothing of it.
Tensor plain_floats(const Tensor& half) {
    Tensor wide(DType::f32, half.shape());
    const auto* from = static_cast<const std::uint16_t*>(half.raw());
    for (float& v : wide.mutable_data<float>()) v = wide_of(*from++, half.dtype());
    return wide;
}

struct Case {
    std::int64_t rows, inner, columns;
    bool transposed = false, transposed_a = false, has_epilogue = false;
};

std::vector<float> product_of(const Case& c, const ProductWeight& weight, int threads) {
    const std::vector<float> a = random_values(c.rows * c.inner, 1),
                             bias = random_values(c.columns, 2),
                             residual = random_values(c.rows * c.columns, 3);
    std::vector<float> out(static_cast<std::size_t>(c.rows * c.columns), 77.0f);
    Product p;
    p.rows = c.rows, p.inner = c.inner, p.columns = c.columns;
    p.a = a.data();
    p.a_stride = c.transposed_a ? c.rows : c.inner;
    p.transposed_a = c.transposed_a;
    weight.put(p);
    p.c = out.data();
    p.c_stride = c.columns;
    if (c.has_epilogue) {
        p.scale = 0.5f;
        p.bias = bias.data();
        p.residual = residual.data();
        p.residual_stride = c.columns;
        p.activation = {ActivationKind::gelu};
    }
    Tensor workspace(DType::u8, {static_cast<std::int64_t>(product_workspace(p, threads))});
    auto* memory = static_cast<std::byte*>(workspace.mutable_raw());
    if (threads == 0) multiply(p, CancelToken(), memory);
    else {
        const auto pool = make_session_threads(threads);
        pool->execute([&] { multiply(p, *pool, CancelToken(), memory); });
    }
    return out;
}

bool equal_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Packs both and multiplies by both, with one thread, with two, and on the caller's thread alone.
void check(const Case& c, DType dtype) {
    SCOPED_TRACE("rows " + std::to_string(c.rows) + " inner " + std::to_string(c.inner) +
                 " columns " + std::to_string(c.columns) + " " + std::string(name_of(dtype)));
    const Shape shape = c.transposed ? Shape{c.columns, c.inner} : Shape{c.inner, c.columns};
    const Tensor half = halves(dtype, shape, 4);
    const Tensor wide = Tensor::widened(
        at_odd_address(half),
        [](std::byte*, std::size_t, std::size_t) { ADD_FAILURE() << "the weight was widened"; });
    const Tensor floats = plain_floats(half);
    WeightStore stores[2];
    const ProductWeight narrow = pack_weight(stores[0], wide, 1, c.inner, c.columns, c.transposed),
                        broad = pack_weight(stores[1], floats, 1, c.inner, c.columns, c.transposed);
    const auto pool = make_session_threads(2);
    for (WeightStore& store : stores) pool->execute([&] { store.fill(*pool, CancelToken()); });
    EXPECT_TRUE(narrow.half);
    EXPECT_FALSE(broad.half);
    const std::vector<float> expected = product_of(c, broad, 0);
    for (int threads : {0, 1, 2})
        ASSERT_TRUE(equal_bits(product_of(c, narrow, threads), expected)) << threads << " threads";
}

void check(const Case& c) {
    for (DType dtype : {DType::f16, DType::bf16}) check(c, dtype);
}

TEST(HalfWeightKernel, EveryTailOfRowsAndColumns) {
    for_each_isa([](Isa isa) {
        SCOPED_TRACE(name_of(isa));
        for (std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 25, 40})
            for (std::int64_t columns : {5, 15, 16, 17, 48, 49, 97, 145})
                check({rows, 13, columns, columns % 2 != 0});
    });
}

TEST(HalfWeightKernel, DepthsBlocksAndEpilogues) {
    for_each_isa([](Isa isa) {
        SCOPED_TRACE(name_of(isa));
        for (std::int64_t rows : {1, 8, 33, 300})
            for (bool transposed : {false, true})
                for (bool transposed_a : {false, true})
                    check({rows, 1601, 200, transposed, transposed_a, true});
        check({2, 800, 2000});
        check({70, 30, 60});
        check({1100, 70, 90});
    });
}

TEST(HalfWeightKernel, InfinitiesAndNumbersThatAreNone) {
    for_each_isa([](Isa isa) {
        SCOPED_TRACE(name_of(isa));
        for (const DType dtype : {DType::f16, DType::bf16}) {
            Tensor half = halves(dtype, {8, 16}, 5);
            auto* at = static_cast<std::uint16_t*>(half.mutable_raw());
            for (const float value :
                 {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                  std::numeric_limits<float>::quiet_NaN(), -0.0f})
                *at++ = half_of(value, dtype);
            const Tensor wide = Tensor::widened(half, {});
            WeightStore store;
            const ProductWeight weight = pack_weight(store, wide, 1, 8, 16, false);
            const auto pool = make_session_threads(1);
            pool->execute([&] { store.fill(*pool, CancelToken()); });
            const std::vector<float> got = product_of({1, 8, 16}, weight, 0);
            EXPECT_TRUE(std::isinf(got[0]) && std::isinf(got[1]) && got[0] == -got[1]);
            EXPECT_TRUE(std::isnan(got[2]));
            EXPECT_TRUE(std::isfinite(got[3]));
        }
    });
}

TEST(HalfWeightKernel, TakesHalfTheMemory) {
    for (const DType dtype : {DType::f16, DType::bf16}) {
        const Tensor half = halves(dtype, {300, 200}, 6), floats = plain_floats(half);
        WeightStore wide_store, half_store;
        pack_weight(wide_store, floats, 1, 300, 200, false);
        pack_weight(half_store, widened_constant(half), 1, 300, 200, false);
        EXPECT_EQ(2 * half_store.bytes(), wide_store.bytes());
    }
}

TEST(HalfWeightKernel, SeveralMatricesAndOperators) {
    const Tensor half = halves(DType::bf16, {3, 120, 200}, 7), floats = plain_floats(half);
    Tensor a(DType::f32, {3, 5, 120});
    std::ranges::copy(random_values(a.size(), 8), a.mutable_data<float>().begin());
    for_each_isa([&](Isa) {
        KernelRun run;
        run.constants = {1};
        run.kernel = "product.matmul";
        const Tensor wide = widened_constant(half);
        ASSERT_TRUE(wide.widened_from());
        EXPECT_TRUE(same_contents(run_kernel_tensor("", "MatMul", 13, {a, wide}, {}, run),
                                  run_kernel_tensor("", "MatMul", 13, {a, floats}, {}, run)));
        EXPECT_TRUE(wide.is_deferred());
        run.kernel = "product.gemm";
        const Tensor matrix = a.reshaped({15, 120}), table = halves(DType::f16, {700, 120}, 9);
        const std::vector<Attribute> turned{attribute("transB", 1)};
        EXPECT_TRUE(same_contents(
            run_kernel_tensor("", "Gemm", 13, {matrix, widened_constant(table)}, turned, run),
            run_kernel_tensor("", "Gemm", 13, {matrix, plain_floats(table)}, turned, run)));
    });
}

}  // namespace
}  // namespace lapidary::test
