// SPDX-License-Identifier: Apache-2.0
// Element types, numbered as ONNX TensorProto.DataType.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

/// Element types with the numbers of TensorProto.DataType.
enum class DType : std::uint8_t {
    undefined = 0,    // no type: an absent tensor
    f32 = 1,          // FLOAT
    u8 = 2,           // UINT8
    i8 = 3,           // INT8
    u16 = 4,          // UINT16
    i16 = 5,          // INT16
    i32 = 6,          // INT32
    i64 = 7,          // INT64
    string = 8,       // STRING: UTF-8 by convention, any bytes
    boolean = 9,      // BOOL, a byte each
    f16 = 10,         // FLOAT16 (IEEE 754 binary16)
    f64 = 11,         // DOUBLE
    u32 = 12,         // UINT32
    u64 = 13,         // UINT64
    complex64 = 14,   // COMPLEX64: two floats
    complex128 = 15,  // COMPLEX128: two doubles
    bf16 = 16,        // BFLOAT16
    f8e4m3fn = 17,    // FLOAT8E4M3FN: no infinities
    f8e4m3fnuz = 18,  // FLOAT8E4M3FNUZ: no infinities, one zero
    f8e5m2 = 19,      // FLOAT8E5M2
    f8e5m2fnuz = 20,  // FLOAT8E5M2FNUZ: no infinities, one zero
    u4 = 21,          // UINT4, two in a byte
    i4 = 22,          // INT4, two in a byte
    f4e2m1 = 23,      // FLOAT4E2M1, two in a byte
    f8e8m0 = 24,      // powers of two alone: 2^(bits - 127), 255 is NaN
    u2 = 25,          // UINT2, four in a byte
    i2 = 26           // INT2, four in a byte
};

/// Short name: "f32", "i64", "bool", "string" ...
std::string_view name_of(DType dtype);
/// The ONNX schema spelling inside tensor(...): "float", "int64", "float16" ...
std::string_view onnx_name_of(DType dtype);
/// From either spelling; nothing when unknown.
std::optional<DType> dtype_from_name(std::string_view name);
/// True for a TensorProto.DataType this program knows (undefined excluded).
bool is_known_dtype(std::int64_t onnx_number);

/// Bits of one element as stored (4 for u4, i4 and f4e2m1, 2 for u2 and i2; 8*sizeof(std::string)
/// for string).
std::size_t bit_width(DType dtype);
/// Bytes that `count` elements take; types of 4 and 2 bits share a byte, the first in its lowest
/// bits. Throws limit_exceeded when the product overflows.
std::size_t storage_bytes(DType dtype, std::int64_t count);

bool is_float(DType dtype);           // f16, bf16, f32, f64 and the float8/float4 types
bool is_integer(DType dtype);         // signed and unsigned, 2 to 64 bits
bool is_signed_integer(DType dtype);  // i2 to i64
bool is_packed(DType dtype);          // several elements share a byte

}  // namespace lapidary
