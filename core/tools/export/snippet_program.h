// SPDX-License-Identifier: Apache-2.0
// The checked contents of a snippet in terms of ONNX Runtime, from which programs are written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/export/snippet.h>

#include "export/snippet_provider.h"

namespace lapidary {

struct SnippetTensor {
    std::string name;
    DType dtype = DType::undefined;   // of outputs undefined: not a tensor
    std::vector<std::int64_t> shape;  // of inputs
    std::int64_t elements = 1;
};

struct SnippetProgram {
    std::string model_file;
    int minor = 0;  // of ONNX Runtime 1.N
    Level level = default_run_level;
    int intra = 0, inter = 0;  // 0: ONNX Runtime's choice
    bool parallel = false;
    // session configuration, including spinning and disabled optimizers
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<std::string> attributes;  // of SessionOptions, as statements of the language
    std::vector<SnippetProvider> providers;
    std::vector<std::string> disabled;  // optimizers, for languages with a separate call for them
    std::vector<std::pair<std::string, std::int64_t>> free_dimensions;
    std::vector<SnippetTensor> inputs, outputs;
    std::string optimized_model_file, profile_prefix;  // empty: not written
};

/// 20 of "1.20". Throws not_supported for versions that no program is written for.
int onnxruntime_minor(const std::string& version);
/// A comment line for a version newer than the newest known one; empty: it is not newer.
std::string note_of_newer_version(int minor, std::string_view comment);
/// The inputs that the program must fill, with shapes: free dimensions as in `sizes`, others by
/// default. Throws not_supported naming an input that it cannot fill, invalid_input for one without
/// a type.
std::vector<SnippetTensor> fillable_inputs(const Model& model, SnippetLanguage language,
                                           const std::map<std::string, std::int64_t>& sizes);

/// Throws as snippet() does.
SnippetProgram snippet_program(const Model& model, SnippetLanguage language,
                               const SnippetSettings& settings);

/// "C++".
std::string_view snippet_language_name(SnippetLanguage language);
/// A string literal with its quotes.
std::string snippet_literal(SnippetLanguage language, std::string_view text);
std::string csharp_literal(std::string_view text);
std::string rust_literal(std::string_view text);
/// The packages that contain the first of the providers.
std::string_view pip_package(const SnippetProgram& program);
std::string_view nuget_package(const SnippetProgram& program);

/// "ORT_ENABLE_ALL": valid in every version. The value 3 (layout) is not, so no level is written as
/// 3.
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
