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
    std::filesystem::path place;  // the ONNX Runtime library; empty: the one that is found
    std::vector<std::string> provider_libraries;  // of plugins of ONNX Runtime
    std::map<std::string, std::string> config;    // its session configuration

    bool is_other() const { return onnxruntime || of_plugin; }  // not this program's engine
    /// "--engine onnxruntime"
    std::string option() const {
        return "--engine " + (of_plugin ? of_plugin->name : "onnxruntime");
    }
};

/// --engine, --onnxruntime, --ort-provider-library, --ort-config. `place_alone`: --onnxruntime may
/// be given without --engine; the command checks whether it has a meaning then.
void add_engine_options(OptionList& options, EngineOptions& engine, bool place_alone = false);

/// The providers of ONNX Runtime that --provider names: "cuda:device_id=0".
std::vector<OnnxRuntimeProvider> onnxruntime_providers(const ProviderOptions& providers);

}  // namespace lapidary::cli
