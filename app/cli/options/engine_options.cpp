// SPDX-License-Identifier: Apache-2.0
#include "cli/options/engine_options.h"

#include <lapidary/base/error.h>

#include "cli/exit_code.h"

namespace lapidary::cli {
namespace {

void take_engine(const std::string& text, EngineOptions& engine) {
    engine.onnxruntime = text == "onnxruntime";
    engine.of_plugin.reset();
    if (engine.onnxruntime || text == "lapidary") return;
    try {
        engine.of_plugin = app::parse_provider_choice(text);
    } catch (const Error& error) { throw UsageError("--engine: " + error.message()); }
    for (const char* own : {"lapidary", "onnxruntime"})
        if (engine.of_plugin->name == own)
            throw UsageError(std::string("--engine: ") + own + " takes no options after a colon");
}

}  // namespace

void add_engine_options(OptionList& options, EngineOptions& engine, bool place_alone) {
    Option& choice =
        options
            .take(
                "--engine", "NAME",
                [&engine](const std::string& text) { take_engine(text, engine); },
                "What runs the model: lapidary (this program), unless given, onnxruntime (your own "
                "ONNX Runtime), "
                "whose levels and providers --level and --provider then mean, or an engine of a "
                "plugin, with its "
                "options as NAME:KEY=VALUE,... (lapidary-cli engines lists what is found)")
            .suggest({.words = {"lapidary", "onnxruntime"}});
    Option& place = options
                        .value("--onnxruntime", "PATH", engine.place,
                               "ONNX Runtime's library, or a folder or Python interpreter that has "
                               "it; searched for unless given")
                        .suggest({.files = true, .folders = true});
    if (!place_alone) place.needs(choice);
    options
        .value("--ort-provider-library", "FILE", engine.provider_libraries,
               "A library of providers for ONNX Runtime 1.22 or later; may be repeated")
        .repeatable()
        .suggest_files({"so"})
        .needs(choice);
    options
        .take_all(
            "--ort-config", "KEY=VALUE",
            [&engine](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) {
                    const std::size_t equals = text.find('=');
                    if (equals == 0 || equals == std::string::npos)
                        throw UsageError("--ort-config: expected KEY=VALUE, found " + quote(text));
                    engine.config[text.substr(0, equals)] = text.substr(equals + 1);
                }
            },
            "Entry of ONNX Runtime's session configuration; may be repeated")
        .repeatable()
        .needs(choice);
}

std::vector<OnnxRuntimeProvider> onnxruntime_providers(const ProviderOptions& providers) {
    std::vector<OnnxRuntimeProvider> list;
    for (const ProviderChoice& choice : providers.wanted)
        list.push_back({choice.name, choice.options});
    return list;
}

}  // namespace lapidary::cli
