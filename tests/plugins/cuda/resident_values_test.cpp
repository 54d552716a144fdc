// SPDX-License-Identifier: Apache-2.0
// A decoder whose caches stay on the device from token to token. It gives bit for bit what it gives
// when they go through host memory, in several orders of the device's threads, with and without
// replay, and no byte of the caches is copied.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/profile/profile.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

constexpr std::int64_t vocabulary = 23, heads = 2, size = 8, width = heads * size, layers = 2;

/// One head-split projection of x: [1,heads,n,size].
std::string split_heads(const std::string& to, const std::string& weight) {
    return to + "_flat = MatMul(x, " + weight + ": f32[16,16])\n" + to + "_parts = Reshape(" + to +
           "_flat, " + to + "_shape: i64[4]{1,-1,2,8})\n" + to + " = Transpose(" + to +
           "_parts) {perm: [0,2,1,3]}\n";
}

/// Two layers of attention over a growing cache of keys and values; logits of the vocabulary.
ModelPtr decoder() {
    std::string inputs = "(ids: i64[1,n]", outputs = ") -> (logits",
                body = "x0 = Gather(words: f32[23,16], ids)\n";
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const std::string l = std::to_string(layer), next = std::to_string(layer + 1);
        inputs += ", past." + l + ".key: f32[1,2,p,8], past." + l + ".value: f32[1,2,p,8]";
        outputs += ", present." + l + ".key, present." + l + ".value";
        std::string part =
            split_heads("q" + l, "wq" + l) + split_heads("k" + l, "wk" + l) +
            split_heads("v" + l, "wv" + l) + "present." + l + ".key = Concat(past." + l +
            ".key, k" + l + ") {axis: 2}\npresent." + l + ".value = Concat(past." + l +
            ".value, v" + l + ") {axis: 2}\nt" + l + " = Transpose(present." + l +
            ".key) {perm: [0,1,3,2]}\ns" + l + " = MatMul(q" + l + ", t" + l + ")\np" + l +
            " = Softmax(s" + l + ")\nc" + l + " = MatMul(p" + l + ", present." + l + ".value)\nb" +
            l + " = Transpose(c" + l + ") {perm: [0,2,1,3]}\nm" + l + " = Reshape(b" + l + ", m" +
            l + "_shape: i64[3]{1,-1,16})\nx" + next + " = Add(x" + l + ", m" + l + ")\n";
        for (std::size_t at; (at = part.find("(x,")) != std::string::npos;)
            part.replace(at, 3, "(x" + l + ",");
        body += part;
    }
    body += "logits = MatMul(x" + std::to_string(layers) + ", last: f32[16,23])\n";
    Model model = model_of((inputs + outputs + ")\n" + body).c_str());
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

std::vector<std::string> names_of_caches(const std::string& which) {
    std::vector<std::string> names;
    for (std::int64_t layer = 0; layer < layers; ++layer)
        for (const char* part : {".key", ".value"})
            names.push_back(which + "." + std::to_string(layer) + part);
    return names;
}

NamedValues ids_of(std::int64_t token) {
    return {{"ids", Tensor::of<std::int64_t>({1, 1}, std::vector<std::int64_t>{token})}};
}

/// Caches of `past` tokens, of a seed.
NamedValues first_caches(const ModelPtr& model, std::int64_t past) {
    NamedValues all =
        generate_inputs(*model, {}, {.seed = 7, .dimensions = {{"n", 1}, {"p", past}}});
    all.erase(all.begin());
    return all;
}

/// What greedy decoding gave token by token.
struct Decoded {
    std::vector<Tensor> logits;
    NamedValues caches;  // after the last token
};

std::int64_t best_of(const Tensor& logits) {
    const auto scores = logits.data<float>();
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

Decoded decode_by_host(Session& session, const NamedValues& caches, int tokens) {
    Decoded decoded;
    NamedValues past = caches;
    std::int64_t token = 3;
    for (int i = 0; i < tokens; ++i) {
        NamedValues inputs = ids_of(token);
        inputs.insert(inputs.end(), past.begin(), past.end());
        const RunResult result = session.run(inputs);
        decoded.logits.push_back(result.outputs[0].second.tensor());
        token = best_of(decoded.logits.back());
        for (std::size_t c = 0; c < past.size(); ++c) past[c].second = result.outputs[c + 1].second;
    }
    decoded.caches = past;
    return decoded;
}

RunOptions resident_options() {
    RunOptions options;
    options.resident_outputs = names_of_caches("present");
    return options;
}

std::vector<NamedDeviceValue> as_past(const std::vector<NamedDeviceValue>& present) {
    std::vector<NamedDeviceValue> past = present;
    for (NamedDeviceValue& cache : past)
        cache.name = "past" + cache.name.substr(std::string("present").size());
    return past;
}

/// Bytes that the run of one token copied, as the run reports them.
Decoded decode_on_device(Session& session, const NamedValues& caches, int tokens,
                         std::vector<CopiedBytes>& bytes) {
    Decoded decoded;
    RunOptions options = resident_options();
    for (const auto& [name, value] : caches)
        options.device_inputs.push_back({name, session.to_device(name, value.tensor())});
    std::int64_t token = 3;
    RunResult result;
    for (int i = 0; i < tokens; ++i) {
        session.run(ids_of(token), options, result);
        EXPECT_TRUE(result.not_resident.empty())
            << result.not_resident[0].name << result.not_resident[0].reason;
        bytes.push_back(result.copied);
        decoded.logits.push_back(result.outputs[0].second.tensor());
        token = best_of(decoded.logits.back());
        options.device_inputs = as_past(result.residents);
    }
    for (const NamedDeviceValue& cache : options.device_inputs)
        decoded.caches.emplace_back(cache.name, cache.value.to_host());
    return decoded;
}

void expect_same(const Decoded& actual, const Decoded& expected) {
    ASSERT_EQ(actual.logits.size(), expected.logits.size());
    for (std::size_t i = 0; i < expected.logits.size(); ++i)
        EXPECT_TRUE(same_contents(actual.logits[i], expected.logits[i])) << "logits of token " << i;
    ASSERT_EQ(actual.caches.size(), expected.caches.size());
    for (std::size_t i = 0; i < expected.caches.size(); ++i)
        EXPECT_TRUE(
            same_contents(actual.caches[i].second.tensor(), expected.caches[i].second.tensor()))
            << expected.caches[i].first;
}

std::uint64_t copied_by_device(std::int32_t direction) {
    void* const plugin = ::dlopen(path_of_plugin(), RTLD_NOW | RTLD_NOLOAD);
    const auto count = reinterpret_cast<std::uint64_t (*)(std::int32_t)>(
        ::dlsym(plugin, "lapidary_emulated_copied"));
    EXPECT_TRUE(count);
    return count ? count(direction) : 0;
}

class ResidentCaches : public testing::TestWithParam<bool> {};  // whether runs are replayed

TEST_P(ResidentCaches, DecodeAsThoseThatGoThroughTheHost) {
    const ModelPtr model = decoder();
    const NamedValues caches = first_caches(model, 5);
    for (const int order : {0, 1, 2, 3}) {
        Session by_host =
            Session::compile(model, emulated_options({.order = order, .replays = GetParam()}));
        Session session =
            Session::compile(model, emulated_options({.order = order, .replays = GetParam()}));
        std::vector<CopiedBytes> bytes;
        expect_same(decode_on_device(session, caches, 8, bytes),
                    decode_by_host(by_host, caches, 8));
        for (const CopiedBytes& token : bytes) {
            EXPECT_EQ(token.to_device, 8u);  // its number
            EXPECT_EQ(token.to_host, vocabulary * sizeof(float));
        }
    }
}

TEST_P(ResidentCaches, WithSessionPassesAndHalves) {
    const ModelPtr model = decoder();
    const NamedValues caches = first_caches(model, 4);
    for (const char* precision : {"exact", "fp16"}) {
        const EmulatedRun run{
            .precision = precision, .passes = SessionPasses::Set::all, .replays = GetParam()};
        Session by_host = Session::compile(model, emulated_options(run));
        Session session = Session::compile(model, emulated_options(run));
        std::vector<CopiedBytes> bytes;
        expect_same(decode_on_device(session, caches, 6, bytes),
                    decode_by_host(by_host, caches, 6));
    }
}

INSTANTIATE_TEST_SUITE_P(Decode, ResidentCaches, testing::Bool(),
                         [](const auto& info) { return info.param ? "Replayed" : "Played"; });

TEST(ResidentValues, NoByteOfCachesIsCopied) {
    if (is_on_gpu()) GTEST_SKIP() << "a GPU does not count what is copied";
    const ModelPtr model = decoder();
    Session session = Session::compile(model, emulated_options({}));
    RunOptions options = resident_options();
    for (const auto& [name, value] : first_caches(model, 5))
        options.device_inputs.push_back({name, session.to_device(name, value.tensor())});
    RunResult result;
    for (int i = 0; i < 6; ++i) {
        const std::uint64_t to_device = copied_by_device(0), to_host = copied_by_device(1);
        session.run(ids_of(i), options, result);
        EXPECT_EQ(copied_by_device(0) - to_device, 8u);
        EXPECT_EQ(copied_by_device(1) - to_host, vocabulary * sizeof(float));
        options.device_inputs = as_past(result.residents);
    }
}

/// How the session's runs of these shapes were carried out, after one more of them.
std::string note_of(Session& session, const NamedValues& inputs, RunOptions options) {
    options.profile = true;
    const RunResult result = session.run(inputs, options);
    for (const Span& span : result.profile->kernels)
        if (span.kind == EventKind::copy)
            EXPECT_LE(span.bytes, static_cast<std::int64_t>(vocabulary * sizeof(float)))
                << result.profile->name(span);
    return result.profile->note;
}

TEST(ResidentValues, RunsThatRepeatAreReplayed) {
    const ModelPtr model = decoder();
    Session session = Session::compile(model, emulated_options({}));
    Session plain = Session::compile(model, emulated_options({.replays = false}));
    const NamedValues caches = first_caches(model, 5);
    RunOptions options = resident_options();
    for (const auto& [name, value] : caches)
        options.device_inputs.push_back({name, session.to_device(name, value.tensor())});
    RunResult result;
    for (int i = 0; i < 7; ++i) {
        session.run(ids_of(i), options, result);
        NamedValues inputs = ids_of(i);
        inputs.insert(inputs.end(), caches.begin(), caches.end());
        const NamedValues expected = plain.run(inputs).outputs;
        EXPECT_TRUE(same_contents(result.outputs[0].second.tensor(), expected[0].second.tensor()))
            << "run " << i;
        for (std::size_t c = 0; c < result.residents.size(); ++c)
            EXPECT_TRUE(
                same_contents(result.residents[c].value.to_host(), expected[c + 1].second.tensor()))
                << "run " << i << ", " << result.residents[c].name;
    }
    const std::string note = note_of(session, ids_of(1), options);
    EXPECT_NE(note.find(name_of_provider() + ": 1 graph, "), std::string::npos) << note;
}

TEST(ResidentValues, StateThatKeepsItsShapeIsReplayedFromTwoPlaces) {
    Model made = model_of(
        "(x: f32[1,16], state: f32[1,16]) -> (y, next)\na = MatMul(x, w: f32[16,16])\n"
        "b = MatMul(state, u: f32[16,16])\nc = Add(a, b)\nnext = Tanh(c)\ny = Neg(next)");
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    Session session = Session::compile(model, emulated_options({}));
    Session plain = Session::compile(model, emulated_options({.replays = false}));
    RunOptions options;
    options.resident_outputs = {"next"};
    NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    RuntimeValue state = inputs[1].second;
    options.device_inputs = {{"state", session.to_device("state", state.tensor())}};
    RunResult result;
    for (int i = 0; i < 12; ++i) {
        session.run({inputs[0]}, options, result);
        const NamedValues expected = plain.run({inputs[0], {"state", state}}).outputs;
        ASSERT_TRUE(same_contents(result.outputs[0].second.tensor(), expected[0].second.tensor()))
            << "step " << i;
        state = expected[1].second;
        options.device_inputs = {{"state", result.residents[0].value}};
        result.residents.clear();
    }
    const std::string note = note_of(session, {inputs[0]}, options);
    EXPECT_NE(note.find(": 2 graphs, "), std::string::npos) << note;
}

TEST(ResidentValues, ValuesAtOtherAddressesAreTheReasonThatNothingIsReplayed) {
    const ModelPtr model = decoder();
    Session session = Session::compile(model, emulated_options({}));
    const NamedValues caches = first_caches(model, 5);
    RunOptions options = resident_options();
    std::vector<RunResult> held;
    for (int i = 0; i < 4; ++i) {
        options.device_inputs.clear();
        for (const auto& [name, value] : caches)
            options.device_inputs.push_back({name, session.to_device(name, value.tensor())});
        held.push_back(session.run(ids_of(i), options));
        for (const NamedDeviceValue& cache : options.device_inputs)
            held.back().residents.push_back(cache);
    }
    const std::string note = note_of(session, ids_of(1), options);
    EXPECT_NE(note.find("0 graphs"), std::string::npos) << note;
    EXPECT_NE(note.find("at new addresses"), std::string::npos) << note;
}

TEST(ResidentValues, AFaultOfARunWhoseOutputsStayIsThrown) {
    Model made =
        model_of("(x: f32[3,4], i: i64[2]) -> (y)\na = Relu(x)\ny = Gather(a, i) as \"chooser\"");
    infer_types(made);
    Session session =
        Session::compile(std::make_shared<const Model>(std::move(made)), emulated_options({}));
    const auto inputs = [](std::int64_t second) {
        return NamedValues{
            {"x", Tensor::of<float>({3, 4}, std::vector<float>(12, 1.0f))},
            {"i", Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, second})}};
    };
    RunOptions options;
    options.resident_outputs = {"y"};
    for (int i = 0; i < 4; ++i) EXPECT_NO_THROW(session.run(inputs(2), options));
    try {
        session.run(inputs(7), options);
        FAIL() << "it ran";
    } catch (const Error& error) {
        EXPECT_NE(
            std::string(error.what()).find("node chooser: index 7 is out of range of 3 elements"),
            std::string::npos)
            << error.what();
    }
    const RunResult after = session.run(inputs(0), options);
    EXPECT_TRUE(same_contents(after.residents[0].value.to_host(),
                              Tensor::of<float>({2, 4}, std::vector<float>(8, 1.0f))));
}

TEST(ResidentValues, AreFreedWithTheLastHolder) {
    if (is_on_gpu()) GTEST_SKIP() << "a GPU does not count its blocks";
    const ModelPtr model = decoder();
    emulated_provider();
    void* const plugin = ::dlopen(path_of_plugin(), RTLD_NOW | RTLD_NOLOAD);
    const auto blocks =
        reinterpret_cast<std::uint64_t (*)()>(::dlsym(plugin, "lapidary_emulated_blocks"));
    ASSERT_TRUE(blocks);
    const std::uint64_t before = blocks();
    const NamedValues caches = first_caches(model, 5);
    std::vector<NamedDeviceValue> held;
    Decoded expected;
    {
        Session session = Session::compile(model, emulated_options({}));
        expected = decode_by_host(session, caches, 1);
        NamedValues inputs = ids_of(3);
        inputs.insert(inputs.end(), caches.begin(), caches.end());
        held = session.run(inputs, resident_options()).residents;
    }
    EXPECT_EQ(blocks(), before + held.size());  // the session is gone, its values are not
    for (std::size_t i = 0; i < held.size(); ++i)
        EXPECT_TRUE(same_contents(held[i].value.to_host(), expected.caches[i].second.tensor()))
            << held[i].name;
    {
        // by the same provider: it reads them there
        Session other = Session::compile(model, emulated_options({}));
        RunOptions options;
        options.device_inputs = as_past(held);
        const RunResult result = other.run(ids_of(5), options);
        EXPECT_TRUE(result.not_resident.empty());
        EXPECT_EQ(result.copied.to_device, 8u);
    }
    held.clear();
    EXPECT_EQ(blocks(), before);
}

}  // namespace
}  // namespace lapidary::test
