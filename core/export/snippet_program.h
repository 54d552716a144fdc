// SPDX-License-Identifier: Apache-2.0
// What a snippet says, checked and in ONNX Runtime's words, before it is written in a language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/snippet.h>

namespace lapidary {

struct SnippetTensor {
    std::string name;
    DType dtype = DType::undefined;    // of outputs undefined: not a tensor
    std::vector<std::int64_t> shape;   // of inputs
    std::int64_t elements = 1;
};

struct SnippetProgram {
    std::string model_file;
    int minor = 0;                     // of ONNX Runtime 1.N
    Level level = Level::all;
    int intra = 0, inter = 0;          // 0: ONNX Runtime's choice
    bool parallel = false;
    // session configuration, spinning and disabled optimizers among it
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<std::string> disabled; // optimizers, where the language has a way of its own
    std::vector<std::pair<std::string, std::int64_t>> free_dimensions;
    std::vector<SnippetTensor> inputs, outputs;
    std::string optimized_model_file, profile_prefix;          // empty: not written
};

/// Throws as snippet() does.
SnippetProgram snippet_program(const Model& model, SnippetLanguage language, const SnippetSettings& settings);

/// "ORT_ENABLE_ALL": valid in every version. The value 3 (layout) is not, so that no level is told by it.
std::string_view ort_level(Level level);
/// "ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT".
std::string_view ort_element_type(DType dtype);
/// A string literal of C and C++ without its quotes: bytes beyond ASCII in octal.
std::string c_literal(std::string_view text);
/// "1, 3, 224".
std::string joined(const std::vector<std::int64_t>& numbers, std::string_view suffix = "");

std::string python_program(const SnippetProgram& program);
std::string c_program(const SnippetProgram& program);
std::string cpp_program(const SnippetProgram& program);
std::string csharp_program(const SnippetProgram& program);
std::string rust_program(const SnippetProgram& program);

}  // namespace lapidary
