// SPDX-License-Identifier: Apache-2.0
// Integers of 8 bits: conversions, products and convolutions with exact sums, and products with
// weights in blocks of few bits.
#pragma once

#include <cstdint>

#include "kernels/convolution/convolution.h"
#include "kernels/product/product.h"

namespace lapidary::cuda {

/// Element i has the parameters number (i / inner) % parameters. Floats are f32, integers have 8
/// bits; i32 can be dequantized too.
struct QuantizeArgs {
    const void* x = nullptr;
    void* y = nullptr;
    const float* scale = nullptr;
    const void* zero = nullptr;  // of the integer type; null: 0
    std::int32_t integer_type = 2, count = 0, parameters = 1, inner = 1;
};
void launch_quantize(Queue& queue, const QuantizeArgs& args);
void launch_dequantize(Queue& queue, const QuantizeArgs& args);
/// Computes the scale and zero point that map the range of x, extended to include 0, to u8.
/// `partial`: two floats for each of range_blocks.
inline constexpr int range_blocks = 264;
void launch_dynamic_range(Queue& queue, const float* x, std::int32_t count, float* scale,
                          std::uint8_t* zero, float* partial);

/// How sums become results: int32 unchanged; sum * (x_scale * w_scale) + float_bias as f32; or
/// round(sum * (x_scale * w_scale / y_scale)) + y_zero within a type of 8 bits.
struct Requantize {
    std::int32_t type = 6;  // of the output: i32, f32, u8, i8
    const float *x_scale = nullptr, *w_scale = nullptr, *y_scale = nullptr;
    const void* y_zero = nullptr;
    const std::int32_t* bias = nullptr;  // of filters or columns
    const float* float_bias = nullptr;
    bool is_per_filter = false;  // w_scale and w_zero have one entry per filter or column
};

struct IntegerProductArgs {
    ProductArgs product;  // a, b, sizes and strides; its type and epilogue are not used
    std::int32_t a_type = 2, b_type = 2;
    const void *a_zero = nullptr, *b_zero = nullptr;
    bool is_a_zero_per_row = false, is_b_zero_per_column = false;
    Requantize requantize;
    /// Set by launch_integer_product(): parts along k, whose sums are in `partial`, [parts, batch,
    /// m, n].
    std::int32_t parts = 1, part_depth = 0;
    std::int32_t* partial = nullptr;
    unsigned* counters = nullptr;
};
/// `memory`: working memory of memory_of() bytes.
void launch_integer_product(Queue& queue, const IntegerProductArgs& args, void* memory);
std::int64_t memory_of(const IntegerProductArgs& args);

struct IntegerConvolutionArgs {
    ConvolutionArgs convolution;  // its type and epilogue are not used
    std::int32_t x_type = 2, w_type = 2;
    const void *x_zero = nullptr, *w_zero = nullptr;
    Requantize requantize;
};
/// `memory`: working memory of memory_of() bytes; 0 for convolutions of few channels and filters.
void launch_integer_convolution(Queue& queue, const IntegerConvolutionArgs& args, void* memory);
std::int64_t memory_of(const IntegerConvolutionArgs& args);

/// The sum or product of two quantized tensors of one shape, all of the same 8-bit type.
struct QuantizedPairArgs {
    const void *a = nullptr, *b = nullptr;
    void* y = nullptr;
    const float *a_scale = nullptr, *b_scale = nullptr, *y_scale = nullptr;
    const void *a_zero = nullptr, *b_zero = nullptr, *y_zero = nullptr;  // null: 0
    std::int32_t type = 2, count = 0;
    bool is_product = false;  // else the sum
};
void launch_quantized_pair(Queue& queue, const QuantizedPairArgs& args);

/// The means y[planes] of x[planes, plane], both of the same 8-bit type. A plane has fewer than
/// 2^23 elements.
struct QuantizedMeanArgs {
    const void* x = nullptr;
    void* y = nullptr;
    const float *x_scale = nullptr, *y_scale = nullptr;
    const void *x_zero = nullptr, *y_zero = nullptr;  // null: 0
    std::int32_t type = 2, planes = 0, plane = 0;
};
void launch_quantized_mean(Queue& queue, const QuantizedMeanArgs& args);

/// y[m, n] = a[m, k] * b^T + bias. Row n of b has `blocks` blocks of `block` numbers of `bits`
/// bits. Each block has a scale and a zero point, by default the middle of the range.
struct BlockProductArgs {
    const void* a = nullptr;
    const std::uint8_t* b = nullptr;
    const void *scales = nullptr, *bias = nullptr;
    const std::uint8_t* zeros = nullptr;  // packed like b, `zero_row` bytes for each row
    void* y = nullptr;
    std::int32_t type = 1, m = 0, n = 0, k = 0, bits = 4, block = 32, blocks = 0, blob = 0,
                 zero_row = 0;
};
/// At most few_block_rows rows.
inline constexpr int few_block_rows = 8;
void launch_block_product(Queue& queue, const BlockProductArgs& args);
/// Dequantizes the weights to `to`, [n, k] of the type.
void launch_block_weights(Queue& queue, const BlockProductArgs& args, void* to);

}  // namespace lapidary::cuda
