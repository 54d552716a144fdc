// SPDX-License-Identifier: Apache-2.0
// The environment that all sessions of a loaded ONNX Runtime share, until the process ends.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "bench/onnxruntime/onnxruntime_library.h"

namespace lapidary {

class OrtEnvironment {
public:
    /// The environment of a library, made at the first call.
    static OrtEnvironment& of(const std::shared_ptr<const OnnxRuntimeLibrary>& library);

    ort::Env* get() const { return env_; }
    /// Lines that were logged since the last call, each once.
    std::vector<std::string> take_log();
    /// Registers a library of providers (1.22 or later), once. Throws not_supported with the error
    /// of ONNX Runtime.
    void register_providers(const std::filesystem::path& file);

private:
    explicit OrtEnvironment(std::shared_ptr<const OnnxRuntimeLibrary> library);
    static void log(void* argument, int severity, const char* category, const char* id,
                    const char* place, const char* message);

    std::shared_ptr<const OnnxRuntimeLibrary> library_;
    ort::Env* env_ = nullptr;
    std::mutex mutex_;
    std::vector<std::string> log_;
    std::set<std::filesystem::path> registered_;
};

}  // namespace lapidary
