// SPDX-License-Identifier: Apache-2.0
// Execution providers that a program can use, with their options, first releases and names in
// bindings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/export/snippet.h>

namespace lapidary {

enum class ProviderKind : std::uint8_t { cuda, tensorrt, directml, coreml, openvino, qnn };

struct ProviderFacts {
    ProviderKind kind{};
    std::string_view name;    // "CUDA"
    std::string_view python;  // "CUDAExecutionProvider"
    // name for SessionOptionsAppendExecutionProvider(); empty: it has separate functions
    std::string_view by_name;
    int first_by_name = 0;  // 1.N: first release in which that name works
    int first = 0;          // 1.N: first release that has the provider
    // packages for Python and .NET; type in the crate's module ep
    std::string_view pip, nuget, rust;
};

/// A provider of a program, checked.
struct SnippetProvider {
    const ProviderFacts* facts = nullptr;
    std::vector<std::pair<std::string, std::string>> options;
};

/// Throws not_supported naming provider, option or binding that ONNX Runtime 1.`minor` does not
/// have in that language, invalid_input with snippet_provider_problem().
SnippetProvider snippet_provider(const OnnxRuntimeProvider& provider, SnippetLanguage language,
                                 int minor);

/// The value of the option; empty: it is not set.
std::string option_of(const SnippetProvider& provider, std::string_view key);

}  // namespace lapidary
