// SPDX-License-Identifier: Apache-2.0
#include "lapgen/exports.h"

#include <fstream>

#include <lapidary/error.h>
#include <lapidary/export_model.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/model_io.h>
#include <lapidary/tensor_file.h>

namespace lapidary::lapgen {

int write_exports(const GeneratedModel& generated, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    save_model(generated.model, folder / "original.onnx");
    GenerateOptions generate;
    generate.seed = 1;
    generate.dimensions = generated.dimensions;
    save_npz(folder / "inputs.npz", generate_inputs(generated.model, {}, generate));
    int written = 0;
    for (const ExportTarget target : {ExportTarget::portable, ExportTarget::plain})
        for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
            const std::string name = std::string(info_of(target).name) + "_" + std::string(name_of(level));
            ExportOptions options;
            options.target = target;
            options.optimize.level = level;
            try {
                save_model(export_model(generated.model, options).model, folder / (name + ".onnx"));
                ++written;
            } catch (const Error& error) {
                std::ofstream(folder / "refused.txt", std::ios::app) << name << ": " << error.what() << "\n";
            }
        }
    return written;
}

}  // namespace lapidary::lapgen
