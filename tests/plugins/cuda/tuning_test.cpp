// SPDX-License-Identifier: Apache-2.0
// Products that are tuned, with a library that stands in for cuBLASLt: the way that is measured to
// be the fastest is taken and kept in a file, which is refused where it does not fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <dlfcn.h>
#include <unistd.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/profile/profile.h>

#include "passes/session/channels_last_regions.h"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"
#include "tuning_choice.h"

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
        folder_ = fs::temp_directory_path() /
                  ("lapidary_tuning_" + std::to_string(::getpid()) + "_" + test->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override {
        ::unsetenv("LAPIDARY_FAKE_CUBLASLT_DELAY_US");
        fs::remove_all(folder_);
    }
    fs::path file() const { return folder_ / "below" / "products.tuning"; }
    Session session_of(const ModelPtr& model, Options more) const {
        Options all{
            {"tune", "on"}, {"tune_file", file().string()}, {"cublaslt", LAPIDARY_FAKE_CUBLASLT}};
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
    /// That way stands first, as the one to take, in the first line whose key begins so.
    void let_take(const std::string& key, const std::string& way) const {
        std::vector<std::string> words = line(key);
        const auto found = std::ranges::find(words, way);
        ASSERT_NE(found, words.end()) << way << " is no way of " << key << " in\n" << text();
        std::swap_ranges(found, found + 2, words.begin() + 2);
        std::string joined, all = text();
        for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
        const std::size_t at = all.find("\n" + key) + 1;
        write(all.replace(at, all.find('\n', at) - at, joined));
    }
    /// What opening a provider with these options says.
    std::string refusal(const Options& options) const {
        try {
            session_of(model_of_text("(x: f32[2,3]) -> (y)\ny = Relu(x)"), options);
            return "it was opened";
        } catch (const Error& error) { return error.what(); }
    }
    static void* of_library(const char* name) {
        void* const library = ::dlopen(LAPIDARY_FAKE_CUBLASLT, RTLD_NOW | RTLD_NOLOAD);
        return library ? ::dlsym(library, name) : nullptr;
    }
    static int products() {
        const auto* const count = static_cast<int*>(of_library("lapidary_fake_cublaslt_products"));
        return count ? *count : 0;
    }
    /// From so many addresses the library read second operands since the last call.
    static std::size_t operands() {
        auto* const seen =
            static_cast<std::set<const void*>*>(of_library("lapidary_fake_cublaslt_operands"));
        const std::size_t count = seen ? seen->size() : 0;
        if (seen) seen->clear();
        return count;
    }
    static void limit_blocks(std::uint64_t bytes) {
        void* const plugin = ::dlopen(path_of_plugin(), RTLD_NOW | RTLD_NOLOAD);
        void* const limit = plugin ? ::dlsym(plugin, "lapidary_emulated_largest_block") : nullptr;
        ASSERT_NE(limit, nullptr);
        reinterpret_cast<void (*)(std::uint64_t)>(limit)(bytes);
    }
    /// Words of the line whose key begins so; empty: there is none.
    std::vector<std::string> line(const std::string& key) const {
        const std::string all = text();
        const std::size_t at = all.find("\n" + key);
        if (at == std::string::npos) return {};
        std::istringstream in(all.substr(at + 1, all.find('\n', at + 1) - at - 1));
        return {std::istream_iterator<std::string>(in), {}};
    }
    static void expect_right(Session& session, const ModelPtr& model,
                             const Tolerance& tolerance = exact_arithmetic) {
        Session reference = Session::compile(model, reference_options());
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {  // they are replayed from the third on
            const NamedValues inputs = generate_inputs(*model, {}, {.seed = seed});
            const NamedValues expected = reference.run(inputs).outputs;
            for (const OutputComparison& o :
                 compare_outputs(session.run(inputs).outputs, expected, tolerance))
                EXPECT_TRUE(o.comparison.matches) << "seed " << seed << ": " << o.comparison.reason;
        }
    }

private:
    fs::path folder_;
};

/// What tensor cores do in one step takes the emulated device many: the library is far ahead,
/// whatever else the machine does.
const char* const epilogue =
    "(a: f32[70,640], r: f32[70,70]) -> (y)\np = MatMul(a, w: f32[640,70])\nq = Add(p, c: "
    "f32[70])\ns = Add(q, r)\n"
    "y = Relu(s)";
constexpr Tolerance of_tf32{1e-2, 1e-3, true};

TEST_F(Tuning, TheLibraryIsTakenWhereItWasFaster) {
    const ModelPtr model = model_of_text(epilogue);
    for (const char* order : {"0", "1", "2"}) {
        fs::remove(file());
        Session session = session_of(model, {{"order", order}, {"precision", "tf32"}});
        expect_right(session, model, of_tf32);
        EXPECT_NE(text().find(" library "), std::string::npos) << text();
        EXPECT_EQ(text().rfind("lapidary cuda tuning 2\ndevice Emulated CUDA device\ndriver "
                               "none\nlibrary cuBLASLt "
                               "12.3.4\n",
                               0),
                  0u)
            << text();
        const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
        EXPECT_NE(note.find("1 of 1 product as measured, 1 by cuBLASLt 12.3.4"), std::string::npos)
            << note;
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
        Session session =
            session_of(model, {{"tune", tune}, {"precision", "tf32"}, {"graphs", "off"}});
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
        "(a: f32[37,130]) -> (y)\ny = Gemm(a, b: f32[41,130], c: f32[41]) {transB: 1, alpha: 0.5, "
        "beta: 2.0}",
        "(a: f32[130,37]) -> (y)\ny = Gemm(a, b: f32[130,41], c: f32[37,1]) {transA: 1}",
        "(a: f32[3,20,90], b: f32[3,90,40]) -> (y)\ny = MatMul(a, b)",
        // batches along two axes: none for the library
        "(a: f32[2,1,20,9], b: f32[3,9,40]) -> (y)\ny = MatMul(a, b)",
        "(a: f32[20,90], b: f32[90,13]) -> (y)\ny = MatMul(a, b)",  // it has no algorithm for it
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
    const ModelPtr halves =
        model_of_text("(a: f16[70,72], b: f16[72,136]) -> (y)\ny = MatMul(a, b)");
    Session session = session_of(halves, {});
    expect_right(session, halves, {2e-3, 1e-3, true});
    EXPECT_NE(text().find("f16_2_1_70_136_72_"), std::string::npos) << text();
}

/// Split sums are measured beside whole ones, and all ways give what the reference gives.
TEST_F(Tuning, ConvolutionsAndAttentionAreMeasured) {
    const char* const graphs[] = {
        "(x: f32[1,64,4,5], r: f32[1,20,4,5]) -> (y)\na = Conv(x, w: f32[20,64,3,3], c: f32[20]) "
        "{pads: [1,1,1,1]}\n"
        "b = Add(a, r)\ny = Relu(b)",
        "(x: f32[2,12,6,5]) -> (y)\ny = Conv(x, w: f32[8,6,3,3]) {group: 2}",
        "(x: f32[1,24,5,5]) -> (y)\ny = Conv(x, w: f32[8,24,3,3])",
        "(x: f32[1,64,9,8]) -> (y)\na = Conv(x, w: f32[64,64,3,3]) {pads: [1,1,1,1]}\n"
        "y = Conv(a, v: f32[24,64,3,3], c: f32[24])",
        "(q: f32[1,2,1,16], k: f32[1,2,333,16], v: f32[1,2,333,20], m: f32[1,1,1,333]) -> (y)\n"
        "t = Transpose(k) {perm: [0,1,3,2]}\np = MatMul(q, t)\na = Add(p, m)\nw = Softmax(a)\ny = "
        "MatMul(w, v)"};
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
    for (const char* part : {"conv_f32_0_1_1_64_20_", "conv_f32_0_2_2_",
                             "conv_f16_last_2_1_1_64_64_", "attention_f32_1_2_"})
        EXPECT_NE(text().find(part), std::string::npos) << part << " in\n" << text();
    std::size_t ways = 0;
    for (const char* way : {" own ", " unsplit ", " fewer ", " more "})
        ways += text().find(way) != std::string::npos;
    EXPECT_EQ(ways, 4u) << text();
    let_take("conv_f32_0_1_1_64_20_", "unsplit");
    const ModelPtr model = model_of_text(graphs[0]);
    Session session = session_of(model, {{"tune", "use"}, {"graphs", "off"}});
    expect_right(session, model);
    const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
    EXPECT_NE(note.find("1 of 1 convolution or attention as measured"), std::string::npos) << note;
}

TEST_F(Tuning, ConvolutionsInClustersAreMeasuredAndTaken) {
    const ModelPtr model = model_of_text(
        "(x: f16[1,256,7,7]) -> (y)\na = Conv(x, w: f16[64,256,3,3], c: f16[64]) {pads: "
        "[1,1,1,1]}\ny = Relu(a)");
    const ChannelsLastAtAnyCost at_any_cost;
    for (const char* order : {"0", "1", "2"}) {
        Session session = session_of(model, {{"order", order}, {"hopper", "on"}});
        expect_right(session, model, {3e-2, 5e-3, true});
    }
    for (const char* way : {" clusters ", " small_clusters "})
        EXPECT_NE(text().find(way), std::string::npos) << text();
    let_take("conv_f16_last", "clusters");
    Session session = session_of(model, {{"tune", "use"}, {"hopper", "on"}, {"graphs", "off"}});
    const std::uint64_t before = launches_of_clusters();
    expect_right(session, model, {3e-2, 5e-3, true});
    EXPECT_GT(launches_of_clusters(), before);
    Session other = session_of(model, {{"tune", "use"}, {"hopper", "off"}, {"graphs", "off"}});
    // by its own kernel, where there are no clusters
    expect_right(other, model, {3e-2, 5e-3, true});
}

/// A way of its own where compute capability 9.0 is there, which is taken when it was fastest.
TEST_F(Tuning, AttentionOfATokenIsMeasuredInClusters) {
    const ModelPtr model = model_of_text(
        "(q: f16[2,1,48], k: f16[2,1,48], v: f16[2,1,48], m: f16[2,1,1,140], j: f16[2,3,139,16], "
        "l: f16[2,3,139,16]) "
        "-> "
        "(y, a, b)\ny, a, b = com.microsoft::MultiHeadAttention(q, k, v, _, _, m, j, l) "
        "{num_heads: 3}");
    const Tolerance of_halves{2e-3, 1e-3, true};
    for (const char* order : {"0", "1", "2"}) {
        Session session = session_of(model, {{"order", order}, {"hopper", "on"}});
        expect_right(session, model, of_halves);
    }
    let_take("attention_f16_2_3_", "hopper");
    for (const char* order : {"0", "1", "2"}) {
        Session session = session_of(model, {{"order", order}, {"hopper", "on"}, {"tune", "use"}});
        expect_right(session, model, of_halves);
    }
    Session without = session_of(model, {{"hopper", "off"}, {"tune", "use"}});
    expect_right(without, model, of_halves);
}

TEST_F(Tuning, AFileThatDoesNotFitIsRefusedWithTheReason) {
    const std::string head = "lapidary cuda tuning 2\ndevice Emulated CUDA device\ndriver none\n";
    const auto refused = [&](const std::string& contents, const std::string& reason) {
        write(contents);
        // each order is opened anew
        static int order = 100;
        const std::string reported = refusal({{"order", std::to_string(++order)}});
        EXPECT_NE(reported.find(reason), std::string::npos) << reported;
        EXPECT_NE(reported.find("tuning file " + file().string()), std::string::npos) << reported;
        EXPECT_EQ(text(), contents) << "it was overwritten";
    };
    refused("hello\n", "expected \"lapidary cuda tuning 2\", found \"hello\"");
    refused("lapidary cuda tuning 2\ndevice NVIDIA H200\ndriver CUDA 13.0\nlibrary none\n",
            "it is of device \"NVIDIA H200\", this is \"Emulated CUDA device\"");
    refused("lapidary cuda tuning 2\ndevice Emulated CUDA device\ndriver CUDA 13.0\nlibrary none\n",
            "it is of driver \"CUDA 13.0\", this is \"none\"");
    refused(head + "library cuBLASLt 13.0.0\n",
            "it is of library \"cuBLASLt 13.0.0\", this is \"cuBLASLt 12.3.4\"");
    refused(head + "library cuBLASLt 12.3.4\nkey 1/1 best 3\n", "there is no way \"best\"");
    for (const char* line : {"key 1/1 own fast\n", "key own 3\n", "key 1 own 3\n"})
        refused(head + "library cuBLASLt 12.3.4\n" + line,
                "a line is none of key, copies, way and microseconds");
    refused(head + "library cuBLASLt 12.3.4\nkey 1/1 own 3 library\n",
            "a line has a way without microseconds");
    refused(head + "library cuBLASLt 12.3.4\nkey 1/1 own 3 best 4\n", "there is no way \"best\"");
    refused(head, "expected a line \"library ...\"");
}

TEST_F(Tuning, WhatAnOlderVersionMeasuredIsToldAndMeasuredAnew) {
    const std::string older = "lapidary cuda tuning 1\ndevice another\n";
    write(older);
    const ModelPtr model = model_of_text("(a: f32[20,40]) -> (y)\ny = MatMul(a, b: f32[40,30])");
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const char* const reported = "the tuning file is of an older version";
    {
        Session session = session_of(model, {{"tune", "use"}, {"order", "41"}});
        const std::string note = note_of(session, inputs);
        EXPECT_NE(note.find(reported), std::string::npos) << note;
        EXPECT_EQ(text(), older);
    }
    Session session = session_of(model, {{"order", "42"}});
    expect_right(session, model);
    const std::string note = note_of(session, inputs);
    EXPECT_EQ(note.find(reported), std::string::npos) << note;
    EXPECT_EQ(text().rfind("lapidary cuda tuning 2\ndevice Emulated CUDA device\n", 0), 0u)
        << text();
    EXPECT_FALSE(line("f32_0_1_20_30_40_").empty()) << text();
}

/// The device's cache holds 4096 bytes: of 2560 a copy besides the model's own exceeds that twice
/// with two more.
TEST_F(Tuning, ConstantsAreReadFromCopiesInTurn) {
    const ModelPtr model = model_of_text(
        "(a: f32[20,40], r: f32[20,16]) -> (y)\np = MatMul(a, w: f32[40,16])\n"
        "y = Add(p, r)");
    Session session = session_of(model, {{"order", "43"}});
    operands();
    expect_right(session, model);
    EXPECT_EQ(operands(), 4u);
    const std::vector<std::string> words = line("f32_0_1_20_16_40_");
    ASSERT_GE(words.size(), 6u) << text();
    EXPECT_EQ(words[1], "4/4");
    // what no model holds stays where it is
    const ModelPtr plain = model_of_text("(a: f32[20,40], b: f32[40,24]) -> (y)\ny = MatMul(a, b)");
    Session other = session_of(plain, {{"order", "43"}, {"graphs", "off"}});
    other.run(generate_inputs(*plain, {}, {.seed = 1}));
    EXPECT_EQ(operands(), 1u);
    ASSERT_FALSE(line("f32_0_1_20_24_40_").empty()) << text();
    EXPECT_EQ(line("f32_0_1_20_24_40_")[1], "1/1");
}

TEST_F(Tuning, ThereAreFewerCopiesWhereTheDeviceHasNoMemoryForThem) {
    const ModelPtr model = model_of_text("(x: f32[1,6,5,5]) -> (y)\ny = Conv(x, w: f32[8,6,3,3])");
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    // 1728 bytes, 1792 with what aligns them
    const std::pair<std::uint64_t, const char*> limits[] = {{UINT64_MAX, "5/5"},
                                                            {4 * 1792 - 1, "3/5"}};
    for (const auto& [bytes, copies] : limits) {
        fs::remove(file());
        Session session = session_of(model, {{"order", bytes == UINT64_MAX ? "44" : "45"}});
        limit_blocks(bytes);
        session.run(inputs);
        limit_blocks(UINT64_MAX);
        EXPECT_EQ(line("conv_f32_").at(1), copies) << text();
    }
}

/// An epilogue is a launch of its own behind the library: products of equal shape with and without
/// one are two.
TEST_F(Tuning, AnEpilogueAndConstantsMakeADifference) {
    const ModelPtr model = model_of_text(
        "(a: f32[20,40], b: f32[40,40], r: f32[20,40]) -> (y)\np = MatMul(a, w: f32[40,40])\nq = "
        "MatMul(p, b)\n"
        "s = MatMul(q, v: f32[40,40])\ny = Add(s, r)");
    Session session = session_of(model, {});
    expect_right(session, model);
    const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
    EXPECT_NE(note.find("3 of 3 products as measured"), std::string::npos) << note << text();
    for (const char* end : {"_apart", "_constant_apart", "_epilogue_constant_apart"})
        EXPECT_FALSE(line(std::string("f32_0_1_20_40_40_40_1_40_1") + end + " ").empty())
            << end << text();
}

/// Normalized in each block of the product is one of the ways, and the one that goes where nothing
/// is known.
TEST_F(Tuning, ANormalizedProductMayGoInOneKernel) {
    const char* const graph =
        "(x: f32[1,1,64], s: f32[1,1,64]) -> (y, t)\n"
        "n, _, _, t = com.microsoft::SkipLayerNormalization(x, s, g: f32[64], c: f32[64])\n"
        "p = MatMul(n, w: f32[64,8])\ny = Add(p, d: f32[8])";
    const ModelPtr model = model_of_text(graph);
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const std::string fused = ", 1 with the normalization before it";
    for (const char* order : {"0", "1", "2"}) {
        fs::remove(file());
        Session session = session_of(model, {{"order", order}, {"overlap", "on"}});
        expect_right(session, model);
        const std::vector<std::string> words = line("normalized_f32_0_1_1_8_64_");
        ASSERT_EQ(words.size(), 8u) << text();
        EXPECT_EQ(words[1], "3/3") << text();
        for (const char* way : {"fused", "own", "library"})
            EXPECT_EQ(std::ranges::count(words, way), 1) << text();
        const std::string note = note_of(session, inputs);
        EXPECT_NE(note.find("1 of 1 product as measured, "), std::string::npos) << note;
        EXPECT_EQ(note.find(fused) != std::string::npos, words[2] == "fused") << note << text();
    }
    // all ways give the same, where the file has them
    const std::string head = text().substr(0, text().find("normalized_")),
                      key = line("normalized_")[0];
    int order = 46;
    for (const auto& [way, reported] : {std::pair{"fused 1 own", "0 by cuBLASLt 12.3.4" + fused},
                                        {"own 1 fused", "0 by cuBLASLt 12.3.4"},
                                        {"library 1 fused", "1 by cuBLASLt 12.3.4"}}) {
        write(head + key + " 3/3 " + way + " 2\n");
        Session session = session_of(
            model, {{"tune", "use"}, {"overlap", "on"}, {"order", std::to_string(order++)}});
        expect_right(session, model);
        const std::string note = note_of(session, inputs);
        EXPECT_NE(note.find("1 of 1 product as measured, " + reported + ";"), std::string::npos)
            << note;
    }
    fs::remove(file());
    Session session = session_of(model, {{"tune", "use"}, {"order", std::to_string(order)}});
    expect_right(session, model);
    const std::string note = note_of(session, inputs);
    EXPECT_NE(note.find("0 of 1 product as measured, 0 by cuBLASLt 12.3.4" + fused),
              std::string::npos)
        << note;
}

/// An entry in which the way that would be taken was not measured says nothing of it.
TEST_F(Tuning, AnEntryWithoutTheUsualWayIsMeasuredAnew) {
    const ModelPtr model = model_of_text("(a: f32[20,40], b: f32[40,30]) -> (y)\ny = MatMul(a, b)");
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const std::string key = "f32_0_1_20_30_40_40_1_30_1_apart";
    const std::string other =
        "lapidary cuda tuning 2\ndevice Emulated CUDA device\ndriver none\nlibrary cuBLASLt "
        "12.3.4\n" +
        key + " 1/1 library 3\n";
    write(other);
    const int launched = products();
    session_of(model, {{"tune", "use"}, {"order", "49"}}).run(inputs);
    EXPECT_EQ(products(), launched);
    EXPECT_EQ(text(), other);
    session_of(model, {{"order", "50"}}).run(inputs);
    EXPECT_GT(products(), launched);
    EXPECT_NE(text().find(" own "), std::string::npos) << text();
}

using Rounds = std::vector<std::vector<double>>;

TEST(TuningChoice, TheUsualWayStaysUnlessAnotherIsClearlyFaster) {
    using cuda::chosen_way;
    const std::vector<double> usual{5.0, 5.1, 5.0, 4.9, 5.2, 5.0, 5.1};
    const auto times = [&](double factor) {
        std::vector<double> all = usual;
        for (double& t : all) t *= factor;
        return all;
    };
    EXPECT_EQ(chosen_way({usual}, 0), 0u);
    EXPECT_EQ(chosen_way({usual, times(0.98)}, 0), 0u) << "within the margin";
    EXPECT_EQ(chosen_way({usual, times(1.0)}, 1), 1u);
    EXPECT_EQ(chosen_way({usual, times(0.9)}, 0), 1u);
    EXPECT_EQ(chosen_way({times(0.9), usual}, 1), 0u);
    EXPECT_EQ(chosen_way({usual, times(0.9), times(0.8), times(0.85)}, 0), 2u)
        << "the fastest of several";
    EXPECT_EQ(chosen_way({usual, times(0.97 * 0.999)}, 0), 1u);
    // rounds that lie apart decide nothing, however low the least one or the middle is
    EXPECT_EQ(chosen_way({usual, {1.0, 5.0, 5.1, 5.0, 5.2, 4.9, 5.0}}, 0), 0u);
    EXPECT_EQ(chosen_way({usual, {4.0, 4.0, 4.0, 4.0, 5.0, 5.0, 5.0}}, 0), 0u);
    EXPECT_EQ(chosen_way({{4.0, 4.0, 5.0, 5.0, 5.0, 6.0, 6.0}, times(0.9)}, 0), 0u);
    EXPECT_EQ(chosen_way({{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, 0), 0u);
}

TEST_F(Tuning, LibrariesAndOptionsThatAreWrongAreTold) {
    EXPECT_NE(refusal({{"cublaslt", "/nowhere/libcublasLt.so.13"}})
                  .find("option cublaslt: /nowhere/libcublasLt.so.13"),
              std::string::npos);
    EXPECT_NE(refusal({{"cublaslt", "libm.so.6"}})
                  .find("option cublaslt: it has no function cublasLtCreate"),
              std::string::npos);
    EXPECT_NE(
        refusal({{"tune", "often"}}).find("option tune: expected off, use or on, found \"often\""),
        std::string::npos);
    const ModelPtr model = model_of_text(epilogue);
    Session session = session_of(model, {{"cublaslt", "none"}});
    expect_right(session, model);
    const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
    EXPECT_NE(note.find("cuBLASLt is not used: option cublaslt is none"), std::string::npos)
        << note;
}

}  // namespace
}  // namespace lapidary::test
