// SPDX-License-Identifier: Apache-2.0
// What a variant runs on, where that is not this program's CPU: devices of plugins, the user's ONNX
// Runtime, or an engine of a plugin.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/engines/plugin_engine.h>

namespace lapidary::app {

/// A provider with its options: of a plugin, or of ONNX Runtime; an engine of a plugin.
struct ProviderWish {
    std::string name;                            // "cuda"
    std::map<std::string, std::string> options;  // "device": "1"
    friend bool operator==(const ProviderWish&, const ProviderWish&) = default;
};

/// "cuda", "cuda:device=1,precision=tf32"
std::string text_of(const ProviderWish& wish);
/// Throws invalid_input with what was expected and found.
ProviderWish parse_provider_wish(const std::string& text);

struct RunsOn {
    bool onnxruntime = false;             // the engine
    std::filesystem::path place;          // of ONNX Runtime; empty: what is found
    std::vector<ProviderWish> providers;  // asked in this order; empty: the CPU
    Fallback fallback = Fallback::allow;
    // with its options; all above is as it begins then
    std::optional<ProviderWish> plugin_engine = {};
    friend bool operator==(const RunsOn&, const RunsOn&) = default;

    /// Recipe::level is its level then, and this program rewrites nothing.
    bool isOtherEngine() const { return onnxruntime || plugin_engine; }
};

nlohmann::json runs_on_json(const RunsOn& on);
/// Throws invalid_input naming the member that is wrong or not known.
RunsOn read_runs_on(const nlohmann::json& json);

/// OptimizeOptions::provider for what runs on it: by what its option "precision" stores.
std::string_view passes_for(const ProviderWish& wish);

/// For SessionOptions::providers. Throws as open_provider().
std::vector<std::shared_ptr<const Provider>> opened_providers(const RunsOn& on);
/// Of an engine of a plugin.
PluginEngineOptions plugin_engine_options(const RunsOn& on, Level level, int threads);
/// Of a session of ONNX Runtime.
OnnxRuntimeOptions onnxruntime_options(const RunsOn& on, Level level, int threads);

}  // namespace lapidary::app
