// SPDX-License-Identifier: Apache-2.0
#include "onnxruntime/optimized_model.h"

#include <cstdint>

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/onnx_io/model_io.h>

namespace lapidary {
namespace {

// bytes: what one file of a model can hold for sure
constexpr std::uint64_t largest_optimized = 1'500'000'000;

}  // namespace

std::shared_ptr<const Model> onnxruntime_model(const Model& model, const EngineRequest& request,
                                               const Progress& progress) {
    if (model.file_bytes + model.external_bytes > largest_optimized) return nullptr;
    const ScratchFolder folder;
    EngineRequest writing = request;
    writing.profile_prefix.clear();
    writing.options.optimized_model = folder.path() / "optimized.onnx";
    try {
        std::filesystem::path found;
        open_engine_session(writing, found, progress.cancel).reset();
        return std::make_shared<const Model>(
            load_model(writing.options.optimized_model, {}, progress));
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        // it has compiled nodes, or operators of ONNX Runtime that are not known here: nodes are
        // matched by name
        return nullptr;
    }
}

}  // namespace lapidary
