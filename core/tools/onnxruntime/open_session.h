// SPDX-License-Identifier: Apache-2.0
// One session of ONNX Runtime: in this process by its C library, or in a Python process.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/engines/onnxruntime_engine.h>

#include "bench/onnxruntime/onnxruntime_library.h"
#include "engines/engine_session.h"

namespace lapidary {

/// The request for a session.
struct EngineRequest {
    std::filesystem::path file;  // the model
    OnnxRuntimeOptions options;
    NamedValues inputs;                    // of each run; may be empty if nothing runs
    std::filesystem::path profile_prefix;  // of the recording's file; empty: none
};

std::unique_ptr<EngineSession> open_library_session(
    std::shared_ptr<const OnnxRuntimeLibrary> library, const EngineRequest& request);
std::unique_ptr<EngineSession> open_python_session(const std::filesystem::path& python,
                                                   const EngineRequest& request,
                                                   const CancelToken& cancel);
/// By the request's place. Throws not_supported where nothing is found, and what the two throw.
std::unique_ptr<EngineSession> open_engine_session(const EngineRequest& request,
                                                   std::filesystem::path& found,
                                                   const CancelToken& cancel);

/// Version and names of the providers of a Python package. Throws not_supported with the
/// interpreter's words.
struct PythonPackage {
    std::string version;
    std::vector<std::string> providers;
};
PythonPackage ask_python_package(const std::filesystem::path& python, const CancelToken& cancel);

/// Throws not_supported for options that ONNX Runtime does not have.
void check_options(const OnnxRuntimeOptions& options);
/// Entries of the session configuration: those of the options, and those that other options and the
/// file's format stand for.
std::map<std::string, std::string> config_entries(const EngineRequest& request,
                                                  const std::string& version);

}  // namespace lapidary
