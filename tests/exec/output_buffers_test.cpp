// SPDX-License-Identifier: Apache-2.0
// Outputs in memory of the caller: kernels write there if the plan allows it; otherwise they are
// copied, which is reported.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "second_provider.h"

namespace lapidary::test {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 18;
    model->graph = parse_graph(text, {.opset = 18});
    return model;
}

Tensor counted(Shape shape) {
    Tensor tensor(DType::f32, std::move(shape));
    float next = -3;
    for (float& x : tensor.mutable_data<float>()) x = next++;
    return tensor;
}

/// 64-byte aligned memory of the caller, with space on both sides that must not be written.
class OwnMemory {
public:
    OwnMemory(DType dtype, Shape shape, std::size_t offset = 0)
        : bytes_(storage_bytes(dtype, element_count(shape))),
          size_((bytes_ + offset + 191) / 64 * 64),
          memory_(static_cast<std::byte*>(::operator new(size_, alignment))), offset_(64 + offset) {
        std::fill_n(memory_, size_, guard);
        tensor_ = Tensor::borrow(dtype, std::move(shape), memory_ + offset_, nullptr);
    }
    ~OwnMemory() { ::operator delete(memory_, alignment); }
    OwnMemory(const OwnMemory&) = delete;
    OwnMemory& operator=(const OwnMemory&) = delete;
    const Tensor& tensor() const { return tensor_; }
    void clear() { std::fill_n(memory_ + offset_, bytes_, guard); }
    bool is_whole() const {
        return std::all_of(memory_, memory_ + offset_, [](std::byte b) { return b == guard; }) &&
               std::all_of(memory_ + offset_ + bytes_, memory_ + size_,
                           [](std::byte b) { return b == guard; });
    }

private:
    static constexpr std::byte guard{0xa5};
    static constexpr std::align_val_t alignment{64};
    std::size_t bytes_, size_;
    std::byte* memory_;
    std::size_t offset_;
    Tensor tensor_;
};

std::string message_of(const std::function<void()>& f) {
    try {
        f();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::invalid_input);
        return e.message();
    }
    return "nothing was thrown";
}

const char* const two_outputs = R"((x: f32[n,4]) -> (a, b)
    a = Relu(x)
    b = Tanh(x)
)";

/// Runs with buffers several times, because the first run of a shape has no plan yet. Results must
/// be the same as without buffers, written in place, and nothing else written.
void expect_in_place(Session& session, const NamedValues& inputs) {
    const RunResult expected = session.run(inputs);
    std::vector<std::unique_ptr<OwnMemory>> own;
    RunOptions options;
    for (const auto& [name, value] : expected.outputs) {
        own.push_back(std::make_unique<OwnMemory>(value.tensor().dtype(), value.tensor().shape()));
        options.output_buffers.push_back({name, own.back()->tensor()});
    }
    RunResult result;
    for (int run = 0; run < 4; ++run) {
        for (auto& memory : own) memory->clear();
        session.run(inputs, options, result);
        EXPECT_TRUE(result.copied_outputs.empty())
            << "run " << run << ", " << result.copied_outputs.front().name << ": "
            << result.copied_outputs.front().reason;
        for (std::size_t i = 0; i < own.size(); ++i) {
            EXPECT_EQ(result.outputs[i].second.tensor().raw(), own[i]->tensor().raw())
                << "run " << run;
            EXPECT_TRUE(same_contents(own[i]->tensor(), expected.outputs[i].second.tensor()))
                << "run " << run;
            EXPECT_TRUE(own[i]->is_whole()) << "run " << run;
        }
    }
    const RunResult after = session.run(inputs);  // without buffers again
    for (std::size_t i = 0; i < own.size(); ++i) {
        EXPECT_NE(after.outputs[i].second.tensor().raw(), own[i]->tensor().raw());
        EXPECT_TRUE(
            same_contents(after.outputs[i].second.tensor(), expected.outputs[i].second.tensor()));
    }
}

TEST(OutputBuffers, KernelsWriteThere) {
    for (const ExecutionMode mode : {ExecutionMode::sequential, ExecutionMode::parallel})
        for (const bool plans : {true, false}) {
            SessionOptions options;
            options.resources.mode = mode;
            options.enable_mem_pattern = plans;
            options.check_writes = true;
            Session session = Session::compile(model_of(two_outputs), options);
            expect_in_place(session, {{"x", counted({2, 4})}});
            expect_in_place(session, {{"x", counted({5, 4})}});
        }
}

TEST(OutputBuffers, OfSampleModels) {
    for (const char* name : {"bert-tiny", "squeezenet"}) {
        auto model = std::make_shared<const Model>(build_sample(name));
        Session session = Session::compile(model);
        expect_in_place(session, generate_inputs(*model));
    }
}

TEST(OutputBuffers, SomeOfTheOutputs) {
    Session session = Session::compile(model_of(two_outputs));
    const NamedValues inputs{{"x", counted({2, 4})}};
    OwnMemory own(DType::f32, {2, 4});
    RunOptions options;
    options.output_buffers = {{"b", own.tensor()}};
    for (int run = 0; run < 3; ++run) {
        const RunResult result = session.run(inputs, options);
        EXPECT_EQ(result.outputs[1].second.tensor().raw(), own.tensor().raw());
        EXPECT_NE(result.outputs[0].second.tensor().raw(), own.tensor().raw());
        EXPECT_TRUE(result.copied_outputs.empty());
    }
}

/// One output that no kernel can write in place: the result is right nevertheless, and the reason
/// is reported.
std::string reason_of(const std::string& text, const NamedValues& inputs, const Tensor& buffer) {
    Session session = Session::compile(model_of(text));
    const RunResult expected = session.run(inputs);
    RunOptions options;
    options.output_buffers = {{expected.outputs.at(0).first, buffer}};
    std::string reason;
    for (int run = 0; run < 3; ++run) {
        const RunResult result = session.run(inputs, options);
        EXPECT_TRUE(same_contents(buffer, expected.outputs[0].second.tensor())) << "run " << run;
        EXPECT_EQ(result.outputs[0].second.tensor().raw(), buffer.raw());
        if (result.copied_outputs.size() == 1) reason = result.copied_outputs[0].reason;
        else ADD_FAILURE() << "run " << run << ": " << result.copied_outputs.size() << " copied";
    }
    return reason;
}

TEST(OutputBuffers, CopiesAreReported) {
    const Tensor x = counted({2, 4});
    const OwnMemory odd(DType::f32, {2, 4}, 4), plain(DType::f32, {2, 4});
    EXPECT_EQ(reason_of("(x: f32[2,4]) -> (y)\n y = Relu(x)\n", {{"x", x}}, odd.tensor()),
              "the memory does not begin at a multiple of 64 bytes");
    EXPECT_EQ(reason_of("(x: f32[2,4]) -> (x)\n", {{"x", x}}, plain.tensor()),
              "the output is an input or a constant of the graph");
}

// The same buffer as input and output cache: elements must not be written before they are read.
TEST(OutputBuffers, MemoryOfAnInputIsWrittenAtTheEnd) {
    const char* const text =
        "(x: f32[2,4]) -> (y)\n t = Neg(x)\n y = Transpose(t) {perm: [0, 1]}\n";
    Session session = Session::compile(model_of(text));
    const OwnMemory both(DType::f32, {2, 4});
    Tensor start = both.tensor();
    std::ranges::copy(counted({2, 4}).data<float>(), start.mutable_data<float>().begin());
    const Tensor before = start.clone();
    RunOptions options;
    options.output_buffers = {{"y", both.tensor()}};
    for (int run = 0; run < 4; ++run) {
        const RunResult result = session.run({{"x", both.tensor()}}, options);
        ASSERT_EQ(result.copied_outputs.size(), 1u);
        EXPECT_EQ(result.copied_outputs[0].reason, "the memory overlaps that of input \"x\"");
        for (std::size_t i = 0; i < 8; ++i)
            EXPECT_EQ(both.tensor().data<float>()[i], (run % 2 ? 1 : -1) * before.data<float>()[i]);
    }
}

// A sequence that holds the output must not change with the caller's memory.
TEST(OutputBuffers, OtherOutputsDoNotShareThem) {
    Session session = Session::compile(
        model_of("(x: f32[2,4]) -> (y, s)\n y = Relu(x)\n s = SequenceConstruct(y)\n"));
    OwnMemory own(DType::f32, {2, 4});
    RunOptions options;
    options.output_buffers = {{"y", own.tensor()}};
    for (int run = 0; run < 3; ++run) {
        const RunResult result = session.run({{"x", counted({2, 4})}}, options);
        const Tensor expected = own.tensor().clone();
        own.clear();
        EXPECT_TRUE(
            same_contents(result.outputs[1].second.sequence().items.at(0).tensor(), expected))
            << run;
    }
}

TEST(OutputBuffers, OfAnotherProviderAreCopied) {
    SessionOptions options;
    options.providers = {
        std::make_shared<SecondProvider>(rule_of([](const Node&) { return true; }))};
    Session session = Session::compile(model_of(two_outputs), options);
    const NamedValues inputs{{"x", counted({2, 4})}};
    const RunResult expected = session.run(inputs);
    const OwnMemory own(DType::f32, {2, 4});
    RunOptions with;
    with.output_buffers = {{"a", own.tensor()}};
    session.run(inputs, with);
    EXPECT_TRUE(same_contents(own.tensor(), expected.outputs[0].second.tensor()));
}

TEST(OutputBuffers, RefusesWhatDoesNotFit) {
    Session session = Session::compile(model_of(two_outputs));
    const NamedValues inputs{{"x", counted({2, 4})}};
    const OwnMemory own(DType::f32, {2, 4});
    const auto refusal = [&](std::vector<OutputBuffer> buffers) {
        RunOptions options;
        options.output_buffers = std::move(buffers);
        return message_of([&] { session.run(inputs, options); });
    };
    EXPECT_EQ(refusal({{"c", own.tensor()}}),
              "the model has no output \"c\"; its outputs are \"a\", \"b\"");
    EXPECT_EQ(refusal({{"a", own.tensor()}, {"a", own.tensor()}}),
              "the buffer of output \"a\" is given twice");
    EXPECT_EQ(refusal({{"a", own.tensor()}, {"b", own.tensor()}}),
              "the buffer of output \"b\" overlaps that of output \"a\"");
    EXPECT_EQ(refusal({{"a", Tensor(DType::f64, {2, 4})}}),
              "the buffer of output \"a\": expected f32[n,4], found f64[2,4]");
    EXPECT_EQ(refusal({{"a", Tensor(DType::f32, {2, 5})}}),
              "the buffer of output \"a\": expected f32[n,4], found f32[2,5]");
    EXPECT_EQ(refusal({{"a", Tensor()}}), "the buffer of output \"a\" holds no numbers");
    for (int run = 0; run < 2; ++run)
        EXPECT_EQ(refusal({{"a", Tensor(DType::f32, {3, 4})}}),
                  "the buffer of output \"a\" is f32[3,4], the output is tensor f32[2,4]");
    EXPECT_EQ(session.run(inputs).outputs.size(), 2u) << "the session goes on";
}

}  // namespace
}  // namespace lapidary::test
