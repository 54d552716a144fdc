// SPDX-License-Identifier: Apache-2.0
// The file of what was measured: which files are refused and why, which entries are measured anew,
// and which way is chosen from times.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <lapidary/exec/session.h>
#include <lapidary/inputs/generate_inputs.h>

#include "plugins/cuda/tuning_fixture.h"
#include "support/pass_harness.h"
#include "tuning_choice.h"

namespace lapidary::test {
namespace {

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

TEST_F(Tuning, WhatAnOlderVersionMeasuredIsReportedAndMeasuredAnew) {
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
    // rounds of very different times decide nothing, however low the minimum or the median is
    EXPECT_EQ(chosen_way({usual, {1.0, 5.0, 5.1, 5.0, 5.2, 4.9, 5.0}}, 0), 0u);
    EXPECT_EQ(chosen_way({usual, {4.0, 4.0, 4.0, 4.0, 5.0, 5.0, 5.0}}, 0), 0u);
    EXPECT_EQ(chosen_way({{4.0, 4.0, 5.0, 5.0, 5.0, 6.0, 6.0}, times(0.9)}, 0), 0u);
    EXPECT_EQ(chosen_way({{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, 0), 0u);
}

TEST_F(Tuning, LibrariesAndOptionsThatAreWrongAreReported) {
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
