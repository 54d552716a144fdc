// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include <unistd.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

/// A product with weights in a file of their own, which lie aligned there and are mapped, not
/// copied.
class WeightsFile : public ::testing::Test {
protected:
    explicit WeightsFile(
        const char* graph = "(x: f32[1,2048]) -> (y)\ny = MatMul(x, w: f32[2048,2048])")
        : path_(std::filesystem::temp_directory_path() /
                ("lapidary_cut_" + std::to_string(::getpid()) + ".onnx")) {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(graph);
        SaveOptions beside;
        beside.external_data_min_bytes = 0;
        save_model(model, path_, beside);
    }
    ~WeightsFile() override {
        std::filesystem::remove(path_);
        std::filesystem::remove(path_.string() + ".data");
    }
    Session compile(bool reference_kernels) const {
        SessionOptions options;
        options.reference_kernels = reference_kernels;
        return Session::compile(std::make_shared<const Model>(load_model(path_)), options);
    }
    const std::filesystem::path& path() const { return path_; }
    void cut() const { std::filesystem::resize_file(path_.string() + ".data", 65536); }
    static void expect_truncated(const std::function<void()>& work) {
        try {
            work();
            ADD_FAILURE() << "the cut went unnoticed";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::io_failure);
            EXPECT_NE(std::string(e.what()).find("truncated"), std::string::npos) << e.what();
        }
    }
    static Tensor product(Session& session) {
        return session.run({{"x", Tensor::of<float>({1, 2048}, std::vector<float>(2048, 1.f))}})
            .outputs.at(0)
            .second.tensor();
    }

private:
    std::filesystem::path path_;
};

TEST_F(WeightsFile, TruncatedWeightsAreAnErrorNotZeros) {
    Session session = compile(true);
    EXPECT_NO_THROW(product(session));
    cut();
    // the second run meets the zeros without a fault
    for (int i = 0; i < 2; ++i) expect_truncated([&] { product(session); });
}

TEST_F(WeightsFile, PackedWeightsOutliveTheirFile) {
    Session session = compile(false);
    const Tensor before = product(session);
    cut();
    EXPECT_TRUE(same_contents(product(session), before));
}

TEST_F(WeightsFile, TruncatedWeightsAreNotWritten) {
    const auto model = std::make_shared<const Model>(load_model(path()));
    SessionOptions options;
    options.reference_kernels = true;
    Session session = Session::compile(model, options);
    cut();
    const std::filesystem::path to = path().string() + ".copy";
    expect_truncated([&] { save_model(*model, to, {}); });
    expect_truncated([&] { product(session); });
    expect_truncated([&] { save_model(*model, to, {}); });  // where zeros are by now
    EXPECT_FALSE(std::filesystem::exists(to));
}

/// A convolution, whose weight is laid out anew when a session packs it.
class ConvolutionFile : public WeightsFile {
protected:
    ConvolutionFile()
        : WeightsFile("(x: f32[1,2048,8,8]) -> (y)\ny = Conv(x, w: f32[2048,2048,1,1])") {}
    Model optimized() const {
        OptimizeOptions options;
        options.level = Level::all;
        return optimize(load_model(path()), options).model;
    }
};

TEST_F(ConvolutionFile, IsNotPackedFromTruncatedWeights) {
    const auto model = std::make_shared<const Model>(optimized());
    cut();
    for (int i = 0; i < 2; ++i) expect_truncated([&] { (void)Session::compile(model, {}); });
}

TEST_F(ConvolutionFile, IsNotWrittenFromTruncatedWeights) {
    const Model model = optimized();
    cut();
    const std::filesystem::path to = path().string() + ".optimized";
    expect_truncated([&] { save_model(model, to, {}); });
    EXPECT_FALSE(std::filesystem::exists(to));
}

}  // namespace
}  // namespace lapidary
