// SPDX-License-Identifier: Apache-2.0
// Options of both run and profile: the model, its inputs, level and session.
#pragma once

#include <filesystem>
#include <string>

#include "cli/models/model_at_level.h"
#include "cli/models/model_inputs.h"
#include "cli/options/engine_options.h"
#include "cli/options/option_list.h"
#include "cli/options/provider_options.h"

namespace lapidary::cli {

struct ModelRunOptions {
    std::filesystem::path model;
    InputOptions inputs;
    std::filesystem::path outputs;  // .npz to write; empty: none
    RunResources resources;
    LevelOptions level;
    ProviderOptions providers;
    EngineOptions engine;
};

/// Adds all of them except the model.
void add_run_options(OptionList& options, ModelRunOptions& run);

}  // namespace lapidary::cli
