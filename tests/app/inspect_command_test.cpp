// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class InspectCommand : public testing::Test {
protected:
    InspectCommand() : model_((folder_ / "m.onnx").string()) {
        save_model(build_sample("lenet"), model_);
    }
    TemporaryFolder folder_;
    std::string model_;
};

TEST_F(InspectCommand, ShowsStatisticsOfEveryValue) {
    const CommandOutcome text = run({"inspect", model_, "--value", "*"});
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* part :
         {"level disabled", "constant", "input", "inner", "output", "Conv", "beyond f16"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part;
    EXPECT_EQ(text.out.find("histogram"), std::string::npos) << "of many values";
    const Json json = run({"inspect", model_, "--value", "*", "--json"}).json();
    EXPECT_GT(json["values"].size(), 15u);
    EXPECT_EQ(json["left_out"], 0);
}

TEST_F(InspectCommand, ShowsHistogramAndElementsOfOne) {
    const Json all = run({"inspect", model_, "--value", "*", "--json"}).json();
    std::string conv;
    for (const auto& value : all["values"])
        if (conv.empty() && value["operator"] == "Conv") conv = value["value"];
    const CommandOutcome text =
        run({"inspect", model_, "--value", conv, "--bins", "8", "--slice", "0,1,:3,:4"});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("histogram  " + conv), std::string::npos);
    EXPECT_NE(text.out.find("tensor f32[3,4]"), std::string::npos);
    const Json one =
        run({"inspect", model_, "--value", conv, "--slice", "0,1,:3,:4", "--json"}).json();
    EXPECT_EQ(one["values"][0]["slice"]["elements"].size(), 12u);
    EXPECT_EQ(one["values"][0]["statistics"]["histogram"].size(), 16u);
}

TEST_F(InspectCommand, ShowsValuesOfSeveralRuns) {
    const Json one = run({"inspect", model_, "--node", "*", "--json"}).json();
    const std::string name = one["values"][0]["name"];
    EXPECT_FALSE(one["values"][0].contains("run"));
    const Json json =
        run({"inspect", model_, "--value", name, "--runs", "3", "--seed", "4", "--json"}).json();
    ASSERT_EQ(json["values"].size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(json["values"][i]["run"], i);
        const Json alone =
            run({"inspect", model_, "--value", name, "--seed", std::to_string(4 + i), "--json"})
                .json();
        EXPECT_EQ(json["values"][i]["statistics"], alone["values"][0]["statistics"]);
    }
    EXPECT_NE(json["values"][0]["statistics"], json["values"][1]["statistics"]);
    const CommandOutcome text = run({"inspect", model_, "--value", "*", "--runs", "2"});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("run"), std::string::npos);
}

TEST_F(InspectCommand, SavesValues) {
    const std::string archive = (folder_ / "v.npz").string(), array = (folder_ / "v.npy").string();
    ASSERT_EQ(run({"inspect", model_, "--value", "*", "--save", archive}).code, 0);
    const NamedValues saved = load_npz(archive);
    EXPECT_GT(saved.size(), 15u);
    const std::string name = saved.back().first;
    ASSERT_EQ(run({"inspect", model_, "--value", name, "--save", array}).code, 0);
    EXPECT_TRUE(same_contents(load_npy(array), saved.back().second.tensor()));
    expect_error(run({"inspect", model_, "--value", "*", "--save", array}), cli::exit_usage,
                 {".npz"});
    expect_error(run({"inspect", model_, "--value", "*", "--save", "v.txt"}), cli::exit_usage,
                 {"--save", ".npz"});
}

TEST_F(InspectCommand, SaysWhatIsMissingAndWhy) {
    expect_error(run({"inspect", model_}), cli::exit_usage, {"--value", "--node", "--scope"});
    expect_error(run({"inspect", model_, "--value", "*", "--runs", "2", "--save", "v.npz"}),
                 cli::exit_usage, {"--runs", "--save"});
    expect_error(run({"inspect", model_, "--value", "*", "--slice-mb", "4"}), cli::exit_usage,
                 {"--slice-mb needs --engine"});
    expect_error(run({"inspect", model_, "--value", "nothing_like_it"}), cli::exit_bad_input,
                 {"no value", "nothing_like_it"});
    for (const char* wrong : {"1;2", "::-1", "...", "None", "0,,1"})
        expect_error(run({"inspect", model_, "--value", "*", "--slice", wrong}), cli::exit_usage,
                     {"--slice"});
    // A value that fusing takes away.
    const Json plain = run({"inspect", model_, "--value", "*", "--json"}).json();
    const Json fused = run({"inspect", model_, "--value", "*", "--level", "all", "--json"}).json();
    std::string gone;
    for (const auto& value : plain["values"])
        if (gone.empty() && value["role"] == "inner" &&
            std::ranges::none_of(fused["values"],
                                 [&](const Json& v) { return v["value"] == value["value"]; }))
            gone = value["value"];
    ASSERT_FALSE(gone.empty());
    expect_error(run({"inspect", model_, "--value", gone, "--level", "all"}), cli::exit_bad_input,
                 {gone, "level all", "pass ", "without --level"});
}

}  // namespace
}  // namespace lapidary
