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

/// Of the program that is written.
enum class SnippetLanguage : std::uint8_t { python, c, cpp, csharp, rust };

/// What the program repeats.
struct SnippetSettings {
    std::string model_file = "model.onnx";  // as the program names it
    /// "major.minor": names and enum values fit it, or the newest known where it is newer
    std::string onnxruntime_version = "1.20";
    RunConfiguration configuration;                // level, threads, execution mode, spinning
    bool optimized_already = false;                // an exported variant: level disabled is enough
    std::vector<std::string> disabled_optimizers;  // ORT names
    std::map<std::string, std::int64_t> free_dimensions;  // ORT free_dimension_override
    /// by their names in ONNX Runtime: attributes of SessionOptions, and entries of the session
    /// configuration
    std::map<std::string, std::string> config_entries;
    std::vector<OnnxRuntimeProvider> providers;  // asked in this order, the CPU last
    std::string optimized_model_file;  // ORT optimized_model_filepath: where it writes what it made
                                       // of the model; empty: nowhere
    /// ORT enable_profiling: how the name of the profile begins; empty: no profile
    std::string profile_prefix;
};
/// A whole program: session with these settings, inputs of the model's types filled with zeros,
/// outputs printed. Throws not_supported naming the setting that this version or binding cannot
/// express, invalid_input where the session would write over the model, and with what
/// session_setting_problem() and snippet_provider_problem() say.
std::string snippet(const Model& model, SnippetLanguage language, const SnippetSettings& settings);
std::vector<std::string> known_onnxruntime_versions();  // newest first

/// What is wrong with an entry of SnippetSettings::config_entries in every release: a name that
/// ONNX Runtime does not have, with the nearest one, or a value that the attribute does not take.
/// Empty: nothing.
std::string session_setting_problem(const std::string& name, const std::string& value);
std::vector<std::string> session_setting_names();  // attributes first

/// What is wrong with a provider in every release: one that programs are not written for, an option
/// that it does not have, with those that it has. Empty: nothing.
std::string snippet_provider_problem(const OnnxRuntimeProvider& provider);
std::vector<std::string> snippet_provider_names();  // "CUDA"
// their names; empty: not known
std::vector<std::string> snippet_provider_options(const std::string& provider);

}  // namespace lapidary
