// SPDX-License-Identifier: Apache-2.0
// One session of ONNX Runtime: in this process by its C library, or in a Python process.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/onnxruntime_engine.h>

#include "bench/onnxruntime_library.h"

namespace lapidary {

/// What a session is made of.
struct EngineRequest {
    std::filesystem::path file;            // the model
    OnnxRuntimeOptions options;
    NamedValues inputs;                    // of each run; may be empty where nothing runs
    std::filesystem::path profile_prefix;  // of the recording's file; empty: none
};

/// Which provider runs a node of ONNX Runtime's optimized graph.
struct AssignedNode {
    std::string provider, domain, op, name;  // "CPUExecutionProvider", "", "Conv", "conv1"
};

class EngineSession {
public:
    virtual ~EngineSession() = default;
    virtual const std::string& version() const = 0;
    /// Milliseconds that making it took.
    virtual double load_ms() const = 0;
    /// Milliseconds of the last of the runs. Throws cancelled soon after the token was.
    virtual double run(int runs, const CancelToken& cancel) = 0;
    /// One run and nothing else, to be timed from outside.
    virtual void run_once() = 0;
    /// Of the newest run.
    virtual NamedValues outputs() = 0;
    /// Ends the recording and gives its file.
    virtual std::filesystem::path end_profiling() = 0;
    /// Nothing: this release does not tell.
    virtual std::optional<std::vector<AssignedNode>> assignment() = 0;
    virtual OnnxRuntimeMemory memory() const { return {}; }
    /// Its warnings, each once.
    virtual std::vector<std::string> log() const = 0;
};

std::unique_ptr<EngineSession> open_library_session(std::shared_ptr<const OnnxRuntimeLibrary> library,
                                                    const EngineRequest& request);
std::unique_ptr<EngineSession> open_python_session(const std::filesystem::path& python, const EngineRequest& request,
                                                   const CancelToken& cancel);
/// By the request's place. Throws not_supported where nothing is found, and what the two throw.
std::unique_ptr<EngineSession> open_engine_session(const EngineRequest& request, std::filesystem::path& found,
                                                   const CancelToken& cancel);

/// Version and names of the providers of a Python package. Throws not_supported with the interpreter's words.
struct PythonPackage {
    std::string version;
    std::vector<std::string> providers;
};
PythonPackage ask_python_package(const std::filesystem::path& python, const CancelToken& cancel);

/// Refuses what ONNX Runtime has no word for.
void check_options(const OnnxRuntimeOptions& options);
/// Entries of the session configuration: those of the options, and those that other options stand for.
std::map<std::string, std::string> config_entries(const OnnxRuntimeOptions& options, const std::string& version);

}  // namespace lapidary
