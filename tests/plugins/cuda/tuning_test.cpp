// SPDX-License-Identifier: Apache-2.0
// Products that are tuned: the kernel variant that is measured to be the fastest is taken.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/exec/session.h>
#include <lapidary/inputs/generate_inputs.h>

#include "plugins/cuda/tuning_fixture.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;

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
    // what is not in the file runs as without tuning, and nothing is written
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

TEST_F(Tuning, OperandsOfEveryLayoutAreRight) {
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

/// The device's cache holds 4096 bytes. The constant has 2560 bytes, so that three copies besides
/// the model's own exceed twice the cache.
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
    // an operand that is no constant is not copied
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

/// Behind the library an epilogue is a separate launch: products of equal shape with and without
/// one are measured separately.
TEST_F(Tuning, AnEpilogueAndConstantsAreMeasuredSeparately) {
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

}  // namespace
}  // namespace lapidary::test
