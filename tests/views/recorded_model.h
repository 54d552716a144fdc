// SPDX-License-Identifier: Apache-2.0
// A small model of two modules, the same with another weight, and a recording of the first.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

namespace lapidary::views {

inline void saveModelOfTwoModules(const std::filesystem::path& file, const std::string& weight) {
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[2]) -> (y)\n"
        "h = Add(x, one: f32[1]{1.0}) as \"/shift/Add\"\n"
        "s = Mul(h, by: f32[2]{1.0, " +
        weight +
        "}) as \"/scale/Mul\"\n"
        "y = Neg(s) as \"/scale/Neg\"");
    save_model(model, file);
}

/// good.onnx, bad.onnx, and run.npz as record.py writes it beside the good one.
inline void saveRecordedModel(const std::filesystem::path& folder) {
    saveModelOfTwoModules(folder / "good.onnx", "2.0");
    saveModelOfTwoModules(folder / "bad.onnx", "2.5");
    const auto entry = [](const std::string& name, const std::string& array) {
        return R"({"name": ")" + name +
               R"(", "shape": [2], "dtype": "float32", "stride": 1, "array": ")" + array + R"("})";
    };
    const auto module = [&](const std::string& path, const std::string& type,
                            const std::string& array) {
        return R"({"path": ")" + path + R"(", "class": "torch.nn.)" + type +
               R"(", "call": 0, "line": "net.py:7", "outputs": [)" + entry("", array) + "]}";
    };
    const std::string index =
        R"({"format": "lapidary recording", "version": 1, "framework": "torch 2.6",)"
        R"( "model": "net.Net", "inputs": [)" +
        entry("x", "a0") + R"(], "outputs": [)" + entry("y", "a2") + R"(], "modules": [)" +
        module("shift", "Shift", "a1") + ", " + module("scale", "Scale", "a2") + "]}";
    const auto floats = [](float first, float second) {
        return Tensor::of(Shape{2}, std::vector<float>{first, second});
    };
    save_npz(folder / "run.npz",
             {{"index", Tensor::of(Shape{static_cast<std::int64_t>(index.size())},
                                   std::vector<std::uint8_t>(index.begin(), index.end()))},
              {"a0", floats(3, -4)},
              {"a1", floats(4, -3)},
              {"a2", floats(-4, 6)}});
}

}  // namespace lapidary::views
