// SPDX-License-Identifier: Apache-2.0
// Saves a model of two products in a temporary folder, with samples for it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {

class QuantizeCommand : public ::testing::Test {
protected:
    QuantizeCommand() {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(
            "(x: f32[n,64]) -> (y)\na = MatMul(x, w: f32[64,64]) as \"first\"\nb = Relu(a)\ny = "
            "MatMul(b, v: "
            "f32[64,10]) as \"second\"");
        save_model(model, model_file());
    }
    std::string model_file() const { return (folder_ / "m.onnx").string(); }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    std::string data_folder(std::size_t samples) const {
        std::filesystem::create_directory(folder_ / "data");
        for (std::size_t i = 0; i < samples; ++i) {
            std::vector<float> values(64);
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = static_cast<float>((i * 37 + k * 11) % 19) - 9;
            save_npz(folder_ / ("data/" + std::to_string(i) + ".npz"),
                     {{"x", Tensor::of<float>({1, 64}, values)}});
        }
        return file("data");
    }
    TemporaryFolder folder_;
};

}  // namespace lapidary
