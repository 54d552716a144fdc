// SPDX-License-Identifier: Apache-2.0
// Sessions that hold the same constants on a device hold them once.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/session.h>

#include "exec/second_provider.h"
#include "exec/device/shared_constants.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

ModelPtr model_of_text(const char* graph) {
    Model model = model_of(graph);
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

class SharedConstantsTest : public testing::Test {
protected:
    std::shared_ptr<SecondProvider> provider =
        std::make_shared<SecondProvider>(rule_of([](const Node&) { return true; }));
    Session session_of(const ModelPtr& model) const {
        SessionOptions options;
        options.providers = {provider};
        options.session_passes.set = SessionPasses::Set::none;
        return Session::compile(model, options);
    }
    std::int64_t blocks() const { return provider->counts().blocks; }
};

const char* const two_weights =
    "(x: f32[3,4]) -> (y)\na = Add(x, w: f32[3,4])\ny = Mul(a, v: f32[3,4])";

TEST_F(SharedConstantsTest, OneBlockForEachUntilTheLastSessionEnds) {
    const ModelPtr model = model_of_text(two_weights);
    std::optional<Session> first = session_of(model);
    EXPECT_EQ(blocks(), 2);
    const std::int64_t copies = provider->counts().to_device;
    std::optional<Session> second = session_of(model);
    EXPECT_EQ(blocks(), 2);
    EXPECT_EQ(provider->counts().to_device, copies) << "they were uploaded again";
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const NamedValues expected = Session::compile(model, {}).run(inputs).outputs;
    first.reset();
    EXPECT_EQ(blocks(), 2);
    for (const OutputComparison& output : compare_outputs(second->run(inputs).outputs, expected))
        EXPECT_TRUE(output.comparison.matches) << output.comparison.reason;
    second.reset();
    EXPECT_EQ(blocks(), 0);
    session_of(model);
    EXPECT_GT(provider->counts().to_device, copies) << "nothing was uploaded after all had ended";
}

TEST_F(SharedConstantsTest, AnotherModelWithTheSameBytesSharesThem) {
    const ModelPtr one =
        model_of_text("(x: f32[3,2]) -> (y)\ny = Add(x, w: f32[3,2]{1.0,2.0,3.0,4.0,5.0,6.0})");
    const ModelPtr same =
        model_of_text("(x: f32[2,3]) -> (y)\ny = Mul(x, u: f32[2,3]{1.0,2.0,3.0,4.0,5.0,6.0})");
    const ModelPtr other =
        model_of_text("(x: f32[3,2]) -> (y)\ny = Add(x, w: f32[3,2]{1.0,2.0,3.0,4.0,5.0,7.0})");
    const Session first = session_of(one);
    EXPECT_EQ(blocks(), 1);
    const Session second = session_of(same);
    EXPECT_EQ(blocks(), 1);
    const Session third = session_of(other);
    EXPECT_EQ(blocks(), 2);
}

TEST_F(SharedConstantsTest, WithinASessionTheyCountOnce) {
    const ModelPtr model = model_of_text(
        "(x: f32[2,2]) -> (y)\na = Add(x, w: f32[2,2]{1.0,2.0,3.0,4.0})\ny = Mul(a, v: "
        "f32[2,2]{1.0,2.0,3.0,4.0})");
    Session session = session_of(model);
    EXPECT_EQ(blocks(), 1);
    session.run(generate_inputs(*model, {}, {.seed = 3}));
    ASSERT_EQ(session.plan().providers.size(), 1u);
    EXPECT_EQ(session.plan().providers[0].weight_bytes, 16u);
}

TEST_F(SharedConstantsTest, SessionsOfSeveralThreadsUploadOnce) {
    const ModelPtr model = model_of_text(two_weights);
    std::vector<std::optional<Session>> sessions(4);
    std::vector<std::thread> threads;
    for (auto& session : sessions) threads.emplace_back([&] { session = session_of(model); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(blocks(), 2);
}

TEST(ContentKey, DistinguishesBytes) {
    std::vector<unsigned char> bytes(100, 0);
    const ContentKey zero = content_key(bytes.data(), bytes.size());
    EXPECT_EQ(zero, content_key(std::vector<unsigned char>(100, 0).data(), 100));
    EXPECT_NE(zero, content_key(bytes.data(), 99));
    for (unsigned char& byte : bytes) {
        byte = 1;
        EXPECT_NE(content_key(bytes.data(), bytes.size()), zero);
        byte = 0;
    }
    EXPECT_EQ(content_key(nullptr, 0), content_key(bytes.data(), 0));
}

}  // namespace
}  // namespace lapidary::test
