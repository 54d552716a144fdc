// SPDX-License-Identifier: Apache-2.0
// Products on packed weights against sums in double, for every instruction set and every tail.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <lapidary/base/error.h>

#include "base/threads/session_threads.h"
#include "kernels/product/packed_product.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

struct Case {
    std::int64_t rows, inner, columns;
    bool transposed = false, has_bias = false, has_row_bias = false, has_residual = false,
         in_place = false;
    float scale = 1;
    Activation activation = {};
    bool transposed_a = false, is_packed = true;
};

std::vector<float> random_values(std::int64_t count, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& v : out) v = values(generator);
    return out;
}

/// C with a margin of untouched elements behind each row, by one thread, by two, and by the caller
/// alone: all alike.
void check(const Case& c) {
    SCOPED_TRACE("rows " + std::to_string(c.rows) + " inner " + std::to_string(c.inner) +
                 " columns " + std::to_string(c.columns));
    const std::int64_t a_stride = (c.transposed_a ? c.rows : c.inner) + 3, c_stride = c.columns + 5,
                       residual_stride = c.in_place ? c_stride : c.columns + 2;
    const std::int64_t b_stride = (c.transposed ? c.inner : c.columns) + 1;
    const auto a = random_values((c.transposed_a ? c.inner : c.rows) * a_stride, 1),
               b = random_values((c.transposed ? c.columns : c.inner) * b_stride, 2);
    const auto bias = random_values(c.columns, 3), row_bias = random_values(c.rows, 4),
               residual = random_values(c.rows * residual_stride, 5);
    const std::size_t packed_size = packed_matrix::bytes(c.inner, c.columns);
    Tensor packed(DType::f32, {static_cast<std::int64_t>(packed_size / sizeof(float))});
    auto* packed_b = packed.mutable_data<float>().data();
    const std::int64_t panels = packed_matrix::panels(c.columns);
    for (std::int64_t p = panels; p-- > 0;)
        packed_matrix::pack(b.data(), b_stride, c.transposed, c.inner, c.columns, p, p + 1,
                            packed_b);

    Product product;
    product.rows = c.rows, product.inner = c.inner, product.columns = c.columns;
    product.a = a.data(), product.a_stride = a_stride;
    product.transposed_a = c.transposed_a;
    if (c.is_packed) product.packed_b = packed_b;
    else product.b = b.data(), product.b_stride = b_stride, product.transposed_b = c.transposed;
    product.c_stride = c_stride;
    product.scale = c.scale;
    product.bias = c.has_bias ? bias.data() : nullptr;
    product.row_bias = c.has_row_bias ? row_bias.data() : nullptr;
    product.activation = c.activation;
    const auto run = [&](int threads) {
        std::vector<float> out =
            c.in_place ? residual
                       : std::vector<float>(static_cast<std::size_t>(c.rows * c_stride), 77.0f);
        product.c = out.data();
        product.residual = c.in_place ? out.data() : c.has_residual ? residual.data() : nullptr;
        product.residual_stride = residual_stride;
        Tensor workspace(DType::u8,
                         {static_cast<std::int64_t>(product_workspace(product, threads))});
        auto* memory = static_cast<std::byte*>(workspace.mutable_raw());
        if (threads == 0) multiply(product, CancelToken(), memory);
        else {
            const auto pool = make_session_threads(threads);
            pool->execute([&] { multiply(product, *pool, CancelToken(), memory); });
        }
        return out;
    };
    const std::vector<float> got = run(0);
    EXPECT_EQ(got, run(1));
    EXPECT_EQ(got, run(2));
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < c_stride; ++j) {
            const float value = got[static_cast<std::size_t>(i * c_stride + j)];
            if (j >= c.columns) {
                ASSERT_EQ(value,
                          c.in_place ? residual[static_cast<std::size_t>(i * c_stride + j)] : 77.0f)
                    << "written behind row " << i;
                continue;
            }
            double sum = 0, size = 1;
            for (std::int64_t k = 0; k < c.inner; ++k) {
                const double term = static_cast<double>(a[static_cast<std::size_t>(
                                        c.transposed_a ? k * a_stride + i : i * a_stride + k)]) *
                                    static_cast<double>(b[static_cast<std::size_t>(
                                        c.transposed ? j * b_stride + k : k * b_stride + j)]);
                sum += term;
                size += std::abs(term);
            }
            sum *= static_cast<double>(c.scale);
            if (c.has_bias) sum += static_cast<double>(bias[static_cast<std::size_t>(j)]);
            if (c.has_row_bias) sum += static_cast<double>(row_bias[static_cast<std::size_t>(i)]);
            if (c.has_residual || c.in_place)
                sum += static_cast<double>(
                    residual[static_cast<std::size_t>(i * residual_stride + j)]);
            if (c.activation.kind == ActivationKind::relu) sum = std::max(sum, 0.0);
            if (c.activation.kind == ActivationKind::gelu)
                sum = sum / 2 * (1 + std::erf(sum / std::sqrt(2.0)));
            ASSERT_NEAR(static_cast<double>(value), sum, 1e-6 * size) << "at " << i << ", " << j;
        }
}

TEST(PackedProduct, EveryTailOfRowsAndColumns) {
    for_each_isa([](Isa) {
        for (std::int64_t rows : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 25, 31, 40})
            for (std::int64_t columns :
                 {0, 1, 3, 4, 7, 15, 16, 17, 31, 33, 47, 48, 49, 64, 95, 97, 145, 200})
                check({rows, 5, columns});
    });
}

TEST(PackedProduct, EveryTailOfInner) {
    for_each_isa([](Isa) {
        for (std::int64_t inner : {0, 1, 2, 3, 4, 6, 7, 8, 15, 17, 64, 127, 130})
            for (std::int64_t rows : {1, 7, 20})
                for (bool transposed : {false, true}) check({rows, inner, 150, transposed});
    });
}

TEST(PackedProduct, DeepSumsGoThroughMemory) {
    for_each_isa([](Isa) {
        for (std::int64_t inner : {1024, 1601})
            for (std::int64_t rows : {3, 13, 33}) {
                check({rows, inner, 200});
                check({.rows = rows,
                       .inner = inner,
                       .columns = 157,
                       .transposed = true,
                       .has_bias = true,
                       .has_residual = true,
                       .scale = 0.5f});
                check({.rows = rows,
                       .inner = inner,
                       .columns = 150,
                       .has_bias = true,
                       .in_place = true});
            }
    });
}

TEST(PackedProduct, Epilogues) {
    for_each_isa([](Isa) {
        for (std::int64_t rows : {1, 8, 19, 200})
            for (std::int64_t columns : {1, 48, 163}) {
                check({.rows = rows, .inner = 40, .columns = columns, .has_bias = true});
                check({.rows = rows,
                       .inner = 40,
                       .columns = columns,
                       .has_row_bias = true,
                       .scale = -2});
                check({.rows = rows,
                       .inner = 40,
                       .columns = columns,
                       .has_bias = true,
                       .has_residual = true,
                       .activation = {ActivationKind::relu}});
                check({.rows = rows,
                       .inner = 0,
                       .columns = columns,
                       .has_bias = true,
                       .activation = {ActivationKind::gelu}});
                check({.rows = rows,
                       .inner = 40,
                       .columns = columns,
                       .has_bias = true,
                       .has_row_bias = true,
                       .in_place = true,
                       .scale = 0.25f,
                       .activation = {ActivationKind::gelu}});
            }
    });
}

TEST(PackedProduct, OperandsThatAreNotPacked) {
    for_each_isa([](Isa) {
        for (std::int64_t rows : {1, 2, 5, 8, 9, 16, 21, 50})
            for (std::int64_t columns : {1, 2, 3, 4, 5, 16, 31, 48, 64, 100, 250})
                for (int form = 0; form < 6; ++form)
                    check({.rows = rows,
                           .inner = 37,
                           .columns = columns,
                           .transposed = form % 2 != 0,
                           .has_bias = true,
                           .transposed_a = form >= 3,
                           .is_packed = form % 3 == 2});
        check(
            {.rows = 70, .inner = 1000, .columns = 300, .transposed_a = true, .is_packed = false});
        check({.rows = 70,
               .inner = 1000,
               .columns = 300,
               .transposed = true,
               .has_residual = true,
               .is_packed = false});
        for (std::int64_t inner : {1, 7, 8, 15, 16, 31, 32, 33, 100}) {
            check(
                {.rows = 3, .inner = inner, .columns = 9, .transposed = true, .is_packed = false});
            check({.rows = 9,
                   .inner = inner,
                   .columns = 3,
                   .has_row_bias = true,
                   .has_residual = true,
                   .scale = 2,
                   .activation = {ActivationKind::gelu},
                   .is_packed = false});
            check({.rows = 9,
                   .inner = inner,
                   .columns = 3,
                   .has_bias = true,
                   .in_place = true,
                   .is_packed = false});
        }
    });
}

TEST(PackedProduct, ManyRowsInBlocks) {
    // A's rows lie 4096 bytes apart and are packed
    check({.rows = 33, .inner = 1021, .columns = 200, .has_bias = true});
    check({.rows = 300, .inner = 1021, .columns = 150, .has_residual = true});
    check({.rows = 150, .inner = 1000, .columns = 150, .transposed_a = true});
    check({.rows = 1900, .inner = 70, .columns = 300, .has_bias = true});
    check({.rows = 500, .inner = 1000, .columns = 150, .has_residual = true});
    check({.rows = 2500, .inner = 30, .columns = 60});
    check({.rows = 1, .inner = 800, .columns = 3000, .has_bias = true});
    check({.rows = 3,
           .inner = 800,
           .columns = 3000,
           .transposed = true,
           .has_bias = true,
           .is_packed = false});
    check({.rows = 3000, .inner = 300, .columns = 1, .has_bias = true, .is_packed = false});
    check({.rows = 300, .inner = 300, .columns = 500, .is_packed = false});
    check({.rows = 600, .inner = 100, .columns = 100, .transposed = true, .is_packed = false});
}

TEST(PackedProduct, StopsWhenCancelled) {
    const auto pool = make_session_threads(2);
    const std::vector<float> a(20 * 300, 1.0f);
    std::vector<float> b(300 * 300, 1.0f), c(20 * 300);
    Product product{.rows = 20,
                    .inner = 300,
                    .columns = 300,
                    .a = a.data(),
                    .a_stride = 300,
                    .packed_b = b.data(),
                    .c = c.data(),
                    .c_stride = 300};
    Tensor workspace(DType::u8, {static_cast<std::int64_t>(product_workspace(product, 2))});
    CancelToken cancel;
    cancel.cancel();
    EXPECT_THROW(pool->execute([&] {
        multiply(product, *pool, cancel, static_cast<std::byte*>(workspace.mutable_raw()));
    }),
                 Error);
}

}  // namespace
}  // namespace lapidary::test
