// SPDX-License-Identifier: Apache-2.0
// Saves small models in a temporary folder for tests of optimize and of commands with a level.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {

class OptimizeCommand : public ::testing::Test {
protected:
    std::string save(const std::string& name, const std::string& text, std::int64_t opset = 17) {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = opset;
        model.opset_imports["com.microsoft"] = 1;
        GraphTextOptions options;
        options.opset = opset;
        model.graph = parse_graph(text, options);
        save_model(model, folder_ / name);
        return (folder_ / name).string();
    }
    /// One QuickGelu to fuse, one dead node to remove.
    std::string small() {
        return save("small.onnx",
                    "(x: f32[n,4]) -> (y, z)\n g = Sigmoid(x)\n y = Mul(x, g)\n z = Abs(x)\n dead "
                    "= Neg(x)");
    }
    /// A product that is one condition short of QuickGelu.
    std::string almost() {
        return save(
            "almost.onnx",
            "(x: f32[n,4], w: f32[n,4]) -> (y)\n g = Sigmoid(x)\n y = Mul(w, g) as \"product\"");
    }
    std::string file(const std::string& name) { return (folder_ / name).string(); }
    std::vector<std::string> operators(const std::string& path) {
        const Model model = load_model(path);
        std::vector<std::string> names;
        for (NodeId id : model.graph.nodes()) names.push_back(model.graph.node(id).qualified_op());
        std::ranges::sort(names);
        return names;
    }
    TemporaryFolder folder_;
};

}  // namespace lapidary
