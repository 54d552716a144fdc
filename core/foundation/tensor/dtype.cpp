// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tensor/dtype.h>

#include <array>

#include <lapidary/base/error.h>

#include "base/checked.h"

namespace lapidary {
namespace {

struct Row {
    DType dtype;
    std::string_view name, onnx_name;
    std::size_t bits;
};

constexpr std::array<Row, 27> rows{{
    {DType::undefined, "undefined", "undefined", 0},
    {DType::f32, "f32", "float", 32},
    {DType::u8, "u8", "uint8", 8},
    {DType::i8, "i8", "int8", 8},
    {DType::u16, "u16", "uint16", 16},
    {DType::i16, "i16", "int16", 16},
    {DType::i32, "i32", "int32", 32},
    {DType::i64, "i64", "int64", 64},
    {DType::string, "string", "string", 8 * sizeof(std::string)},
    {DType::boolean, "bool", "bool", 8},
    {DType::f16, "f16", "float16", 16},
    {DType::f64, "f64", "double", 64},
    {DType::u32, "u32", "uint32", 32},
    {DType::u64, "u64", "uint64", 64},
    {DType::complex64, "c64", "complex64", 64},
    {DType::complex128, "c128", "complex128", 128},
    {DType::bf16, "bf16", "bfloat16", 16},
    {DType::f8e4m3fn, "f8e4m3fn", "float8e4m3fn", 8},
    {DType::f8e4m3fnuz, "f8e4m3fnuz", "float8e4m3fnuz", 8},
    {DType::f8e5m2, "f8e5m2", "float8e5m2", 8},
    {DType::f8e5m2fnuz, "f8e5m2fnuz", "float8e5m2fnuz", 8},
    {DType::u4, "u4", "uint4", 4},
    {DType::i4, "i4", "int4", 4},
    {DType::f4e2m1, "f4e2m1", "float4e2m1", 4},
    {DType::f8e8m0, "f8e8m0", "float8e8m0", 8},
    {DType::u2, "u2", "uint2", 2},
    {DType::i2, "i2", "int2", 2},
}};

const Row& row(DType dtype) {
    const auto i = static_cast<std::size_t>(dtype);
    return rows[i < rows.size() ? i : 0];
}

}  // namespace

std::string_view name_of(DType dtype) { return row(dtype).name; }
std::string_view onnx_name_of(DType dtype) { return row(dtype).onnx_name; }

std::optional<DType> dtype_from_name(std::string_view name) {
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (rows[i].name == name || rows[i].onnx_name == name) return rows[i].dtype;
    return std::nullopt;
}

bool is_known_dtype(std::int64_t onnx_number) {
    return onnx_number > 0 && onnx_number < static_cast<std::int64_t>(rows.size());
}

std::size_t bit_width(DType dtype) { return row(dtype).bits; }

std::size_t storage_bytes(DType dtype, std::int64_t count) {
    const auto bits = checked_multiply(count, static_cast<std::int64_t>(bit_width(dtype)));
    if (!bits || *bits < 0 || count < 0)
        fail_limit("a tensor of " + std::to_string(count) + " elements of type " +
                   std::string(name_of(dtype)) + " has a size that overflows");
    return (static_cast<std::size_t>(*bits) + 7) / 8;
}

bool is_float(DType dtype) {
    switch (dtype) {
    case DType::f32:
    case DType::f16:
    case DType::f64:
    case DType::bf16:
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz:
    case DType::f8e5m2:
    case DType::f8e5m2fnuz:
    case DType::f8e8m0:
    case DType::f4e2m1: return true;
    default: return false;
    }
}

bool is_signed_integer(DType dtype) {
    return dtype == DType::i8 || dtype == DType::i16 || dtype == DType::i32 ||
           dtype == DType::i64 || dtype == DType::i4 || dtype == DType::i2;
}

bool is_integer(DType dtype) {
    return is_signed_integer(dtype) || dtype == DType::u8 || dtype == DType::u16 ||
           dtype == DType::u32 || dtype == DType::u64 || dtype == DType::u4 || dtype == DType::u2;
}

bool is_packed(DType dtype) { return bit_width(dtype) == 4 || bit_width(dtype) == 2; }

}  // namespace lapidary
