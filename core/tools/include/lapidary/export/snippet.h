// SPDX-License-Identifier: Apache-2.0
// Source text that repeats a variant's settings in ONNX Runtime.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/graph/model.h>
#include <lapidary/engines/onnxruntime_engine.h>

namespace lapidary {

/// Language of the program to write.
enum class SnippetLanguage : std::uint8_t { python, c, cpp, csharp, rust };

/// The settings that the program repeats.
struct SnippetSettings {
    std::string model_file = "model.onnx";  // as the program names it
    /// "major.minor": the program uses names and enum values of that version, or of the newest
    /// known one if that is older
    std::string onnxruntime_version = "1.20";
    /// Level and resources. Entries of resources.config are by their names in ONNX Runtime:
    /// attributes of SessionOptions, and entries of the session configuration.
    RunConfiguration configuration;
    bool optimized_already =
        false;  // the model file is an exported variant: level disabled suffices
    std::vector<std::string> disabled_optimizers;         // ORT names
    std::map<std::string, std::int64_t> free_dimensions;  // ORT free_dimension_override
    std::vector<OnnxRuntimeProvider> providers;  // offered nodes in this order, the CPU last
    /// ORT optimized_model_filepath: file that it writes its optimized model to; empty: none
    std::string optimized_model_file;
    /// ORT enable_profiling: prefix of the profile's file name; empty: no profile
    std::string profile_prefix;
};
/// A whole program: session with these settings, inputs of the model's types filled with zeros,
/// outputs printed. Throws not_supported naming the setting that this version or binding cannot
/// express, invalid_input if the session would overwrite the model, or for a problem of
/// session_setting_problem() or snippet_provider_problem().
std::string snippet(const Model& model, SnippetLanguage language, const SnippetSettings& settings);
std::vector<std::string> known_onnxruntime_versions();  // newest first

/// Why no release accepts this entry of RunResources::config: ONNX Runtime has no such name (with
/// the nearest one), or the attribute does not accept the value. Empty: one does.
std::string session_setting_problem(const std::string& name, const std::string& value);
std::vector<std::string> session_setting_names();  // attributes first

/// Why no program can be written with this provider: it is not known here, or has no such option
/// (with the options that it has). Empty: one can.
std::string snippet_provider_problem(const OnnxRuntimeProvider& provider);
std::vector<std::string> snippet_provider_names();  // "CUDA"
/// Names of the options; empty: not known.
std::vector<std::string> snippet_provider_options(const std::string& provider);

}  // namespace lapidary
