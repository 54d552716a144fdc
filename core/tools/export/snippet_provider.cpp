// SPDX-License-Identifier: Apache-2.0
#include "export/snippet_provider.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "export/snippet_program.h"
#include "plugin_host/missing_provider.h"

namespace lapidary {
namespace {

constexpr int oldest = 12;  // release that programs are written for
constexpr std::size_t longest_option = 1024;

constexpr std::array providers = {
    ProviderFacts{ProviderKind::cuda, "CUDA", "CUDAExecutionProvider", "", oldest, oldest,
                  "onnxruntime-gpu", "Microsoft.ML.OnnxRuntime.Gpu", "CUDA"},
    ProviderFacts{ProviderKind::tensorrt, "TensorRT", "TensorrtExecutionProvider", "", oldest,
                  oldest, "onnxruntime-gpu", "Microsoft.ML.OnnxRuntime.Gpu", "TensorRT"},
    ProviderFacts{ProviderKind::directml, "DirectML", "DmlExecutionProvider", "DML", 17, oldest,
                  "onnxruntime-directml", "Microsoft.ML.OnnxRuntime.DirectML", "DirectML"},
    ProviderFacts{ProviderKind::coreml, "CoreML", "CoreMLExecutionProvider", "CoreML", 21, oldest,
                  "onnxruntime", "Microsoft.ML.OnnxRuntime", "CoreML"},
    ProviderFacts{ProviderKind::openvino, "OpenVINO", "OpenVINOExecutionProvider", "OpenVINO", 16,
                  oldest, "onnxruntime-openvino", "Intel.ML.OnnxRuntime.OpenVino", "OpenVINO"},
    ProviderFacts{ProviderKind::qnn, "QNN", "QNNExecutionProvider", "QNN", 15, 15,
                  "onnxruntime-qnn", "Microsoft.ML.OnnxRuntime.QNN", "QNN"},
};

struct ProviderOption {
    ProviderKind provider{};
    std::string_view name;
    int first = 0;  // release 1.N
};
constexpr ProviderOption provider_options[] = {
#define LAPIDARY_PROVIDER_OPTION(provider, name, first) {ProviderKind::provider, name, first},
#include "export/provider_option_names.inc"
#undef LAPIDARY_PROVIDER_OPTION
};

const ProviderFacts* find_provider(const std::string& name) {
    const std::string known = known_provider(name);
    const auto* found = std::ranges::find(providers, known, &ProviderFacts::name);
    return found == providers.end() ? nullptr : found;
}

const ProviderOption* find_option(ProviderKind provider, std::string_view name) {
    const auto* found = std::ranges::find_if(provider_options, [&](const ProviderOption& one) {
        return one.provider == provider && one.name == name;
    });
    return found == std::ranges::end(provider_options) ? nullptr : found;
}

std::vector<std::string> option_names(ProviderKind provider) {
    std::vector<std::string> names;
    for (const ProviderOption& option : provider_options)
        if (option.provider == provider) names.emplace_back(option.name);
    return names;
}

std::string list_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

bool is_number(const std::string& text) {
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

/// Allowed values of options of DirectML. Other providers report wrong values themselves.
std::string directml_problem(std::string_view key, const std::string& value) {
    static constexpr std::pair<std::string_view, std::string_view> choices[] = {
        {"performance_preference", "default high_performance minimum_power"},
        {"device_filter", "gpu npu any"},
        {"disable_metacommands", "true false"}};
    if (key == "device_id")
        return is_number(value)
                   ? std::string()
                   : "the option device_id of DirectML is a number, found " + quote(value);
    const auto* choice =
        std::ranges::find(choices, key, &std::pair<std::string_view, std::string_view>::first);
    if (choice == std::ranges::end(choices)) return {};
    std::istringstream words{std::string(choice->second)};
    std::string list;
    for (std::string word; words >> word; list += (list.empty() ? "" : ", ") + word)
        if (word == value) return {};
    return fmt::format("the option {} of DirectML is one of {}, found {}", key, list, quote(value));
}

/// Options that the binding's separate function for the provider accepts. Others cannot be set
/// there.
void check_own_function(const SnippetProvider& provider, std::string_view binding,
                        std::initializer_list<std::string_view> taken) {
    for (const auto& [key, value] : provider.options)
        if (std::ranges::find(taken, key) == taken.end())
            fail_unsupported(fmt::format(
                "the option {} of {} cannot be said in {}: its binding of ONNX Runtime takes {} "
                "for this provider",
                key, provider.facts->name, binding,
                taken.size() == 0 ? "no options" : std::string(*taken.begin()) + " alone"));
}

void check_csharp(const SnippetProvider& provider, int minor) {
    switch (provider.facts->kind) {
    case ProviderKind::directml: return check_own_function(provider, "C#", {"device_id"});
    case ProviderKind::openvino: return check_own_function(provider, "C#", {"device_type"});
    case ProviderKind::coreml:
        if (minor < provider.facts->first_by_name) check_own_function(provider, "C#", {});
        return;
    default: return;
    }
}

void check_rust(const SnippetProvider& provider) {
    if (provider.facts->kind != ProviderKind::directml) return;
    for (const auto& [key, value] : provider.options)
        if (key == "disable_metacommands")
            fail_unsupported(
                "the option disable_metacommands of DirectML cannot be said in Rust: the crate ort "
                "takes "
                "device_id, performance_preference and device_filter for this provider");
}

}  // namespace

std::vector<std::string> snippet_provider_names() {
    std::vector<std::string> names;
    for (const ProviderFacts& facts : providers) names.emplace_back(facts.name);
    return names;
}

std::vector<std::string> snippet_provider_options(const std::string& provider) {
    const ProviderFacts* facts = find_provider(provider);
    return facts == nullptr ? std::vector<std::string>() : option_names(facts->kind);
}

std::string snippet_provider_problem(const OnnxRuntimeProvider& provider) {
    const ProviderFacts* facts = find_provider(provider.name);
    if (facts == nullptr) {
        const std::string meant = known_provider(provider.name).empty()
                                      ? did_you_mean(provider.name, snippet_provider_names())
                                      : std::string();
        return fmt::format("programs are written for the providers {}, not for {}{}",
                           list_of(snippet_provider_names()), quote(provider.name), meant);
    }
    for (const auto& [key, value] : provider.options) {
        const std::vector<std::string> names = option_names(facts->kind);
        if (find_option(facts->kind, key) == nullptr)
            return fmt::format("{} has no option {}{}; it has {}", facts->name, quote(key),
                               did_you_mean(key, names), list_of(names));
        if (value.empty() || value.size() > longest_option || value.find('\0') != std::string::npos)
            return fmt::format(
                "the option {} of {} needs a value of 1 to {} bytes without zero bytes, found {}",
                key, facts->name, longest_option, quote(value));
        if (facts->kind != ProviderKind::directml) continue;
        if (std::string problem = directml_problem(key, value); !problem.empty()) return problem;
    }
    return {};
}

SnippetProvider snippet_provider(const OnnxRuntimeProvider& provider, SnippetLanguage language,
                                 int minor) {
    if (const std::string problem = snippet_provider_problem(provider); !problem.empty())
        fail_input(problem);
    SnippetProvider result{find_provider(provider.name),
                           {provider.options.begin(), provider.options.end()}};
    const ProviderFacts& facts = *result.facts;
    if (minor < facts.first)
        fail_unsupported(fmt::format("ONNX Runtime has the provider {} from 1.{} on, not in 1.{}",
                                     facts.name, facts.first, minor));
    for (const auto& [key, value] : result.options)
        if (const ProviderOption* option = find_option(facts.kind, key); option->first > minor)
            fail_unsupported(
                fmt::format("{} reads the option {} from ONNX Runtime 1.{} on, not in 1.{}",
                            facts.name, key, option->first, minor));
    const bool is_c = language == SnippetLanguage::c || language == SnippetLanguage::cpp;
    if (is_c && minor < facts.first_by_name)
        fail_unsupported(fmt::format(
            "programs in {} are written with {} for ONNX Runtime 1.{} and newer, not 1.{}: "
            "older releases add it by another function",
            snippet_language_name(language), facts.name, facts.first_by_name, minor));
    if (language == SnippetLanguage::csharp) check_csharp(result, minor);
    if (language == SnippetLanguage::rust) check_rust(result);
    return result;
}

std::string option_of(const SnippetProvider& provider, std::string_view key) {
    const auto found =
        std::ranges::find(provider.options, key, &std::pair<std::string, std::string>::first);
    return found == provider.options.end() ? std::string() : found->second;
}

}  // namespace lapidary
