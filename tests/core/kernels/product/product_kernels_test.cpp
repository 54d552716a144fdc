// SPDX-License-Identifier: Apache-2.0
// MatMul, Gemm and their fused forms against the reference kernels; both sum in float, so results
// differ by rounding that grows with the inner dimension.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

Tensor random_tensor(Shape shape, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    Tensor t(DType::f32, std::move(shape));
    for (float& v : t.mutable_data<float>()) v = values(generator);
    return t;
}

void expect_near(const Tensor& got, const Tensor& wanted, std::int64_t inner) {
    ASSERT_EQ(got.shape(), wanted.shape());
    const float tolerance = 1e-6f * static_cast<float>(inner + 4);
    for (std::size_t i = 0; i < static_cast<std::size_t>(got.size()); ++i)
        ASSERT_NEAR(got.data<float>()[i], wanted.data<float>()[i], tolerance) << "element " << i;
}

struct Operator {
    const char* domain;
    const char* op;
    const char* kernel;
    std::int64_t version;
};
constexpr Operator matmul{"", "MatMul", "product.matmul", 13}, gemm{"", "Gemm", "product.gemm", 13};
constexpr Operator fused_matmul{"com.microsoft", "FusedMatMul", "product.fused_matmul", 1};

/// The fast kernel with B computed and constant, on each instruction set, against the reference.
void check(const Operator& o, std::vector<RuntimeValue> inputs, std::vector<Attribute> attributes,
           std::int64_t inner, std::set<std::size_t> constants = {1, 2}) {
    const Tensor wanted = run_kernel_tensor(o.domain, o.op, o.version, inputs, attributes);
    for_each_isa([&](Isa) {
        for (const auto& set : {std::set<std::size_t>{}, constants}) {
            KernelRun run;
            run.kernel = o.kernel;
            run.constants = set;
            expect_near(run_kernel_tensor(o.domain, o.op, o.version, inputs, attributes, run),
                        wanted, inner);
        }
    });
}

std::string message_of(const Operator& o, std::vector<RuntimeValue> inputs,
                       std::vector<Attribute> attributes, const std::string& kernel,
                       std::set<std::size_t> constants = {}) {
    KernelRun run;
    run.kernel = kernel;
    run.constants = std::move(constants);
    try {
        run_kernel(o.domain, o.op, o.version, std::move(inputs), std::move(attributes), run);
    } catch (const Error& e) { return e.what(); }
    return "";
}

TEST(MatMulKernel, RanksAndBroadcasts) {
    const std::pair<Shape, Shape> shapes[] = {
        {{5, 7}, {7, 9}},
        {{1, 7}, {7, 50}},
        {{7}, {7, 9}},
        {{5, 7}, {7}},
        {{7}, {7}},
        {{2, 3, 5, 7}, {7, 20}},
        {{2, 3, 5, 7}, {2, 3, 7, 6}},
        {{3, 5, 7}, {2, 1, 7, 6}},
        {{2, 1, 5, 7}, {3, 7, 65}},
        {{5, 7}, {4, 7, 6}},
        {{7}, {4, 7, 6}},
        {{4, 5, 7}, {7}},
        {{4, 5, 7}, {1, 7, 6}},
        {{0, 7}, {7, 3}},
        {{3, 0}, {0, 4}},
        {{2, 0, 7}, {2, 7, 3}},
        {{0, 5, 7}, {7, 3}},
        {{30, 64}, {64, 200}},
        {{40, 33}, {33, 3}},
        {{2, 3, 33}, {33}},
        {{33}, {33, 2}},
        {{3, 4, 33}, {3, 33, 2}},
        {{16, 20, 16}, {16, 16, 33}},
    };
    for (const auto& [a, b] : shapes) {
        SCOPED_TRACE(to_string(a) + " x " + to_string(b));
        check(matmul, {random_tensor(a, 1), random_tensor(b, 2)}, {}, a.back());
    }
}

TEST(MatMulKernel, MessagesAreThoseOfTheReference) {
    const auto same = [](const Shape& a, const Shape& b) {
        const std::vector<RuntimeValue> inputs{random_tensor(a, 1), random_tensor(b, 2)};
        const std::string wanted = message_of(matmul, inputs, {}, "");
        EXPECT_NE(wanted, "");
        EXPECT_EQ(message_of(matmul, inputs, {}, "product.matmul"), wanted);
        EXPECT_EQ(message_of(matmul, inputs, {}, "product.matmul", {1}), wanted);
    };
    same({5, 7}, {8, 9});
    same({2, 5, 7}, {3, 7, 9});
    same({7}, {8});
    same({}, {8});
    same({5, 7}, {});
}

TEST(MatMulKernel, DeclinesOtherTypesWithAReason) {
    KernelRun run;
    run.kernel = "product.matmul";
    const Tensor d = Tensor::of<double>({1, 1}, {2});
    EXPECT_NE(message_of(matmul, {d, d}, {}, "product.matmul")
                  .find("products of f64 are served by the reference kernel"),
              std::string::npos);
}

TEST(FusedMatMulKernel, EveryTransposition) {
    for (int form = 0; form < 16; ++form) {
        const bool ta = form & 1, tb = form & 2, ba = form & 4, bb = form & 8;
        SCOPED_TRACE("form " + std::to_string(form));
        const std::vector<Attribute> attributes{
            attribute("alpha", 0.5f), attribute("transA", ta), attribute("transB", tb),
            attribute("transBatchA", ba), attribute("transBatchB", bb)};
        // rows 6, inner 5, columns 19, batch 3 x 2
        const auto shape = [](bool matrix, bool batch, std::int64_t rows, std::int64_t columns) {
            if (matrix) std::swap(rows, columns);
            return batch ? Shape{rows, 3, 2, columns} : Shape{3, 2, rows, columns};
        };
        check(fused_matmul,
              {random_tensor(shape(ta, ba, 6, 5), 1), random_tensor(shape(tb, bb, 5, 19), 2)},
              attributes, 5);
        if (ba || bb) continue;
        check(fused_matmul,
              {random_tensor(ta ? Shape{5, 6} : Shape{6, 5}, 1),
               random_tensor(tb ? Shape{19, 5} : Shape{5, 19}, 2)},
              attributes, 5);
        check(fused_matmul,
              {random_tensor(shape(ta, false, 6, 5), 1),
               random_tensor(tb ? Shape{19, 5} : Shape{5, 19}, 2)},
              attributes, 5);
        check(fused_matmul,
              {random_tensor({5}, 1), random_tensor(tb ? Shape{19, 5} : Shape{5, 19}, 2)},
              attributes, 5);
    }
}

TEST(FusedMatMulKernel, Activations) {
    const std::vector<RuntimeValue> inputs{random_tensor({3, 6, 5}, 1), random_tensor({5, 19}, 2)};
    constexpr Operator activated{"com.microsoft", "FusedMatMulActivation",
                                 "product.fused_matmul_activation", 1};
    for (const char* name : {"", "Relu", "Tanh", "Sigmoid", "LeakyRelu", "HardSigmoid"}) {
        SCOPED_TRACE(name);
        check(activated, inputs, {attribute("activation", name), attribute("alpha", 2.0f)}, 5);
    }
    check(activated, inputs,
          {attribute("activation", "LeakyRelu"), attribute("activation_alpha", 0.3f)}, 5);
    EXPECT_NE(message_of(activated, inputs, {attribute("activation", "Softmax")}, activated.kernel)
                  .find("served by the reference kernel"),
              std::string::npos);
    constexpr Operator fast_gelu{"com.microsoft", "GemmFastGelu", "product.gemm_fast_gelu", 1};
    check(fast_gelu, inputs, {}, 5);
    check(fast_gelu, {inputs[0], inputs[1], random_tensor({19}, 3)}, {}, 5);
}

TEST(GemmKernel, EveryForm) {
    for (int form = 0; form < 8; ++form) {
        const bool ta = form & 1, tb = form & 2;
        const float beta = form & 4 ? 0.5f : 1.0f;
        SCOPED_TRACE("form " + std::to_string(form));
        const std::vector<Attribute> attributes{attribute("alpha", 0.75f), attribute("beta", beta),
                                                attribute("transA", ta), attribute("transB", tb)};
        for (const auto& [rows, columns] :
             {std::pair<std::int64_t, std::int64_t>{6, 19}, {1, 19}, {6, 1}, {1, 1}, {50, 100}}) {
            const Tensor a = random_tensor(ta ? Shape{5, rows} : Shape{rows, 5}, 1),
                         b = random_tensor(tb ? Shape{columns, 5} : Shape{5, columns}, 2);
            check(gemm, {a, b}, attributes, 5);
            for (const Shape& c :
                 {Shape{}, {1}, {columns}, {1, columns}, {rows, 1}, {1, 1}, {rows, columns}}) {
                SCOPED_TRACE("C " + to_string(c));
                check(gemm, {a, b, random_tensor(c, 3)}, attributes, 5);
                check(gemm, {a, b, random_tensor(c, 3)}, attributes, 5, {1});
            }
        }
    }
}

TEST(GemmKernel, FusedActivations) {
    constexpr Operator fused{"com.microsoft", "FusedGemm", "product.fused_gemm", 1};
    const std::vector<RuntimeValue> inputs{random_tensor({6, 5}, 1), random_tensor({5, 19}, 2),
                                           random_tensor({19}, 3)};
    for (const char* name : {"", "Relu", "Tanh", "Sigmoid", "LeakyRelu", "HardSigmoid", "Elu",
                             "Softplus", "Gelu", "HardSwish", "QuickGelu", "Clip"}) {
        SCOPED_TRACE(name);
        check(fused, inputs, {attribute("activation", name)}, 5);
        check(fused, inputs,
              {attribute("activation", name), attribute("activation_alpha", 0.25f),
               attribute("activation_beta", 0.75f)},
              5);
    }
}

TEST(GemmKernel, MessagesAreThoseOfTheReference) {
    const auto same = [](std::vector<Shape> shapes, std::vector<Attribute> attributes = {}) {
        std::vector<RuntimeValue> inputs;
        for (const Shape& s : shapes) inputs.push_back(random_tensor(s, 1));
        const std::string wanted = message_of(gemm, inputs, attributes, "");
        EXPECT_NE(wanted, "");
        EXPECT_EQ(message_of(gemm, inputs, attributes, "product.gemm"), wanted);
        EXPECT_EQ(message_of(gemm, inputs, attributes, "product.gemm", {1, 2}), wanted);
    };
    same({{5, 7}, {8, 9}});
    same({{5, 7}, {9, 8}}, {attribute("transB", 1)});
    same({{2, 5, 7}, {7, 9}});
    same({{5, 7}, {7}});
    same({{5, 7}, {7, 9}, {8}});
    same({{5, 7}, {7, 9}, {1, 5, 9}});
    same({{5, 7}, {7, 9}, {6, 9}});
}

TEST(ProductKernel, HalvesAreComputedInFloat) {
    const auto half = [](const Tensor& t) {
        return run_kernel_tensor("", "Cast", 13, {t}, {attribute("to", 10)});
    };
    const auto compare = [&](const Operator& o, std::vector<RuntimeValue> inputs,
                             std::vector<Attribute> attributes) {
        const Tensor wanted = run_kernel_tensor(o.domain, o.op, o.version, inputs, attributes);
        for_each_isa([&](Isa) {
            for (const auto& constants : {std::set<std::size_t>{}, std::set<std::size_t>{1, 2}}) {
                KernelRun run;
                run.kernel = o.kernel;
                run.constants = constants;
                const Tensor got =
                    run_kernel_tensor(o.domain, o.op, o.version, inputs, attributes, run);
                ASSERT_EQ(got.dtype(), DType::f16);
                ASSERT_EQ(got.shape(), wanted.shape());
                const auto g = to_doubles(got), w = to_doubles(wanted);
                // a rounding may fall on the other side
                for (std::size_t i = 0; i < g.size(); ++i)
                    ASSERT_NEAR(g[i], w[i], 2e-3 * (1 + std::abs(w[i]))) << i;
            }
        });
    };
    for (std::int64_t columns : {1, 3, 19, 100}) {
        compare(matmul, {half(random_tensor({2, 6, 33}, 1)), half(random_tensor({33, columns}, 2))},
                {});
        compare(matmul,
                {half(random_tensor({2, 6, 33}, 1)), half(random_tensor({2, 33, columns}, 2))}, {});
        for (int turned : {0, 1})
            compare(gemm,
                    {half(random_tensor({6, 33}, 1)),
                     half(random_tensor(turned ? Shape{columns, 33} : Shape{33, columns}, 2)),
                     half(random_tensor({columns}, 3))},
                    {attribute("transB", turned), attribute("beta", turned ? 0.5f : 1.0f)});
    }
}

TEST(ProductKernel, BiasResidualAndActivation) {
    const Tensor a = random_tensor({2, 6, 5}, 1), b = random_tensor({5, 19}, 2),
                 bias = random_tensor({19}, 3), residual = random_tensor({2, 6, 19}, 4);
    Tensor wanted = run_kernel_tensor("", "MatMul", 13, {a, b});
    wanted = run_kernel_tensor("", "Add", 13, {wanted, bias});
    wanted = run_kernel_tensor("", "Add", 13, {wanted, residual});
    wanted = run_kernel_tensor("", "Relu", 13, {wanted});
    for_each_isa([&](Isa) {
        KernelRun run;
        run.kernel = "product.fused";
        run.constants = {1, 2};
        expect_near(run_kernel_tensor("lapidary", "Product", 1, {a, b, bias, residual},
                                      {attribute("activation", "Relu")}, run),
                    wanted, 5);
    });
    KernelRun run;
    run.kernel = "product.fused";
    EXPECT_THROW(run_kernel("lapidary", "Product", 1, {a, b, random_tensor({18}, 3)}, {}, run),
                 Error);
    EXPECT_THROW(
        run_kernel("lapidary", "Product", 1, {a, b, {}, random_tensor({12, 19}, 3)}, {}, run),
        Error);
}

}  // namespace
}  // namespace lapidary::test
