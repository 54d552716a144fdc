// SPDX-License-Identifier: Apache-2.0
#include "cli/models/model_argument.h"

#include <chrono>
#include <functional>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>

namespace lapidary::cli {

std::string_view sample_of(std::string_view argument) {
    constexpr std::string_view prefix = "sample:";
    return argument.starts_with(prefix) ? argument.substr(prefix.size()) : std::string_view();
}

std::string program_file_of(const std::string& argument) {
    const std::string_view sample = sample_of(argument);
    return sample.empty() ? argument : std::string(sample) + ".onnx";
}

Model load_model_argument(const std::string& argument, std::int64_t channel_block,
                          const Progress& progress) {
    const std::string_view sample = sample_of(argument);
    return sample.empty() ? load_model(argument, {.channel_block = channel_block}, progress)
                          : build_sample(sample);
}

TimedModel load_timed(const std::string& argument, std::int64_t channel_block,
                      const Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    TimedModel timed{
        std::make_shared<const Model>(load_model_argument(argument, channel_block, progress)), 0};
    timed.load_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::steady_clock::now() - begin)
                        .count();
    return timed;
}

std::filesystem::path model_file_of(const std::string& argument, std::int64_t channel_block,
                                    const std::filesystem::path& folder, const Progress& progress,
                                    bool as_onnx) {
    const std::string_view sample = sample_of(argument);
    const bool is_kept = sample.empty() && channel_block == 0;
    if (is_kept && !(as_onnx && is_ort_format(argument))) return argument;
    const std::filesystem::path name =
        sample.empty() ? std::filesystem::path(argument).filename().replace_extension(".onnx")
                       : std::filesystem::path(std::string(sample) + ".onnx");
    // several arguments may have the same file name
    const std::filesystem::path own = folder / std::to_string(std::hash<std::string>()(argument)),
                                file = own / name;
    std::filesystem::create_directories(own);
    if (!std::filesystem::exists(file))
        save_model(load_model_argument(argument, channel_block, progress), file, {}, progress);
    return file;
}

}  // namespace lapidary::cli
