// SPDX-License-Identifier: Apache-2.0
// The window does nothing to a model itself: it calls jobs of the engine, which run in a process
// that may end alone.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

TEST(Architecture, TheWindowLeavesWorkOnModelsToTheEngine) {
    const std::regex work(
        R"(\b(load_model(_from_memory)?|save_model|optimize|apply_session_passes(_for)?|)"
        R"(export_model|extract_nodes|quantize_model|quantized_model|load_quantized|load_other|)"
        R"(quantize_snippet|plan_quantization|infer_types|executed_model|Session::compile|)"
        R"(Generator::compile|run_onnxruntime|run_plugin_engine)\s*\(|\b(guard|bisect)\s*\(\*)");
    // "lapidary --thumbnail" is a process that does nothing else
    const fs::path drawing = "views/graph/graph_thumbnail.cpp";
    std::size_t count = 0;
    for (const char* folder : {"app/workbench", "views"})
        for (const auto& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
            const fs::path file = fs::relative(entry.path(), source_folder());
            if ((file.extension() != ".cpp" && file.extension() != ".h") || file == drawing)
                continue;
            ++count;
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                EXPECT_FALSE(std::regex_search(line.substr(0, line.find("//")), work))
                    << file << ": " << line << "\nCall a job (app/worker/jobs) instead.";
        }
    EXPECT_GT(count, 400u);
}

}  // namespace
}  // namespace lapidary
