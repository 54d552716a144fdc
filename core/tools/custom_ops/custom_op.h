// SPDX-License-Identifier: Apache-2.0
// An operator as libraries of custom operators for ONNX Runtime lay it out (struct OrtCustomOp of
// its C interface), declared again here. `version` is the interface that the library was compiled
// with; it determines which members the struct has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lapidary::custom_ops {

struct Status;

struct CustomOp {
    std::uint32_t version;
    void* (*create)(const CustomOp*, const void* api, const void* info);
    const char* (*name)(const CustomOp*);
    const char* (*provider)(const CustomOp*);         // null: the CPU
    int (*input_type)(const CustomOp*, std::size_t);  // an element type of ONNX; 0: any
    std::size_t (*input_count)(const CustomOp*);
    int (*output_type)(const CustomOp*, std::size_t);
    std::size_t (*output_count)(const CustomOp*);
    void (*compute)(void* kernel, void* context);
    void (*destroy)(void* kernel);
    // since 8: 0 required, 1 optional, 2 any number
    int (*input_character)(const CustomOp*, std::size_t);
    int (*output_character)(const CustomOp*, std::size_t);
    // since 13
    int (*input_memory)(const CustomOp*, std::size_t);
    // since 14
    int (*variadic_input_minimum)(const CustomOp*);
    int (*variadic_input_is_homogeneous)(const CustomOp*);
    int (*variadic_output_minimum)(const CustomOp*);
    int (*variadic_output_is_homogeneous)(const CustomOp*);
    // since 16
    Status* (*create_v2)(const CustomOp*, const void* api, const void* info, void** kernel);
    Status* (*compute_v2)(void* kernel, void* context);
    // since 17
    Status* (*infer)(const CustomOp*, void* context);
    int (*first_version)(const CustomOp*);
    int (*last_version)(const CustomOp*);
};

inline constexpr std::uint32_t characters_since = 8, variadic_since = 14, status_since = 16,
                               inference_since = 17;

enum class Character : int { required = 0, optional = 1, variadic = 2 };

}  // namespace lapidary::custom_ops
