// SPDX-License-Identifier: Apache-2.0
// The model argument of a command: a file, or "sample:NAME".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary::cli {

/// NAME of "sample:NAME"; empty for a file.
std::string_view sample_of(std::string_view argument);

/// The model's file name in generated programs: the argument itself, or "NAME.onnx" for a sample.
std::string program_file_of(const std::string& argument);

/// Loads the file or builds the sample. `channel_block` is LoadOptions' own. Throws what
/// load_model() and build_sample() throw.
Model load_model_argument(const std::string& argument, std::int64_t channel_block,
                          const Progress& progress);

struct TimedModel {
    ModelPtr model;
    std::int64_t load_ns = 0;  // how long load_model_argument() took
};
TimedModel load_timed(const std::string& argument, std::int64_t channel_block,
                      const Progress& progress);

/// A file that is read without options as load_model_argument() reads the argument. It is the
/// argument itself, or a file in `folder` with the sample, or with the model and its channel block.
/// That file is written unless it exists. `as_onnx`: also writes a model in ONNX Runtime's own
/// format, for readers of ONNX alone.
std::filesystem::path model_file_of(const std::string& argument, std::int64_t channel_block,
                                    const std::filesystem::path& folder, const Progress& progress,
                                    bool as_onnx = false);

}  // namespace lapidary::cli
