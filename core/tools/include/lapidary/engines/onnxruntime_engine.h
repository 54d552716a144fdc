// SPDX-License-Identifier: Apache-2.0
// The user's own ONNX Runtime as an engine: found at run time (1.17 or later), with all its
// execution providers. Its C library is opened in this process and may end it; a package without
// one runs in a Python process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/engines/engine_record.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/exec/session_options.h>

namespace lapidary {

/// An execution provider with its options, by the names that ONNX Runtime gives them.
struct OnnxRuntimeProvider {
    std::string name;                            // "CUDA" or "CUDAExecutionProvider"
    std::map<std::string, std::string> options;  // "device_id": "0"
};

/// How a session of ONNX Runtime is made.
struct OnnxRuntimeOptions {
    std::filesystem::path place;      // as of find_onnxruntime_peer(); empty: what is found
    Level level = default_run_level;  // its graph_optimization_level
    std::vector<std::string> disabled_optimizers;  // of the level, by its names
    RunResources resources;                        // threads, mode, session configuration
    std::vector<OnnxRuntimeProvider> providers;    // offered nodes in this order, the CPU last
    Fallback fallback = Fallback::allow;  // `shapes` is refused: ONNX Runtime has no such rule
    std::map<std::string, std::int64_t> free_dimensions;    // by name
    std::vector<std::filesystem::path> custom_operators;    // libraries to register
    std::vector<std::filesystem::path> provider_libraries;  // of provider plugins (1.22 or later)
    /// file that it writes its optimized model to; empty: none
    std::filesystem::path optimized_model;
};

/// Whether one of its providers can be used on this machine.
struct OnnxRuntimeProviderState {
    std::string name;      // "CUDA"
    std::string unusable;  // why it cannot be used, in ONNX Runtime's words; empty: it can
};

/// A device that ONNX Runtime lists (1.22 or later).
struct OnnxRuntimeDevice {
    std::string provider, vendor;  // "CPUExecutionProvider", "Microsoft"
    std::string kind;              // "CPU", "GPU", "NPU"
};

/// An ONNX Runtime that was found.
struct OnnxRuntimeInfo {
    std::filesystem::path path;  // its C library, or the interpreter whose package it is
    std::string version;         // "1.20.1"; empty: it cannot be used
    bool in_python = false;      // it runs in a Python process
    /// why it cannot be used, a sentence without a full stop; empty: it can
    std::string unusable;
    std::vector<OnnxRuntimeProviderState> providers;  // that it was built with
    std::vector<OnnxRuntimeDevice> devices;           // empty where it lists none
};

/// Candidates, best first: `place`, else what LAPIDARY_ONNXRUNTIME names, else the usual places.
/// Opens none of them. Throws not_supported where `place` or the variable names
/// nothing.
std::vector<std::filesystem::path> onnxruntime_places(const std::filesystem::path& place = {});
/// Opens it and queries its providers. Throws only cancelled; other problems are in `unusable`.
OnnxRuntimeInfo describe_onnxruntime(const std::filesystem::path& place,
                                     const CancelToken& cancel = {});

/// Makes a session of `file`, which holds `model`, and runs it. Throws not_supported in ONNX
/// Runtime's words where it is not found, refuses the model, or cannot use a provider that was
/// asked for (it never goes on without one), invalid_input, cancelled, io_failure.
EngineRecord run_onnxruntime(const Model& model, const std::filesystem::path& file,
                             const OnnxRuntimeOptions& options, const EngineRuns& runs,
                             const Progress& progress = {});

/// The options with the level and the resources of the configuration. They have the entries of the
/// session configuration of both.
OnnxRuntimeOptions with_configuration(OnnxRuntimeOptions options,
                                      const RunConfiguration& configuration);

/// Opens it for measurements beside other engines. Throws as run_onnxruntime(); not_supported for
/// providers, or for threads that do not spin, of a package without C library.
std::unique_ptr<BenchEngine> open_onnxruntime_engine(const std::filesystem::path& file,
                                                     const OnnxRuntimeOptions& options,
                                                     const NamedValues& inputs,
                                                     const CancelToken& cancel = {});

/// The ONNX Runtime that wrote a file.
struct OnnxRuntimeWriter {
    std::filesystem::path path;  // of its library or interpreter
    std::string version;         // "1.20.1"
    std::size_t nodes = 0;       // of the main graph that it wrote
};

/// Makes a session that writes its optimized model to `out`, and ends; in its own format where
/// `out` ends in .ort. Throws as run_onnxruntime(); not_supported where a provider compiled nodes,
/// which no file can hold.
OnnxRuntimeWriter write_onnxruntime_model(const std::filesystem::path& file,
                                          const std::filesystem::path& out,
                                          const OnnxRuntimeOptions& options,
                                          const Progress& progress = {});

/// Has ONNX Runtime optimize the model at the options' level and write it in its own format (.ort).
/// At level disabled the model stays as it is, except that constant nodes become initializers and
/// functions are expanded. `out` is replaced atomically, after the result was read back. Throws as
/// run_onnxruntime(), and invalid_input where `out` does not end in .ort, or is the file of the
/// model and `overwrite_source` is not set.
OnnxRuntimeWriter save_ort_model(const Model& model, const std::filesystem::path& out,
                                 bool overwrite_source, OnnxRuntimeOptions options,
                                 const Progress& progress = {});

/// "CUDA" of "CUDAExecutionProvider".
std::string short_provider_name(const std::string& name);

}  // namespace lapidary
