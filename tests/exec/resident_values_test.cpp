// SPDX-License-Identifier: Apache-2.0
// Values that stay on a device between runs: their contents and lifetime, how they are counted, and
// why other values are in host memory.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <lapidary/inputs/cache_pairs.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/session.h>

#include "second_provider.h"

namespace lapidary::test {
namespace {

using ProviderPtr = std::shared_ptr<SecondProvider>;

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 18;
    model->graph = parse_graph(text, {.opset = 18});
    return model;
}

Tensor counted(Shape shape, float from = -3) {
    Tensor tensor(DType::f32, std::move(shape));
    for (float& x : tensor.mutable_data<float>()) x = from++;
    return tensor;
}

ProviderPtr takes_all() {
    return std::make_shared<SecondProvider>(rule_of([](const Node&) { return true; }));
}

SessionOptions on(ProviderPtr provider) {
    SessionOptions options;
    if (provider) options.providers = {std::move(provider)};
    options.session_passes.set = SessionPasses::Set::none;
    return options;
}

/// A cache that grows by the input, and a sum over it.
const char* const growing = R"((x: f32[1,4], past: f32[p,4]) -> (y, present)
    present = Concat(past, x) {axis: 0}
    y = ReduceSum(present, axes: i64[1]{0})
)";

RunOptions keeps(std::vector<std::string> names) {
    RunOptions options;
    options.resident_outputs = std::move(names);
    return options;
}

std::string message_of(const std::function<void()>& f, ErrorCode code = ErrorCode::invalid_input) {
    try {
        f();
    } catch (const Error& e) {
        EXPECT_EQ(name_of(e.code()), name_of(code));
        return e.message();
    }
    return "nothing was thrown";
}

const Tensor& output(const RunResult& result, std::size_t i = 0) {
    return result.outputs[i].second.tensor();
}

/// Eight steps of `growing` with caches in host memory and with caches that stay on the device.
void expect_as_by_host(const SessionOptions& options, std::uint64_t crossing_bytes) {
    Session by_host = Session::compile(model_of(growing), options);
    Session session = Session::compile(model_of(growing), options);
    RuntimeValue past = counted({3, 4});
    RunOptions run = keeps({"present"});
    run.device_inputs = {{"past", session.to_device("past", past.tensor())}};
    RunResult result;
    for (int i = 0; i < 8; ++i) {
        const Tensor x = counted({1, 4}, static_cast<float>(i));
        const RunResult expected = by_host.run({{"x", x}, {"past", past}});
        past = expected.outputs[1].second;
        session.run({{"x", x}}, run, result);
        EXPECT_TRUE(same_contents(output(result), output(expected))) << "step " << i;
        EXPECT_TRUE(result.outputs[1].second.is_empty());
        ASSERT_EQ(result.residents.size(), 1u);
        EXPECT_EQ(result.residents[0].name, "present");
        EXPECT_TRUE(same_contents(result.residents[0].value.to_host(), past.tensor()))
            << "step " << i;
        EXPECT_EQ(result.copied.to_device + result.copied.to_host, crossing_bytes);
        run.device_inputs = {{"past", result.residents[0].value}};
    }
}

TEST(ResidentValues, GiveWhatHostMemoryGives) {
    for (const ExecutionMode mode : {ExecutionMode::sequential, ExecutionMode::parallel})
        for (const bool plans : {true, false}) {
            SessionOptions options = on(takes_all());
            options.resources.mode = mode;
            options.enable_mem_pattern = plans;
            options.check_writes = true;
            expect_as_by_host(options, 32);  // x there, y back
        }
}

TEST(ResidentValues, OfASessionOnTheCpuArePlainTensors) {
    expect_as_by_host(on(nullptr), 0);
    Session session = Session::compile(model_of(growing), on(nullptr));
    const RunResult result =
        session.run({{"x", counted({1, 4})}, {"past", counted({2, 4})}}, keeps({"present"}));
    EXPECT_TRUE(result.residents[0].value.is_on_host());
    EXPECT_EQ(result.residents[0].value.provider(), "CPU");
    ASSERT_EQ(result.not_resident.size(), 1u);
    EXPECT_EQ(result.not_resident[0].name, "present");
    EXPECT_EQ(result.not_resident[0].reason, "the session runs on the CPU alone");
}

TEST(ResidentValues, CachesThatGrowTakeMemoryAndQueuesThatAreThere) {
    const ProviderPtr provider = takes_all();
    Session session = Session::compile(model_of(growing), on(provider));
    RunOptions options = keeps({"present"});
    options.device_inputs = {{"past", session.to_device("past", counted({256, 4}))}};
    RunResult result;
    const auto step = [&] {
        session.run({{"x", counted({1, 4})}}, options, result);
        options.device_inputs = {{"past", result.residents[0].value}};
    };
    for (int i = 0; i < 8; ++i) step();
    const std::int64_t queues = provider->counts().queues, made = provider->counts().made;
    for (int i = 0; i < 64; ++i) step();  // each of another shape
    EXPECT_EQ(provider->counts().queues, queues);
    EXPECT_LE(provider->counts().made - made, 8);  // a quarter more rows, in steps of an eighth
    EXPECT_EQ(result.residents[0].value.shape(), (Shape{256 + 72, 4}));
}

TEST(ResidentValues, OutliveLaterRunsAndTheirSession) {
    const ProviderPtr provider = takes_all();
    std::vector<NamedDeviceValue> held;
    const auto x = [](int i) { return counted({1, 4}, static_cast<float>(10 * i)); };
    {
        Session session = Session::compile(model_of(growing), on(provider));
        for (int i = 0; i < 6; ++i)  // of one shape: planned memory from the second on
            held.push_back(session.run({{"x", x(i)}, {"past", counted({1, 4})}}, keeps({"present"}))
                               .residents[0]);
    }
    EXPECT_EQ(provider->counts().blocks, 6);
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(held[static_cast<std::size_t>(i)].value.provider(), "second");
        const Tensor whole = held[static_cast<std::size_t>(i)].value.to_host();
        ASSERT_EQ(whole.shape(), (Shape{2, 4}));
        EXPECT_EQ(whole.data<float>()[4], static_cast<float>(10 * i));
    }
    Session other = Session::compile(model_of(growing), on(provider));
    RunOptions options;
    options.device_inputs = {{"past", held[2].value}};
    const RunResult result = other.run({{"x", x(1)}}, options);
    EXPECT_TRUE(result.not_resident.empty());
    EXPECT_EQ(output(result, 1).data<float>()[4], 20.0f);
    EXPECT_EQ(output(result, 1).data<float>()[8], 10.0f);
}

TEST(ResidentValues, LeaveNothingBehind) {
    const ProviderPtr provider = takes_all();
    {
        DeviceValue last;
        {
            Session session = Session::compile(model_of(growing), on(provider));
            RunOptions options = keeps({"present"});
            RunResult result;
            options.device_inputs = {{"past", session.to_device("past", counted({2, 4}))}};
            for (int i = 0; i < 5; ++i) session.run({{"x", counted({1, 4})}}, options, result);
            last = result.residents[0].value;
            const std::int64_t before = provider->counts().blocks;
            RunOptions stopped = options;
            stopped.cancel.cancel();
            for (int i = 0; i < 5; ++i)
                EXPECT_THROW(session.run({{"x", counted({1, 4})}}, stopped), Error);
            EXPECT_LE(provider->counts().blocks, before);
        }
        EXPECT_EQ(provider->counts().blocks, 1);
    }
    EXPECT_EQ(provider->counts().blocks, 0);
}

TEST(ResidentValues, CountAgainstTheLimitOfTheSession) {
    SessionOptions options = on(takes_all());
    options.limits.run_bytes = 40000;
    Session session = Session::compile(model_of("(x: f32[1024]) -> (y)\ny = Relu(x)\n"), options);
    std::vector<NamedDeviceValue> held;
    const auto run = [&] {
        held.push_back(session.run({{"x", counted({1024})}}, keeps({"y"})).residents[0]);
    };
    std::string message;
    for (int i = 0; i < 12 && message.empty(); ++i) {
        message = message_of(run, ErrorCode::limit_exceeded);
        if (message == "nothing was thrown") message.clear();
    }
    EXPECT_GE(held.size(), 7u);
    EXPECT_LE(held.size(), 9u);
    EXPECT_NE(message.find("takes 4096 bytes on top of"), std::string::npos) << message;
    EXPECT_NE(message.find("the limit for a session is 40000"), std::string::npos) << message;
    held.pop_back();
    EXPECT_EQ(message_of(run), "nothing was thrown");
    held.clear();
    for (int i = 0; i < 20; ++i) {
        held.clear();
        run();
    }
}

TEST(ResidentValues, ThatCannotStayAreTensorsAndSayWhy) {
    const auto no_tanh = std::make_shared<SecondProvider>(
        rule_of([](const Node& n) { return n.op_type != "Tanh"; }));
    Session session = Session::compile(model_of(R"((x: f32[2,4]) -> (x, w, a, b, c)
        a = Relu(x)
        b = Tanh(a)
        c = Add(a, w: f32[2,4])
)"),
                                       on(no_tanh));
    const NamedValues inputs{{"x", counted({2, 4})}};
    const RunResult expected = session.run(inputs);
    for (int again = 0; again < 3; ++again) {
        const RunResult result = session.run(inputs, keeps({"c", "b", "a", "w", "x"}));
        ASSERT_EQ(result.residents.size(), 5u);
        const char* const names[] = {"c", "b", "a", "w", "x"};
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_EQ(result.residents[i].name, names[i]);
            EXPECT_TRUE(same_contents(result.residents[i].value.to_host(),
                                      find(expected.outputs, names[i])->tensor()))
                << names[i];
            EXPECT_TRUE(find(result.outputs, names[i])->is_empty());
        }
        EXPECT_FALSE(result.residents[0].value.is_on_host());
        EXPECT_FALSE(result.residents[2].value.is_on_host());  // Tanh reads a copy of it
        ASSERT_EQ(result.not_resident.size(), 3u);
        EXPECT_EQ(result.not_resident[0].name, "b");
        EXPECT_NE(result.not_resident[0].reason.find("Tanh"), std::string::npos);
        EXPECT_NE(result.not_resident[0].reason.find("runs on the CPU"), std::string::npos);
        EXPECT_EQ(result.not_resident[1].reason, "it is an input or a constant of the graph");
    }
}

TEST(ResidentValues, AnInputThatIsAnOutputIsPassedOn) {
    Session session =
        Session::compile(model_of("(x: f32[4]) -> (x, y)\ny = Relu(x)\n"), on(takes_all()));
    RunOptions options = keeps({"x", "y"});
    const Tensor x = counted({4});
    options.device_inputs = {{"x", session.to_device("x", x)}};
    for (int again = 0; again < 3; ++again) {
        const RunResult kept = session.run({}, options);
        EXPECT_TRUE(kept.not_resident.empty());
        EXPECT_EQ(kept.copied.to_device + kept.copied.to_host, 0u);
        EXPECT_TRUE(same_contents(kept.residents[0].value.to_host(), x));
        RunOptions handed_out = options;
        handed_out.resident_outputs = {"y"};
        const RunResult out = session.run({}, handed_out);
        EXPECT_TRUE(same_contents(output(out), x));
        ASSERT_EQ(out.not_resident.size(), 1u);
        EXPECT_EQ(out.not_resident[0].reason, "the run hands it out in host memory");
    }
}

TEST(ResidentValues, InputsThatOthersReadAreCopiedToTheHost) {
    const auto only_relu = std::make_shared<SecondProvider>(
        rule_of([](const Node& n) { return n.op_type == "Relu"; }));
    Session session = Session::compile(
        model_of("(x: f32[4]) -> (y, z)\ny = Relu(x)\nz = Tanh(x)\n"), on(only_relu));
    Session maker = Session::compile(model_of("(v: f32[4]) -> (x)\nx = Relu(v)\n"), on(only_relu));
    const ProviderPtr another = takes_all();
    Session elsewhere =
        Session::compile(model_of("(v: f32[4]) -> (x)\nx = Relu(v)\n"), on(another));
    const NamedValues v{{"v", counted({4})}};
    const RunResult expected = session.run({{"x", maker.run(v).outputs[0].second}});

    RunOptions options;
    options.device_inputs = {{"x", maker.run(v, keeps({"x"})).residents[0].value}};
    RunResult result = session.run({}, options);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_TRUE(same_contents(output(result, i), output(expected, i)));
    ASSERT_EQ(result.not_resident.size(), 1u);
    EXPECT_NE(result.not_resident[0].reason.find("reads it in host memory"), std::string::npos);

    options.device_inputs = {{"v", elsewhere.run(v, keeps({"x"})).residents[0].value}};
    result = maker.run({}, options);
    EXPECT_EQ(result.not_resident[0].reason, "it lies on \"second\" as another session opened it");
    EXPECT_EQ(result.copied.to_host, 32u);  // the copy that was taken, and the output
    EXPECT_TRUE(same_contents(output(result), maker.run(v).outputs[0].second.tensor()));
}

TEST(ResidentValues, ShapesAreKnownOnTheHost) {
    Session session = Session::compile(model_of(R"((x: f32[n,4]) -> (y, s)
        y = Relu(x)
        s = Shape(y)
)"),
                                       on(takes_all()));
    RunOptions options = keeps({"y"});
    for (const std::int64_t n : {3, 3, 3, 5}) {
        options.device_inputs = {{"x", session.to_device("x", counted({n, 4}))}};
        const RunResult result = session.run({}, options);
        EXPECT_EQ(to_int64s(output(result, 1)), (std::vector<std::int64_t>{n, 4}));
        EXPECT_EQ(result.copied.to_host, 0u);
    }
}

TEST(ResidentValues, ExtraOutputsAndRepetitions) {
    Session session = Session::compile(model_of(growing), on(takes_all()));
    RunOptions options = keeps({"present"});
    options.extra_outputs = {"present", "past"};
    options.device_inputs = {{"past", session.to_device("past", counted({2, 4}))}};
    options.repetitions = 3;
    options.profile = true;
    const RunResult result = session.run({{"x", counted({1, 4})}}, options);
    EXPECT_TRUE(result.outputs[1].second.is_empty());
    ASSERT_EQ(result.outputs.size(), 4u);
    EXPECT_TRUE(same_contents(output(result, 2), result.residents[0].value.to_host()));
    EXPECT_TRUE(same_contents(output(result, 3), counted({2, 4})));
}

TEST(ResidentValues, WrongOnesAreRefused) {
    Session session = Session::compile(model_of(growing), on(takes_all()));
    const NamedValues x{{"x", counted({1, 4})}};
    const auto refusal = [&](const NamedValues& inputs, const std::string& name,
                             const DeviceValue& value, std::vector<std::string> kept = {}) {
        RunOptions options = keeps(std::move(kept));
        options.device_inputs = {{name, value}};
        return message_of([&] { session.run(inputs, options); });
    };
    const DeviceValue good = session.to_device("past", counted({2, 4}));
    EXPECT_EQ(refusal(x, "future", good),
              "the model has no input \"future\"; its inputs are \"x\", \"past\"");
    EXPECT_EQ(refusal(x, "present", good),
              "the model has no input \"present\"; its inputs are \"x\", \"past\"");
    EXPECT_EQ(refusal(x, "x", good), "input \"x\" is given twice");
    EXPECT_EQ(refusal({}, "past", good), "no value given for input \"x\" f32[1,4]");
    EXPECT_EQ(refusal(x, "past", {}), "the value on a device for input \"past\" is absent");
    EXPECT_EQ(refusal(x, "past", session.to_device("past", counted({2, 5}))),
              "input \"past\": expected f32[p,4], found f32[2,5]");
    EXPECT_EQ(refusal(x, "past", session.to_device("past", Tensor(DType::f64, {2, 4}))),
              "input \"past\": expected f32[p,4], found f64[2,4]");
    EXPECT_EQ(refusal(x, "past", good, {"future"}),
              "the model has no output \"future\"; its outputs are \"y\", \"present\"");
    EXPECT_EQ(refusal(x, "past", good, {"y", "y"}), "output \"y\" is to stay on the device twice");
    EXPECT_EQ(message_of([&] {
                  session.to_device("future", counted({2, 4}));
              }),
              "the model has no input \"future\"");
    RunOptions both = keeps({"y"});
    both.output_buffers = {{"y", counted({1, 4})}};
    both.device_inputs = {{"past", good}};
    EXPECT_EQ(message_of([&] { session.run(x, both); }),
              "output \"y\" is to stay on the device and has a buffer in host memory: expected one "
              "of the two");
    RunOptions right;
    right.device_inputs = {{"past", good}};
    EXPECT_NO_THROW(session.run(x, right));
}

TEST(CachePairs, AreFoundByNameTypeAndRank) {
    const auto pairs_of = [](const std::string& text) {
        Model model = *model_of(text);
        infer_types(model);
        std::string found;
        for (const CachePair& pair : find_cache_pairs(model))
            found += (found.empty() ? "" : " ") + pair.output + "=" + pair.input;
        return found;
    };
    EXPECT_EQ(
        pairs_of(
            "(past_key_values.0.key: f32[p,4], past_key_values.1.key: f32[p,4]) -> (present.1.key, "
            "present.0.key)\npresent.0.key = Relu(past_key_values.0.key)\n"
            "present.1.key = Relu(past_key_values.1.key)\n"),
        "present.1.key=past_key_values.1.key present.0.key=past_key_values.0.key");
    EXPECT_EQ(pairs_of("(past_0: f32[p,4]) -> (present_0)\npresent_0 = Relu(past_0)\n"),
              "present_0=past_0");
    EXPECT_EQ(pairs_of("(past_0: f32[p,4]) -> (present_1)\npresent_1 = Relu(past_0)\n"), "");
    EXPECT_EQ(
        pairs_of(
            "(past_0: f32[p,4]) -> (present_0)\npresent_0 = ReduceSum(past_0) {keepdims: 0}\n"),
        "");
    EXPECT_EQ(pairs_of("(past_0: f32[p,4]) -> (present_0)\npresent_0 = Cast(past_0) {to: 10}\n"),
              "");
    EXPECT_EQ(pairs_of("(x: f32[p,4]) -> (y)\ny = Relu(x)\n"), "");
}

TEST(ResidentValues, OfSeveralRunsAtATime) {
    const ProviderPtr provider = takes_all();
    {
        Session session = Session::compile(model_of(growing), on(provider));
        std::vector<std::thread> threads;
        std::vector<std::string> failures(4);
        for (std::size_t t = 0; t < failures.size(); ++t)
            threads.emplace_back([&, t] {
                const auto first = static_cast<float>(100 * t);
                RunOptions options = keeps({"present"});
                options.device_inputs = {
                    {"past", session.to_device("past", counted({1, 4}, first))}};
                float expected = first;
                for (int i = 0; i < 12; ++i) {
                    const auto from = static_cast<float>(i);
                    const RunResult result = session.run({{"x", counted({1, 4}, from)}}, options);
                    expected += from;
                    if (output(result).data<float>()[0] != expected)
                        failures[t] = "step " + std::to_string(i);
                    options.device_inputs = {{"past", result.residents[0].value}};
                }
            });
        for (std::thread& thread : threads) thread.join();
        for (const std::string& failure : failures) EXPECT_EQ(failure, "");
    }
    EXPECT_EQ(provider->counts().blocks, 0);
}

}  // namespace
}  // namespace lapidary::test
