// SPDX-License-Identifier: Apache-2.0
#include "cli/options/engine_options.h"

#include <lapidary/error.h>

#include "cli/usage_error.h"

namespace lapidary::cli {

void add_engine_options(OptionList& options, EngineOptions& engine) {
    Option& choice =
        options
            .take(
                "--engine", "lapidary|onnxruntime",
                [&engine](const std::string& name) { engine.onnxruntime = name == "onnxruntime"; },
                "What runs the model: this program, unless given, or your own ONNX Runtime (\"lapidary-cli engines\" "
                "tells what is found), whose levels and providers --level and --provider then mean")
            .one_of({"lapidary", "onnxruntime"});
    options
        .value("--onnxruntime", "PATH", engine.place,
               "ONNX Runtime's library, or a folder or Python interpreter that has it; searched for unless given")
        .suggest({.files = true, .folders = true})
        .needs(choice);
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
    for (const ProviderChoice& choice : providers.wanted) list.push_back({choice.name, choice.options});
    return list;
}

}  // namespace lapidary::cli
