// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>

#include <lapidary/error.h>
#include <lapidary/graph_text.h>
#include <lapidary/model_io.h>
#include <lapidary/session.h>

namespace lapidary {
namespace {

TEST(SessionFile, TruncatedWeightsAreAnErrorNotZeros) {
    const auto path = std::filesystem::temp_directory_path() / ("lapidary_cut_" + std::to_string(::getpid()) + ".onnx");
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[1,2048]) -> (y)\ny = MatMul(x, w: f32[2048,2048])");
    SaveOptions beside;  // weights in a file of their own lie aligned and are mapped, not copied
    beside.external_data_min_bytes = 0;
    save_model(model, path, beside);
    const std::filesystem::path weights = path.string() + ".data";
    Session session = Session::compile(std::make_shared<const Model>(load_model(path)));
    const Tensor x = Tensor::of<float>({1, 2048}, std::vector<float>(2048, 1.f));
    EXPECT_NO_THROW(session.run({{"x", x}}));
    std::filesystem::resize_file(weights, 65536);
    for (int i = 0; i < 2; ++i) {  // the second run meets the zeros without a fault
        try {
            session.run({{"x", x}});
            ADD_FAILURE() << "the cut went unnoticed";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::io_failure);
            EXPECT_NE(std::string(e.what()).find("truncated"), std::string::npos) << e.what();
        }
    }
    std::filesystem::remove(path);
    std::filesystem::remove(weights);
}

}  // namespace
}  // namespace lapidary
