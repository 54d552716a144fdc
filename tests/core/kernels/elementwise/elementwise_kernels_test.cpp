// SPDX-License-Identifier: Apache-2.0
// Fast kernels of Where, Cast, ImageScaler and of biases with an activation against the reference
// kernels, on every instruction set.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/base/error.h>

#include "core/kernels/elementwise/elementwise_inputs.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

TEST(FastElementwise, WhereChoosesUnderEveryBroadcast) {
    const std::vector<bool> bits{true, false, false, true, true, false};
    for (const Shape& c_shape : {Shape{2, 3}, Shape{2, 1}, Shape{3}, Shape{}})
        for (const Shape& x_shape : {Shape{2, 3}, Shape{3}, Shape{}})
            for (const Shape& z_shape : {Shape{2, 3}, Shape{2, 1}, Shape{1}}) {
                Tensor c = Tensor::of<bool>(
                    c_shape,
                    std::vector<bool>(bits.begin(), bits.begin() + element_count(c_shape)));
                const Tensor x = random_tensor(x_shape, 0, 1, 1),
                             z = random_tensor(z_shape, 2, 3, 2);
                EXPECT_TRUE(same_contents(
                    run_kernel_tensor("", "Where", 16, {c, x, z}, {}, fast("elementwise.where")),
                    run_kernel_tensor("", "Where", 16, {c, x, z})));
            }
    const Tensor c = Tensor::of<bool>({1}, {true});
    EXPECT_THROW(run_kernel_tensor("", "Where", 16, {c, Tensor::scalar(1.0f), Tensor::scalar(1.0)},
                                   {}, fast("elementwise.where")),
                 Error);
}

TEST(FastElementwise, CastsAgreeForCommonTypes) {
    const std::vector<float> values{0,      -0.0f,     1.5f,          -1.5f, 300,    -300,
                                    127.9f, 1e10f,     -1e10f,        1e20f, -1e20f, inf,
                                    -inf,   nan_value, 2147483520.0f, 0.49f};
    const Tensor base = Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
    constexpr DType types[] = {DType::f32, DType::f64, DType::i32,     DType::i64,
                               DType::u8,  DType::i8,  DType::boolean, DType::f16};
    for (DType from : types) {
        const Tensor x =
            run_kernel_tensor("", "Cast", 13, {base}, {attribute("to", static_cast<int>(from))});
        for (DType to : types) {
            // declined
            if ((from == DType::f16) != (to == DType::f16) && from != DType::f32 &&
                to != DType::f32)
                continue;
            if (from == DType::f16 && to == DType::f16) continue;
            expect_near(
                run_kernel_tensor("", "Cast", 13, {x}, {attribute("to", static_cast<int>(to))},
                                  fast("elementwise.cast")),
                run_kernel_tensor("", "Cast", 13, {x}, {attribute("to", static_cast<int>(to))}), 0,
                0, std::string(name_of(from)) + " to " + std::string(name_of(to)));
        }
    }
}

TEST(FastElementwise, HalvesConvertBothWaysOnEveryInstructionSet) {
    for_each_isa([](Isa) {
        for (std::int64_t n : {0, 1, 7, 8, 9, 15, 16, 17, 33, 70000}) {
            const Tensor x = random_tensor({n}, -70000, 70000);
            const Tensor narrow = run_kernel_tensor("", "Cast", 13, {x}, {attribute("to", 10)},
                                                    fast("elementwise.cast"));
            expect_near(narrow, run_kernel_tensor("", "Cast", 13, {x}, {attribute("to", 10)}), 0, 0,
                        "narrow");
            expect_near(run_kernel_tensor("", "Cast", 13, {narrow}, {attribute("to", 1)},
                                          fast("elementwise.cast")),
                        run_kernel_tensor("", "Cast", 13, {narrow}, {attribute("to", 1)}), 0, 0,
                        "wide");
        }
    });
}

TEST(FastElementwise, ImagesAreScaledPerChannel) {
    for_each_isa([](Isa) {
        for (const Shape& shape : {Shape{2, 3, 5, 7}, Shape{1, 3, 200, 150}, Shape{0, 3, 2, 2}})
            for (const auto& bias : {std::vector<float>{}, std::vector<float>{-0.5f, 1.25f, 3}}) {
                const Tensor x = random_tensor(shape);
                const std::vector<Attribute> attributes{attribute("scale", 0.3f),
                                                        attribute("bias", bias)};
                expect_near(run_kernel_tensor("", "ImageScaler", 1, {x}, attributes,
                                              fast("elementwise.image_scaler")),
                            run_kernel_tensor("", "ImageScaler", 1, {x}, attributes), 0, 0,
                            "ImageScaler");
            }
    });
}

TEST(FastElementwise, BiasesAreAddedToEveryRow) {
    for_each_isa([](Isa isa) {
        for (std::int64_t width : {1, 5, 16, 33}) {
            const Tensor x = random_tensor({3, 7, width}), bias = random_tensor({width}, -1, 1, 5);
            for (const char* op : {"BiasGelu", "FastGelu"})
                expect_near(run_kernel_tensor("com.microsoft", op, 1, {x, bias}, {},
                                              fast("elementwise.bias_activation")),
                            run_kernel_tensor("com.microsoft", op, 1, {x, bias}), 1e-6f, 1e-6f,
                            std::string(name_of(isa)) + op);
            expect_near(run_kernel_tensor("com.microsoft", "BiasAdd", 1, {x, bias, x}, {},
                                          fast("elementwise.bias_activation")),
                        run_kernel_tensor("com.microsoft", "BiasAdd", 1, {x, bias, x}), 0, 0,
                        "BiasAdd");
        }
        EXPECT_THROW(run_kernel_tensor("com.microsoft", "BiasGelu", 1,
                                       {random_tensor({2, 3}), random_tensor({4})}, {},
                                       fast("elementwise.bias_activation")),
                     Error);
    });
}

}  // namespace
}  // namespace lapidary::test
