// SPDX-License-Identifier: Apache-2.0
#include "lapgen/exports.h"

#include <cstdint>
#include <fstream>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

namespace lapidary::lapgen {

namespace {

constexpr std::int64_t newest_ir_version = 13;  // of what is exported: targets write the one needed
constexpr int releases[] = {17, 20, 32};        // 1.N of ONNX Runtime

}  // namespace

int write_exports(const GeneratedModel& generated, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    Model source = generated.model;
    source.ir_version = newest_ir_version;
    save_model(generated.model, folder / "original.onnx");
    GenerateOptions generate;
    generate.seed = 1;
    generate.dimensions = generated.dimensions;
    save_npz(folder / "inputs.npz", generate_inputs(generated.model, {}, generate));
    int written = 0;
    const auto write = [&](const std::string& name, const ExportOptions& options) {
        try {
            const ExportResult result = export_model(source, options);
            save_model(result.model, folder / (name + ".onnx"));
            ++written;
            for (const std::string& note : result.notes)
                std::ofstream(folder / "notes.txt", std::ios::app) << name << ": " << note << "\n";
        } catch (const Error& error) {
            std::ofstream(folder / "refused.txt", std::ios::app)
                << name << ": " << error.what() << "\n";
        }
    };
    for (const ExportTarget target :
         {ExportTarget::portable, ExportTarget::plain, ExportTarget::cpu})
        for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
            ExportOptions options;
            options.target = target;
            options.optimize.level = level;
            write(std::string(info_of(target).name) + "_" + std::string(name_of(level)), options);
        }
    for (const int release : releases)
        for (const ExportTarget target : {ExportTarget::portable, ExportTarget::cpu}) {
            ExportOptions options;
            options.target = target;
            options.optimize.level = info_of(target).level;
            options.release = release;
            write("release_" + std::to_string(release) + "_" + std::string(info_of(target).name),
                  options);
        }
    return written;
}

}  // namespace lapidary::lapgen
