// SPDX-License-Identifier: Apache-2.0
// What all sessions of a loaded ONNX Runtime share, until the process ends.
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
    /// Made once for each library.
    static OrtEnvironment& of(const std::shared_ptr<const OnnxRuntimeLibrary>& library);

    ort::Env* get() const { return env_; }
    /// Lines that were logged since the last time, each once.
    std::vector<std::string> take_log();
    /// A provider plugin of the new kind, once. Throws not_supported in ONNX Runtime's words.
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
