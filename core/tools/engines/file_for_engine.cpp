// SPDX-License-Identifier: Apache-2.0
#include <lapidary/engines/engine_record.h>
#include <lapidary/export/export_model.h>
#include <lapidary/onnx_io/model_io.h>

namespace lapidary {

std::filesystem::path file_for_engine(const Model& model, const std::filesystem::path& folder,
                                      const Progress& progress) {
    ExportOptions options;
    options.target = ExportTarget::portable;
    options.optimize.level = Level::disabled;
    const std::filesystem::path file = folder / "model.onnx";
    save_model(export_model(model, options, progress).model, file, {}, progress);
    return file;
}

}  // namespace lapidary
