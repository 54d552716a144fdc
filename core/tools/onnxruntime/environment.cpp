// SPDX-License-Identifier: Apache-2.0
#include "onnxruntime/environment.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

constexpr int warning_level = 2;
constexpr std::size_t most_lines = 20;

}  // namespace

OrtEnvironment& OrtEnvironment::of(const std::shared_ptr<const OnnxRuntimeLibrary>& library) {
    static std::mutex mutex;
    // never ended: its threads may log until the exit
    static std::map<std::filesystem::path, OrtEnvironment*> all;
    const std::lock_guard lock(mutex);
    OrtEnvironment*& environment = all[library->path()];
    if (!environment) environment = new OrtEnvironment(library);
    return *environment;
}

OrtEnvironment::OrtEnvironment(std::shared_ptr<const OnnxRuntimeLibrary> library)
    : library_(std::move(library)) {
    library_->check(library_->table()(ort::create_env_with_logger, &OrtEnvironment::log,
                                      static_cast<void*>(this), warning_level, "lapidary", &env_),
                    "start");
}

void OrtEnvironment::log(void* argument, int, const char*, const char*, const char*,
                         const char* message) {
    auto& environment = *static_cast<OrtEnvironment*>(argument);
    const std::lock_guard lock(environment.mutex_);
    std::vector<std::string>& lines = environment.log_;
    // One line for each weight that is an input too: nothing that a session of ours can change.
    constexpr std::string_view of_weights = "Initializer ";
    if (message && lines.size() < most_lines &&
        !std::string_view(message).starts_with(of_weights) &&
        std::ranges::find(lines, message) == lines.end())
        lines.emplace_back(message);
}

std::vector<std::string> OrtEnvironment::take_log() {
    const std::lock_guard lock(mutex_);
    return std::exchange(log_, {});
}

void OrtEnvironment::register_providers(const std::filesystem::path& file) {
    if (!is_at_least(library_->version(), 1, ort::devices_since))
        fail_unsupported("library of providers " + quote(file.string()) + " needs ONNX Runtime 1." +
                         std::to_string(ort::devices_since) + " or later, found " +
                         library_->version());
    std::error_code failed;
    const std::filesystem::path real = std::filesystem::weakly_canonical(file, failed);
    {
        const std::lock_guard lock(mutex_);
        if (registered_.contains(real)) return;
    }
    library_->check(library_->table()(ort::register_provider_library, env_,
                                      file.stem().string().c_str(), real.c_str()),
                    ("load the library of providers " + quote(file.string())).c_str());
    const std::lock_guard lock(mutex_);
    registered_.insert(real);
}

}  // namespace lapidary
