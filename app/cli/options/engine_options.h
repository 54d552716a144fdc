// SPDX-License-Identifier: Apache-2.0
// Which engine runs a model: this program's, the user's own ONNX Runtime, or one of a plugin.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/engines/onnxruntime_engine.h>

#include "cli/options/option_list.h"
#include "cli/options/provider_options.h"

namespace lapidary::cli {

struct EngineOptions {
    bool onnxruntime = false;
    std::optional<app::ProviderChoice> of_plugin;  // an engine of a plugin, with its options
    std::filesystem::path place;                   // of ONNX Runtime; empty: what is found
    std::vector<std::string> provider_libraries;   // of plugins of ONNX Runtime
    std::map<std::string, std::string> config;     // its session configuration

    bool is_other() const { return onnxruntime || of_plugin; }  // than this program's
    /// "--engine onnxruntime"
    std::string option() const {
        return "--engine " + (of_plugin ? of_plugin->name : "onnxruntime");
    }
};

/// --engine, --onnxruntime, --ort-provider-library, --ort-config. `place_alone`: --onnxruntime may
/// be given without
/// --engine; whether it means something is the command's to check.
void add_engine_options(OptionList& options, EngineOptions& engine, bool place_alone = false);

/// "cuda:device_id=0" as ONNX Runtime's providers are chosen.
std::vector<OnnxRuntimeProvider> onnxruntime_providers(const ProviderOptions& providers);

}  // namespace lapidary::cli
