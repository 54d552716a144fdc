// SPDX-License-Identifier: Apache-2.0
#include "plugin_host/missing_provider.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

namespace lapidary {
namespace {

std::string list_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string lower_case(std::string_view name) {
    std::string text(name);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string short_lower_name(std::string_view name) {
    constexpr std::string_view suffix = "executionprovider";
    std::string text = lower_case(name);
    if (text.ends_with(suffix) && text.size() > suffix.size())
        text.resize(text.size() - suffix.size());
    return text;
}

}  // namespace

const std::vector<std::string>& known_provider_names() {
    static const std::vector<std::string> names{
        "CUDA",     "TensorRT", "NvTensorRTRTX", "DirectML", "CoreML", "ROCm", "MIGraphX",
        "OpenVINO", "QNN",      "XNNPACK",       "CANN",     "DNNL",   "ACL",  "ArmNN",
        "NNAPI",    "WebGPU",   "VitisAI",       "RKNPU",    "TVM",    "Azure"};
    return names;
}

std::string known_provider(std::string_view name) {
    const std::string wanted = short_lower_name(name);
    if (wanted == "dml") return "DirectML";
    for (const std::string& known : known_provider_names())
        if (lower_case(known) == wanted) return known;
    return {};
}

std::string missing_provider_text(const std::string& name, const std::vector<std::string>& open) {
    const std::string of_plugins =
        open.empty() ? "no plugin with a provider is open"
                     : "the providers of plugins that are open are " + list_of(open);
    if (short_lower_name(name) == "cpu")
        return "provider " + quote(name) +
               " needs no --provider: the CPU runs all that no other provider takes";
    if (const std::string known = known_provider(name); !known.empty())
        return "provider " + quote(name) + " is not here: " + of_plugins +
               ". Ways to it: the plugin file that brings it, with --plugin FILE (lapidary-cli "
               "plugins lists what is "
               "found), or your own ONNX Runtime built with it, with --engine onnxruntime "
               "--provider " +
               known +
               "; the help page \"Which provider\" says which way there is for which device";
    std::vector<std::string> names = open;
    std::ranges::copy(known_provider_names(), std::back_inserter(names));
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    return "there is no provider " + quote(name) + " (" + of_plugins + ")" +
           did_you_mean(name, names);
}

}  // namespace lapidary
