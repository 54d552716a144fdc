// SPDX-License-Identifier: Apache-2.0
// Products that are tuned, with a library that stands in for cuBLASLt: the way that is measured to be the fastest is
// taken and kept in a file, which is refused where it does not fit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <dlfcn.h>
#include <unistd.h>

#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/infer.h>
#include <lapidary/profile.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;
using Options = std::map<std::string, std::string>;

ModelPtr model_of_text(const char* graph) {
    Model model = model_of(graph);
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

class Tuning : public testing::Test {
protected:
    void SetUp() override {
        if (is_on_gpu()) GTEST_SKIP() << "the library that stands in is for the emulated device";
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() / ("lapidary_tuning_" + std::to_string(::getpid()) + "_" + test->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override {
        ::unsetenv("LAPIDARY_FAKE_CUBLASLT_DELAY_US");
        fs::remove_all(folder_);
    }
    fs::path file() const { return folder_ / "below" / "products.tuning"; }
    Session session_of(const ModelPtr& model, Options more) const {
        Options all{{"tune", "on"}, {"tune_file", file().string()}, {"cublaslt", LAPIDARY_FAKE_CUBLASLT}};
        for (const auto& [key, value] : more) all[key] = value;
        SessionOptions options;
        options.providers.push_back(emulated_provider(all));
        options.session_passes.set = SessionPasses::Set::all;
        return Session::compile(model, options);
    }
    static std::string note_of(Session& session, const NamedValues& inputs) {
        RunOptions options;
        options.profile = true;
        return session.run(inputs, options).profile->note;
    }
    std::string text() const {
        std::ifstream in(file());
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }
    void write(const std::string& text) const {
        fs::create_directories(file().parent_path());
        std::ofstream(file()) << text;
    }
    /// What opening a provider with these options says.
    std::string refusal(const Options& options) const {
        try {
            session_of(model_of_text("(x: f32[2,3]) -> (y)\ny = Relu(x)"), options);
            return "it was opened";
        } catch (const Error& error) { return error.what(); }
    }
    static int products() {
        void* const library = ::dlopen(LAPIDARY_FAKE_CUBLASLT, RTLD_NOW | RTLD_NOLOAD);
        return library ? *static_cast<int*>(::dlsym(library, "lapidary_fake_cublaslt_products")) : 0;
    }
    static void expect_right(Session& session, const ModelPtr& model, const Tolerance& tolerance = exact_arithmetic) {
        Session reference = Session::compile(model, reference_options());
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {  // they are replayed from the third on
            const NamedValues inputs = generate_inputs(*model, {}, {.seed = seed});
            const NamedValues expected = reference.run(inputs).outputs;
            for (const OutputComparison& o : compare_outputs(session.run(inputs).outputs, expected, tolerance))
                EXPECT_TRUE(o.comparison.matches) << "seed " << seed << ": " << o.comparison.reason;
        }
    }

private:
    fs::path folder_;
};

/// What tensor cores do in one step takes the emulated device many: the library is far ahead, whatever else the machine
/// does.
const char* const epilogue =
    "(a: f32[70,640], r: f32[70,70]) -> (y)\np = MatMul(a, w: f32[640,70])\nq = Add(p, c: f32[70])\ns = Add(q, r)\n"
    "y = Relu(s)";
constexpr Tolerance of_tf32{1e-2, 1e-3, true};

TEST_F(Tuning, TheLibraryIsTakenWhereItWasFaster) {
    const ModelPtr model = model_of_text(epilogue);
    for (const char* order : {"0", "1", "2"}) {
        fs::remove(file());
        Session session = session_of(model, {{"order", order}, {"precision", "tf32"}});
        expect_right(session, model, of_tf32);
        EXPECT_NE(text().find(" library "), std::string::npos) << text();
        EXPECT_EQ(text().rfind("lapidary cuda tuning 1\ndevice Emulated CUDA device\ndriver none\nlibrary cuBLASLt "
                               "12.3.4\n",
                               0),
                  0u)
            << text();
        const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
        EXPECT_NE(note.find("1 of 1 product as measured, 1 by cuBLASLt 12.3.4"), std::string::npos) << note;
    }
}

TEST_F(Tuning, OwnKernelsAreTakenWhereTheyWereFaster) {
    ::setenv("LAPIDARY_FAKE_CUBLASLT_DELAY_US", "400000", 1);
    const ModelPtr model = model_of_text("(a: f32[20,40], b: f32[40,30]) -> (y)\ny = MatMul(a, b)");
    Session session = session_of(model, {});
    expect_right(session, model);
    EXPECT_NE(text().find(" own "), std::string::npos) << text();
    const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
    EXPECT_NE(note.find("1 of 1 product as measured, 0 by cuBLASLt"), std::string::npos) << note;
}

TEST_F(Tuning, WhatWasMeasuredIsUsedAndNotMeasuredAgain) {
    const ModelPtr model = model_of_text(epilogue);
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    session_of(model, {{"precision", "tf32"}}).run(inputs);
    const std::string before = text();
    for (const char* tune : {"use", "on"}) {
        Session session = session_of(model, {{"tune", tune}, {"precision", "tf32"}, {"graphs", "off"}});
        const int launched = products();
        session.run(inputs);
        EXPECT_EQ(products(), launched + 1) << tune;
        EXPECT_EQ(text(), before);
    }
    // what is not in the file goes as without tuning, and nothing is written
    const ModelPtr other = model_of_text("(a: f32[20,40], b: f32[40,30]) -> (y)\ny = MatMul(a, b)");
    Session session = session_of(other, {{"tune", "use"}});
    const int launched = products();
    expect_right(session, other);
    EXPECT_EQ(products(), launched);
    EXPECT_EQ(text(), before);
}

TEST_F(Tuning, NothingIsMeasuredUnlessAskedFor) {
    const ModelPtr model = model_of_text(epilogue);
    const int launched = products();
    Session session = session_of(model, {{"tune", "off"}});
    expect_right(session, model);
    EXPECT_EQ(products(), launched);
    EXPECT_FALSE(fs::exists(file()));
}

TEST_F(Tuning, OperandsLieAsTheyLike) {
    const char* const graphs[] = {
        "(a: f32[37,130]) -> (y)\ny = Gemm(a, b: f32[41,130], c: f32[41]) {transB: 1, alpha: 0.5, beta: 2.0}",
        "(a: f32[130,37]) -> (y)\ny = Gemm(a, b: f32[130,41], c: f32[37,1]) {transA: 1}",
        "(a: f32[3,20,90], b: f32[3,90,40]) -> (y)\ny = MatMul(a, b)",
        "(a: f32[2,1,20,9], b: f32[3,9,40]) -> (y)\ny = MatMul(a, b)",  // batches along two axes: none for the library
        "(a: f32[20,90], b: f32[90,13]) -> (y)\ny = MatMul(a, b)",     // it has no algorithm for it
        "(a: f32[3,300]) -> (y)\ny = MatMul(a, b: f32[300,77])",
        "(a: f32[20,0], b: f32[0,17]) -> (y)\ny = MatMul(a, b)",
    };
    for (const char* graph : graphs) {
        SCOPED_TRACE(graph);
        const ModelPtr model = model_of_text(graph);
        for (const char* order : {"0", "1", "2"}) {
            Session session = session_of(model, {{"order", order}});
            expect_right(session, model);
        }
    }
    const ModelPtr halves = model_of_text("(a: f16[70,72], b: f16[72,136]) -> (y)\ny = MatMul(a, b)");
    Session session = session_of(halves, {});
    expect_right(session, halves, {2e-3, 1e-3, true});
    EXPECT_NE(text().find("f16_2_1_70_136_72_"), std::string::npos) << text();
}

/// Split sums are measured beside whole ones, and all ways give what the reference gives.
TEST_F(Tuning, ConvolutionsAndAttentionAreMeasured) {
    const char* const graphs[] = {
        "(x: f32[1,64,4,5], r: f32[1,20,4,5]) -> (y)\na = Conv(x, w: f32[20,64,3,3], c: f32[20]) {pads: [1,1,1,1]}\n"
        "b = Add(a, r)\ny = Relu(b)",
        "(x: f32[2,12,6,5]) -> (y)\ny = Conv(x, w: f32[8,6,3,3]) {group: 2}",
        "(x: f32[1,24,5,5]) -> (y)\ny = Conv(x, w: f32[8,24,3,3])",
        "(x: f32[1,64,9,8]) -> (y)\na = Conv(x, w: f32[64,64,3,3]) {pads: [1,1,1,1]}\n"
        "y = Conv(a, v: f32[24,64,3,3], c: f32[24])",
        "(q: f32[1,2,1,16], k: f32[1,2,333,16], v: f32[1,2,333,20], m: f32[1,1,1,333]) -> (y)\n"
        "t = Transpose(k) {perm: [0,1,3,2]}\np = MatMul(q, t)\na = Add(p, m)\nw = Softmax(a)\ny = MatMul(w, v)"};
    for (const char* graph : graphs) {
        SCOPED_TRACE(graph);
        const ModelPtr model = model_of_text(graph);
        for (const char* order : {"0", "1", "2"}) {
            Session session = session_of(model, {{"order", order}});
            expect_right(session, model);
            Session halves = session_of(model, {{"order", order}, {"precision", "fp16"}});
            expect_right(halves, model, {3e-2, 5e-3, true});
        }
    }
    for (const char* part : {"conv_f32_0_1_1_64_20_", "conv_f32_0_2_2_", "conv_f16_last_2_1_1_64_64_",
                             "attention_f32_1_2_"})
        EXPECT_NE(text().find(part), std::string::npos) << part << " in\n" << text();
    std::size_t ways = 0;
    for (const char* way : {" own ", " unsplit ", " fewer ", " more "}) ways += text().find(way) != std::string::npos;
    EXPECT_EQ(ways, 4u) << text();
    // taken as they stand in the file
    std::string other = text();
    for (std::size_t at = 0; (at = other.find("conv_", at)) != std::string::npos; ++at) {
        const std::size_t word = other.find(' ', at) + 1;
        other.replace(word, other.find(' ', word) - word, "unsplit");
    }
    write(other);
    const ModelPtr model = model_of_text(graphs[0]);
    Session session = session_of(model, {{"tune", "use"}, {"graphs", "off"}});
    expect_right(session, model);
    const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
    EXPECT_NE(note.find("1 of 1 convolution or attention as measured"), std::string::npos) << note;
}

TEST_F(Tuning, AFileThatDoesNotFitIsRefusedWithTheReason) {
    const std::string head = "lapidary cuda tuning 1\ndevice Emulated CUDA device\ndriver none\n";
    const auto refused = [&](const std::string& contents, const std::string& reason) {
        write(contents);
        // each order is opened anew
        static int order = 100;
        const std::string told = refusal({{"order", std::to_string(++order)}});
        EXPECT_NE(told.find(reason), std::string::npos) << told;
        EXPECT_NE(told.find("tuning file " + file().string()), std::string::npos) << told;
        EXPECT_EQ(text(), contents) << "it was overwritten";
    };
    refused("hello\n", "expected \"lapidary cuda tuning 1\", found \"hello\"");
    refused("lapidary cuda tuning 1\ndevice NVIDIA H200\ndriver CUDA 13.0\nlibrary none\n",
            "it is of device \"NVIDIA H200\", this is \"Emulated CUDA device\"");
    refused("lapidary cuda tuning 1\ndevice Emulated CUDA device\ndriver CUDA 13.0\nlibrary none\n",
            "it is of driver \"CUDA 13.0\", this is \"none\"");
    refused(head + "library cuBLASLt 13.0.0\n", "it is of library \"cuBLASLt 13.0.0\", this is \"cuBLASLt 12.3.4\"");
    refused(head + "library cuBLASLt 12.3.4\nkey best 3\n", "there is no way \"best\"");
    refused(head + "library cuBLASLt 12.3.4\nkey own fast\n", "a line is none of key, way and microseconds");
    refused(head + "library cuBLASLt 12.3.4\nkey own 3 library\n", "a line has a way without microseconds");
    refused(head + "library cuBLASLt 12.3.4\nkey own 3 best 4\n", "there is no way \"best\"");
    refused(head, "expected a line \"library ...\"");
}

TEST_F(Tuning, LibrariesAndOptionsThatAreWrongAreTold) {
    EXPECT_NE(refusal({{"cublaslt", "/nowhere/libcublasLt.so.13"}}).find("option cublaslt: /nowhere/libcublasLt.so.13"),
              std::string::npos);
    EXPECT_NE(refusal({{"cublaslt", "libm.so.6"}}).find("option cublaslt: it has no function cublasLtCreate"),
              std::string::npos);
    EXPECT_NE(refusal({{"tune", "often"}}).find("option tune: expected off, use or on, found \"often\""),
              std::string::npos);
    const ModelPtr model = model_of_text(epilogue);
    Session session = session_of(model, {{"cublaslt", "none"}});
    expect_right(session, model);
    const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
    EXPECT_NE(note.find("cuBLASLt is not used: option cublaslt is none"), std::string::npos) << note;
}

}  // namespace
}  // namespace lapidary::test
