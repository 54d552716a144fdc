// SPDX-License-Identifier: Apache-2.0
// OpenVINO as an engine, where it is installed and LAPIDARY_OPENVINO or the active environment has
// it; else what is said of that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/engines/plugin_engine.h>
#include <lapidary/engines/plugins.h>
#include <lapidary/exec/session.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>

#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

class OpenVinoEngine : public testing::Test {
protected:
    static void SetUpTestSuite() { open_plugin(LAPIDARY_OPENVINO_PLUGIN); }

    OpenVinoEngine() {
        Model made = model_of(
            "(x: f32[batch,4], n: i64[batch,4]) -> (y, m)\n"
            "a = MatMul(x, w: f32[4,4]{1.0,0.0,0.5,2.0,0.0,1.0,-1.0,0.25,3.0,0.5,1.0,0.0,-0.5,1.0,"
            "0.0,1.0})\nb = Relu(a)\ny = Exp(b)\nm = Add(n, n)");
        infer_types(made);
        save_model(made, file());
        model_ = load_model(file());
        Tensor x(DType::f32, {3, 4}), n(DType::i64, {3, 4});
        for (std::int64_t i = 0; i < x.size(); ++i) {
            x.mutable_data<float>()[static_cast<std::size_t>(i)] =
                0.25f * static_cast<float>(i) - 1.f;
            n.mutable_data<std::int64_t>()[static_cast<std::size_t>(i)] = i - 5;
        }
        inputs_ = {{"x", x}, {"n", n}};
    }

    std::filesystem::path file() const { return folder_.path() / "model.onnx"; }
    EngineRecord record(std::map<std::string, std::string> options = {}, bool profile = true) {
        PluginEngineOptions engine;
        engine.engine = "openvino";
        engine.options = std::move(options);
        return run_plugin_engine(model_, file(), engine, {inputs_, 1, 2, profile});
    }
    /// Empty: it is there.
    std::string missing() {
        try {
            record({}, false);
            return {};
        } catch (const Error& error) {
            const std::string text = error.what();
            const bool is_missing = text.find("OpenVINO was not found") != std::string::npos ||
                                    text.find("LAPIDARY_OPENVINO") != std::string::npos;
            EXPECT_TRUE(is_missing) << text;
            return text;
        }
    }

    ScratchFolder folder_;
    Model model_;
    NamedValues inputs_;
};

TEST_F(OpenVinoEngine, GivesTheSameWithTimesOfItsNodes) {
    if (const std::string reason = missing(); !reason.empty()) GTEST_SKIP() << reason;
    const EngineRecord found = record();
    const NamedValues expected =
        Session::compile(std::make_shared<const Model>(model_)).run(inputs_).outputs;
    ASSERT_EQ(found.outputs.size(), 2u);
    for (const auto& [name, value] : expected) {
        const auto at = std::ranges::find(found.outputs, name, &NamedValues::value_type::first);
        ASSERT_NE(at, found.outputs.end()) << name;
        const Tensor &a = value.tensor(), &b = at->second.tensor();
        ASSERT_EQ(a.shape(), b.shape());
        ASSERT_EQ(a.dtype(), b.dtype());
        for (std::size_t i = 0; i < static_cast<std::size_t>(a.size()); ++i)
            if (a.dtype() == DType::f32)
                EXPECT_NEAR(a.data<float>()[i], b.data<float>()[i],
                            1e-5f * std::abs(a.data<float>()[i]));
            else EXPECT_EQ(a.data<std::int64_t>()[i], b.data<std::int64_t>()[i]);
    }
    ASSERT_TRUE(found.profile);
    EXPECT_FALSE(found.profile->kernels.empty());
}

TEST_F(OpenVinoEngine, TakesThreadsAndPrecision) {
    if (const std::string reason = missing(); !reason.empty()) GTEST_SKIP() << reason;
    EXPECT_EQ(record({{"intra_threads", "1"}, {"precision", "model"}}, false).outputs.size(), 2u);
    try {
        record({{"precision", "nonsense"}}, false);
        ADD_FAILURE() << "it took a precision that there is not";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("OpenVINO"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace lapidary::test
