// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's own format: models written by the FlatBuffers library come back as they were; what
// is damaged, of an unknown version, or says less than a graph needs is refused, quickly and by
// name.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <random>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "support/ort_writer.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

using test::OrtFileFlaws;
using test::ort_file_of;

Model model_of(const std::string& text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    model.graph = parse_graph(text, {.opset = opset});
    return model;
}

const char* const branches = R"((x: f32[batch,3], c: bool[]) -> (r, s, k)
    w = Mul(x, scale: f32[3]{1.0, 2.0, 3.0}) as "first"
    p = Pad(w, ends: i64[4]{0, 1, 0, 1}, _) {mode: "reflect"}
    r = If(c) {then_branch: graph { () -> (y)  y = Add(w, one: f32[]{1.0}) },
               else_branch: graph { () -> (z)  z = Neg(w) }}
    s = Concat(p, w) {axis: 1}
    k = Constant() {value: i64[2]{3, 4}}
)";

class OrtFormat : public ::testing::Test {
protected:
    void SetUp() override {
        if (!test::can_write_ort())
            GTEST_SKIP() << "the tests were compiled without libflatbuffers-dev";
    }
    static Model load(const std::vector<std::byte>& bytes) { return load_model_from_memory(bytes); }
    /// An exception of any other type ends the test as failed.
    static Error refusal(const std::vector<std::byte>& bytes) {
        LoadOptions options;
        options.infer_types = false;  // as far as reading goes
        try {
            load_model_from_memory(bytes, options);
        } catch (const Error& e) { return e; }
        return Error(ErrorCode::internal, "it was loaded");
    }
    static void expect_refusal(const OrtFileFlaws& flaws, ErrorCode code, const std::string& words,
                               const char* text = branches) {
        const Error error = refusal(ort_file_of(model_of(text), flaws));
        EXPECT_EQ(error.code(), code) << error.what();
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
    std::filesystem::path write(const std::vector<std::byte>& bytes,
                                const char* name = "net.ort") const {
        std::ofstream(folder_ / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return folder_ / name;
    }
    TemporaryFolder folder_;
};

TEST_F(OrtFormat, GivesTheGraphThatWasWritten) {
    Model written = model_of(branches);
    written.producer_name = "somebody";
    written.producer_version = "1.2";
    written.doc = "of the model";
    written.model_version = 7;
    written.metadata = {{"labels", "cat,dog"}};
    written.opset_imports["com.microsoft"] = 1;
    const Model read = load(ort_file_of(written));
    EXPECT_EQ(print_graph(read.graph), print_graph(written.graph));
    EXPECT_EQ(read.opset_imports, written.opset_imports);
    EXPECT_EQ(read.producer_name, "somebody");
    EXPECT_EQ(read.producer_version, "1.2");
    EXPECT_EQ(read.doc, "of the model");
    EXPECT_EQ(read.model_version, 7);
    EXPECT_EQ(read.metadata, written.metadata);
    EXPECT_EQ(read.ir_version, written.ir_version);
    EXPECT_TRUE(read.warnings.empty()) << read.warnings.front().message;
    EXPECT_EQ(read.external_bytes, 0u);
}

TEST_F(OrtFormat, GivesAttributesAndTensorsOfEachKind) {
    const Model written = model_of(R"((x: f32[2]) -> (a, b)
        a = LabelsOf(x, words: string[2]{"cat", "dog"}, half: f16[2]{1.0, 2.0}, none: f32[0]{}) {i: 3, f: 0.5, zero: 0,
            s: "text", is: [1, -2], fs: [0.5, 1.5], ss: ["p", "q"], t: f64[3]{1.0, 2.0, 3.0}}
        b = com.microsoft::Gelu(x)
    )");
    const Model read = load(ort_file_of(written));
    EXPECT_EQ(print_graph(read.graph), print_graph(written.graph));
}

// ONNX Runtime stores nodes by their index, which says nothing of the order.
TEST_F(OrtFormat, TakesNodesInAnyOrderWithoutAWarning) {
    const Model read = load(ort_file_of(model_of(branches), {.backwards = true}));
    EXPECT_EQ(read.graph.nodes().size(), model_of(branches).graph.nodes().size());
    EXPECT_TRUE(read.warnings.empty()) << read.warnings.front().message;
}

TEST_F(OrtFormat, IsKnownByItsContentAndComputesTheSame) {
    for (const char* name : {"mlp", "lenet", "lstm"}) {
        const auto model = std::make_shared<const Model>(build_sample(name));
        const auto file = write(ort_file_of(*model), "net.bin");
        EXPECT_TRUE(is_ort_format(file));
        const auto read = std::make_shared<const Model>(load_model(file));
        EXPECT_EQ(read->file_bytes, std::filesystem::file_size(file));
        const NamedValues inputs = generate_inputs(*model);
        const NamedValues expected = Session::compile(model).run(inputs).outputs;
        const NamedValues found = Session::compile(read).run(inputs).outputs;
        ASSERT_EQ(found.size(), expected.size()) << name;
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_TRUE(same_contents(found[i].second.tensor(), expected[i].second.tensor()))
                << name;
    }
    save_model(model_of(branches), folder_ / "net.onnx");
    EXPECT_FALSE(is_ort_format(folder_ / "net.onnx"));
    EXPECT_FALSE(is_ort_format(folder_ / "missing"));
    EXPECT_FALSE(is_ort_format(folder_.path()));
}

TEST_F(OrtFormat, SavesAsOnnx) {
    const Model read = load(ort_file_of(model_of(branches)));
    save_model(read, folder_ / "net.onnx");
    EXPECT_EQ(print_graph(load_model(folder_ / "net.onnx").graph), print_graph(read.graph));
}

TEST_F(OrtFormat, RefusesWhatItDoesNotKnow) {
    using enum ErrorCode;
    expect_refusal({.version = "7"}, not_supported,
                   "version 7 of the ORT format is not known, expected 1 to 6");
    expect_refusal({.version = "0"}, not_supported, "version 0");
    expect_refusal({.version = "six"}, invalid_model, "\"six\"");
    expect_refusal({.version = {}}, invalid_model, "version");
    expect_refusal({.without_model = true}, invalid_model, "InferenceSession.model");
    expect_refusal({.compiled_nodes = true}, not_supported, "NpuExecutionProvider");
    expect_refusal({.external_data = true}, not_supported, "another file");
    expect_refusal({.attribute_type = 11}, not_supported, "11");
    expect_refusal({.attribute_type = 99}, invalid_model, "99");
    expect_refusal({.raw_bytes_less = 1}, invalid_model, "raw_data has");
    for (const char* version : {"1", "2", "3", "4", "5", "6"})
        EXPECT_EQ(
            load(ort_file_of(model_of(branches), {.version = version})).graph.outputs().size(), 3u)
            << version;
}

TEST_F(OrtFormat, WarnsOfOptimizationsThatItDoesNotUse) {
    const Model read = load(ort_file_of(model_of(branches), {.runtime_optimizations = true}));
    ASSERT_FALSE(read.warnings.empty());
    EXPECT_NE(read.warnings.front().message.find("optimizations"), std::string::npos);
}

// A few hundred bytes that stand for 2^30 graphs, and tensors that all name the same bytes.
TEST_F(OrtFormat, RefusesPartsThatAreSharedWithoutEnd) {
    const char* const one_node = "(x: f32[2]) -> (y)\n y = Relu(x)";
    const auto begin = std::chrono::steady_clock::now();
    expect_refusal({.shared_branches = 30}, ErrorCode::invalid_model, "again and again", one_node);
    expect_refusal({.shared_branches = 40}, ErrorCode::limit_exceeded, "nest deeper", one_node);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(taken.count(), 2 * wall_factor);
    std::string text = "(x: f32[256]) -> (v99)\n v0 = Add(x, w0: f32[256])\n";
    for (int i = 1; i < 100; ++i)
        text += "v" + std::to_string(i) + " = Add(v" + std::to_string(i - 1) + ", w" +
                std::to_string(i) + ": f32[256])\n";
    expect_refusal({.raw_data_shared = true}, ErrorCode::invalid_model, "same bytes", text.c_str());
}

TEST_F(OrtFormat, RefusesEveryFileThatWasCutOff) {
    const std::vector<std::byte> whole = ort_file_of(model_of(branches));
    for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
        const Error error =
            refusal({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
        // The library lays parts out from the end: what a cut takes away first is padding and names
        // of the model.
        EXPECT_NE(error.code(), ErrorCode::limit_exceeded) << size;
        EXPECT_TRUE(error.message() != "it was loaded" || size > whole.size() / 2) << size;
    }
}

TEST_F(OrtFormat, EndsWithASentenceWhateverByteIsDamaged) {
    const std::vector<std::byte> whole = ort_file_of(model_of(branches));
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const unsigned value : {0x00u, 0x7fu, 0xffu}) {
            std::vector<std::byte> bytes = whole;
            bytes[at] = static_cast<std::byte>(value);
            const Error error = refusal(bytes);
            if (error.message() == "it was loaded") continue;
            ++refused;
            ASSERT_NE(error.code(), ErrorCode::internal) << at << ": " << error.what();
        }
    EXPECT_GT(refused, whole.size());
}

// Weights and names included, several places at a time.
TEST_F(OrtFormat, EndsWithASentenceWhereverALargerFileIsDamaged) {
    const std::vector<std::byte> whole = ort_file_of(build_sample("lstm"));
    std::mt19937_64 random(7);
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<std::byte> bytes = whole;
        for (std::uint64_t place = 0; place < 1 + trial % 20u; ++place) {
            const std::size_t at = 8 + random() % (bytes.size() - 8);
            bytes[at] = static_cast<std::byte>(random());
        }
        if (trial % 3 == 0) bytes.resize(8 + random() % (bytes.size() - 8));
        const Error error = refusal(bytes);
        ASSERT_TRUE(error.message() == "it was loaded" || error.code() != ErrorCode::internal)
            << trial << ": " << error.what();
    }
}

// Offsets are unsigned: four bytes reach 4 GB past the end.
TEST_F(OrtFormat, RefusesOffsetsOutOfTheFile) {
    const std::vector<std::byte> whole = ort_file_of(model_of(branches));
    for (std::size_t at = 0; at + 4 <= whole.size(); at += 4)
        for (const std::uint32_t value : {0u, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu}) {
            std::vector<std::byte> bytes = whole;
            if (at != 4) std::memcpy(bytes.data() + at, &value, sizeof(value));
            const Error error = refusal(bytes);
            ASSERT_TRUE(error.message() == "it was loaded" || error.code() != ErrorCode::internal)
                << at;
        }
}

TEST_F(OrtFormat, ReadsFilesAtAnyAlignment) {
    const std::vector<std::byte> whole = ort_file_of(model_of(branches));
    for (std::size_t shift = 1; shift < 8; ++shift) {
        std::vector<std::byte> moved(shift);
        moved.insert(moved.end(), whole.begin(), whole.end());
        const Model read = load_model_from_memory(std::span(moved).subspan(shift));
        EXPECT_EQ(print_graph(read.graph), print_graph(model_of(branches).graph));
    }
}

}  // namespace
}  // namespace lapidary
