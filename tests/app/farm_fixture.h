// SPDX-License-Identifier: Apache-2.0
// What the tests of `lapidary-cli farm` share.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {

/// Models, samples with labels, and commands for farms of them.
class FarmFixture : public ::testing::Test {
protected:
    FarmFixture() {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph("(x: f32[n,3]) -> (y)\ny = Identity(x)");
        std::filesystem::create_directory(folder_ / "zoo");
        for (const char* name : {"m.onnx", "zoo/a.onnx", "zoo/b.onnx"})
            save_model(model, folder_ / name);
        std::vector<float> values;
        std::vector<std::int64_t> labels;
        for (int i = 0; i < 20; ++i) {
            for (int c = 0; c < 3; ++c) values.push_back(c == i % 3 ? 1 : 0);
            labels.push_back(i < 15 ? i % 3 : (i + 1) % 3);
        }
        save_npz(folder_ / "d.npz", {{"x", Tensor::of<float>({20, 3}, values)},
                                     {"y", Tensor::of<std::int64_t>({20}, labels)}});
    }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    std::string text_of(const std::string& name) const {
        std::ifstream in(folder_ / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::vector<std::string> accuracy() const {
        return {"accuracy",    file("m.onnx"), "--data",
                file("d.npz"), "--labels",     file("d.npz") + ":y"};
    }
    CommandOutcome plan(const std::string& name, std::vector<std::string> options,
                        const std::vector<std::string>& command) const {
        options.insert(options.begin(), {"farm", "plan", file(name)});
        options.push_back("--");
        options.insert(options.end(), command.begin(), command.end());
        return run(options);
    }
    CommandOutcome shard(const std::string& name, int number,
                         const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{
            "farm", "run", file(name), "--shard", std::to_string(number), "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    CommandOutcome merge(const std::string& name, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"farm", "merge", file(name), "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    /// The figures of `accuracy` without those of its run.
    Json whole_accuracy() const {
        std::vector<std::string> words = accuracy();
        words.push_back("--json");
        Json whole = run(words).json();
        for (const char* condition : {"level", "threads"}) whole.erase(condition);
        return whole;
    }
    TemporaryFolder folder_;
};

}  // namespace lapidary
