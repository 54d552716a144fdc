// SPDX-License-Identifier: Apache-2.0
// What a variant runs on if not on this program's CPU kernels with exact weights: those kernels
// with rounded ones, devices of plugins, the user's ONNX Runtime, or the engine of a plugin.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/exec/compute.h>
#include <lapidary/engines/plugin_engine.h>

namespace lapidary::app {

/// The name and options of a provider of a plugin or of ONNX Runtime, or of a plugin's engine.
struct ProviderChoice {
    std::string name;                            // "cuda"
    std::map<std::string, std::string> options;  // "device": "1"
    friend bool operator==(const ProviderChoice&, const ProviderChoice&) = default;
};

/// "cuda", "cuda:device=1,precision=tf32"
std::string text_of(const ProviderChoice& choice);
/// Throws invalid_input naming what was expected and found.
ProviderChoice parse_provider_choice(const std::string& text);

struct RunsOn {
    bool onnxruntime = false;     // runs in ONNX Runtime
    std::filesystem::path place;  // the ONNX Runtime library; empty: the one that is found
    std::vector<ProviderChoice> providers;  // asked in this order; empty: the CPU
    Fallback fallback = Fallback::allow;
    // if set, all members above have their defaults
    std::optional<ProviderChoice> plugin_engine = {};
    /// What this program's kernels on the CPU hold large weights in; exact with anything above.
    Compute compute = Compute::exact;
    friend bool operator==(const RunsOn&, const RunsOn&) = default;

    bool isCpuOfThisProgram() const { return !isOtherEngine() && providers.empty(); }

    /// Then Recipe::level is the engine's level, and this program does not rewrite the graph.
    bool isOtherEngine() const { return onnxruntime || plugin_engine; }
};

/// OptimizeOptions::provider for what runs on it: by what its option "precision" stores.
std::string_view passes_for(const ProviderChoice& choice);

/// Values for SessionOptions::providers. Throws as open_provider().
std::vector<std::shared_ptr<const Provider>> opened_providers(const RunsOn& on);
/// Has sessions run on its providers, or on the CPU with weights as it says; nothing: on the CPU
/// alone. Throws as open_provider().
void place_on(SessionOptions& options, const std::optional<RunsOn>& on);
/// Of an engine of a plugin.
PluginEngineOptions plugin_engine_options(const RunsOn& on, Level level, int threads);
/// Options for a session of ONNX Runtime.
OnnxRuntimeOptions onnxruntime_options(const RunsOn& on, Level level, int threads);

}  // namespace lapidary::app
