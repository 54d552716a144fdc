// SPDX-License-Identifier: Apache-2.0
// lapidary-cli farm where results are damaged, samples change or files would be overwritten.
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/farm_fixture.h"
#include "cli/exit_code.h"
#include "worker/farm/farm_result.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

class FarmDamage : public FarmFixture {
protected:
    /// Changes the first outcome of a shard of the plan p.json.
    void damage(int shard, const std::function<void(app::FarmOutcome&)>& change) const {
        const fs::path at = app::farm_result_file(folder_ / "p.results", shard);
        app::FarmResult result = app::load_farm_result(at);
        change(result.outcomes.front());
        std::ofstream(at) << app::farm_result_text(result);
    }
    void run_shards(int count) const {
        for (int i = 0; i < count; ++i) ASSERT_EQ(shard("p.json", i).code, 0);
    }
    static std::string reason(const Json& gap) { return gap.at("reason").get<std::string>(); }
};

TEST_F(FarmDamage, SamplesThatChangedBetweenShardsGiveNoFigures) {
    ASSERT_EQ(plan("p.json", {"--shards", "2"}, accuracy()).code, 0);
    Json made = Json::parse(text_of("p.json"));
    for (Json& task : made["tasks"]) task.erase("content");  // as in plans of earlier versions
    std::ofstream(folder_ / "p.json") << made.dump();
    ASSERT_EQ(shard("p.json", 0).code, 0);
    save_npz(folder_ / "d.npz", {{"x", Tensor::of<float>({2, 3}, {1, 0, 0, 0, 1, 0})},
                                 {"y", Tensor::of<std::int64_t>({2}, {0, 1})}});
    ASSERT_EQ(shard("p.json", 1).code, 0);
    const CommandOutcome merged = merge("p.json");
    EXPECT_EQ(merged.code, cli::exit_check_failed);
    const Json failed = merged.json().at("failed");
    ASSERT_EQ(failed.size(), 2u) << merged.out;
    EXPECT_NE(reason(failed.at(1)).find("1 sample, where shards have from 1 to 10"),
              std::string::npos)
        << merged.out;
    EXPECT_NE(failed.at(0).at("command").get<std::string>().find("--again"), std::string::npos);
    EXPECT_TRUE(merge("p.json", {"--partial"}).json().at("results").empty());
    for (const int i : {0, 1}) ASSERT_EQ(shard("p.json", i, {"--again"}).code, 0);
    EXPECT_EQ(merge("p.json").json().at("results").at(0).at("accuracy").at("samples"), 2);
}

TEST_F(FarmDamage, OtherContentOfTheSameSizeIsNotTheSamePlan) {
    const auto save_data = [&](std::int64_t last) {
        std::vector<float> values(60, 0);
        std::vector<std::int64_t> labels;
        for (int i = 0; i < 20; ++i) {
            values[static_cast<std::size_t>(3 * i + i % 3)] = 1;
            labels.push_back(i < 15 ? i % 3 : (i + 1) % 3);
        }
        labels.back() = last;
        save_npz(folder_ / "d.npz", {{"x", Tensor::of<float>({20, 3}, values)},
                                     {"y", Tensor::of<std::int64_t>({20}, labels)}});
    };
    save_data(2);
    ASSERT_EQ(plan("p.json", {"--shards", "2"}, accuracy()).code, 0);
    ASSERT_EQ(shard("p.json", 0).code, 0);
    const std::string before = text_of("p.json");
    save_data(1);
    const CommandOutcome changed = shard("p.json", 1);
    EXPECT_EQ(changed.code, cli::exit_check_failed);
    EXPECT_NE(reason(changed.json().at("failed").at(0)).find("make the plan again"),
              std::string::npos)
        << changed.out;
    ASSERT_EQ(plan("p.json", {"--shards", "2"}, accuracy()).code, 0);
    EXPECT_NE(text_of("p.json"), before);
    EXPECT_EQ(shard("p.json", 0).json().at("ran"), 1) << "the old result is of the other labels";
    ASSERT_EQ(shard("p.json", 1).code, 0);
    EXPECT_EQ(merge("p.json").json().at("results").at(0).at("accuracy"), whole_accuracy());
}

TEST_F(FarmDamage, TheCommandThatMergeNamesRepairsADamagedResult) {
    ASSERT_EQ(plan("p.json", {"--shards", "2"}, accuracy()).code, 0);
    run_shards(2);
    damage(1, [](app::FarmOutcome& outcome) { outcome.counts.resize(outcome.counts.size() / 2); });
    const CommandOutcome damaged = merge("p.json");
    EXPECT_EQ(damaged.code, cli::exit_check_failed);
    EXPECT_NE(reason(damaged.json().at("lost").at(0)).find("shard-1.json"), std::string::npos);
    const CommandOutcome repaired = shard("p.json", 1);
    EXPECT_EQ(repaired.json().at("ran"), 1) << repaired.out;
    EXPECT_EQ(merge("p.json").json().at("results").at(0).at("accuracy"), whole_accuracy());
}

TEST_F(FarmDamage, ADamagedRowIsNamedAndRunAgain) {
    ASSERT_EQ(plan("p.json", {"--models", file("zoo"), "--shards", "2"}, {"info"}).code, 0);
    run_shards(2);
    damage(1, [](app::FarmOutcome& outcome) { outcome.output = "{\"nodes\": "; });
    const CommandOutcome damaged = merge("p.json", {"--partial"});
    EXPECT_EQ(damaged.code, 0) << damaged.err;
    EXPECT_EQ(damaged.json().at("results").size(), 1u);
    EXPECT_NE(reason(damaged.json().at("lost").at(0)).find("shard-1.json: task 1"),
              std::string::npos)
        << damaged.out;
    EXPECT_EQ(shard("p.json", 1).json().at("ran"), 1);
    EXPECT_EQ(merge("p.json").code, 0);
}

TEST_F(FarmDamage, AGoodResultOutlivesAFailureOfRunningItAgain) {
    ASSERT_EQ(plan("p.json", {"--models", file("zoo"), "--shards", "1"}, {"info"}).code, 0);
    run_shards(1);
    fs::rename(folder_ / "zoo/a.onnx", folder_ / "elsewhere.onnx");
    const CommandOutcome again = shard("p.json", 0, {"--again"});
    EXPECT_EQ(again.code, cli::exit_check_failed);
    EXPECT_EQ(again.json().at("failed").size(), 1u) << again.out;
    EXPECT_EQ(merge("p.json").json().at("results").size(), 2u);
}

TEST_F(FarmDamage, ATaskTwiceInAResultIsWrittenOnce) {
    ASSERT_EQ(plan("p.json", {"--shards", "1"}, accuracy()).code, 0);
    run_shards(1);
    const fs::path at = app::farm_result_file(folder_ / "p.results", 0);
    app::FarmResult result = app::load_farm_result(at);
    result.outcomes.push_back(result.outcomes.front());
    std::ofstream(at) << app::farm_result_text(result);
    EXPECT_EQ(merge("p.json").code, cli::exit_check_failed);
    EXPECT_EQ(shard("p.json", 0).json().at("kept"), 1);
    EXPECT_EQ(merge("p.json").code, 0);
}

TEST_F(FarmDamage, CountsThatNoRunGivesAreNotTaken) {
    ASSERT_EQ(plan("p.json", {"--shards", "1"}, accuracy()).code, 0);
    run_shards(1);
    const std::string whole = text_of("p.results/shard-0.json");
    for (const auto& [change, member] : std::vector<std::pair<std::string, std::string>>{
             {R"({"top1": 1000000})", "top1"},
             {R"({"topk": 0})", "topk"},
             {R"({"rows": 18446744073709551615})", "rows"},
             {R"({"samples": 0})", "samples"},
             {R"({"vectors": 1, "cosine_sum": 1e308})", "cosine_sum"},
             {R"({"classes": {"0": [1000000, 0, 0]}})", "class"},
             {R"({"classes": {"0": [15, 0, 6]}})", "labels by class"},
             {R"({"out_of_range": 21})", "out_of_range"}}) {
        damage(0, [&change = change](app::FarmOutcome& outcome) {
            Json counts = Json::parse(outcome.counts);
            counts.update(Json::parse(change));
            outcome.counts = counts.dump();
        });
        const CommandOutcome merged = merge("p.json");
        EXPECT_EQ(merged.code, cli::exit_check_failed) << change;
        EXPECT_NE(reason(merged.json().at("lost").at(0)).find(member), std::string::npos)
            << change << merged.out;
        std::ofstream(folder_ / "p.results/shard-0.json") << whole;
    }
    EXPECT_EQ(merge("p.json").code, 0);
}

TEST_F(FarmDamage, AShardWithoutSamplesAddsNothing) {
    ASSERT_EQ(plan("p.json", {"--shards", "22"}, accuracy()).code, 0);
    run_shards(22);
    const CommandOutcome merged = merge("p.json");
    EXPECT_EQ(merged.code, 0) << merged.out;
    EXPECT_EQ(merged.json().at("results").at(0).at("accuracy"), whole_accuracy());
}

TEST_F(FarmDamage, NotesCountTheRowsOfAllShards) {
    std::vector<float> values(60, 0);
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 20; ++i) {
        values[static_cast<std::size_t>(3 * i + i % 3)] =
            i < 3 ? std::numeric_limits<float>::quiet_NaN() : 1;
        labels.push_back(i < 6 || i > 8 ? i % 3 : 7);
    }
    save_npz(folder_ / "d.npz", {{"x", Tensor::of<float>({20, 3}, values)},
                                 {"y", Tensor::of<std::int64_t>({20}, labels)}});
    ASSERT_EQ(plan("p.json", {"--shards", "3"}, accuracy()).code, 0);
    run_shards(3);
    const Json figures = merge("p.json").json().at("results").at(0).at("accuracy");
    EXPECT_EQ(figures, whole_accuracy());
    EXPECT_NE(figures.dump().find("3 of 20 answers hold"), std::string::npos) << figures;
    EXPECT_NE(figures.dump().find("3 of 20 labels are no class"), std::string::npos) << figures;
}

TEST_F(FarmDamage, TwoModelsDoNotWriteOneFile) {
    const std::vector<std::string> options{"--shards", "2", "--models", file("zoo")};
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"optimize", "{}", "-o" + file("one.onnx")},
             {"run", "{}", "--outputs", file("o.npz")},
             {"bench", "{}", "--csv=" + file("o.csv")},
             {"profile", "{}", "-o", file("t.json")},
             {"optimize", "{}", "-o", file("{name}.o.onnx"), "--report", file("r.json")}})
        expect_error(plan("p.json", options, command), 2, {"would both write", "{name}"});
    EXPECT_EQ(plan("p.json", options, {"run", "{}", "--outputs", file("{name}.npz")}).code, 0);
}

TEST_F(FarmDamage, PlansAndMergedResultsReplaceNothingThatIsRead) {
    const std::string model = text_of("m.onnx"), data = text_of("d.npz");
    expect_error(plan("m.onnx", {"--models", file("m.onnx"), "--shards", "1"}, {"info"}), 3,
                 {"m.onnx", "input"});
    expect_error(
        plan("p.json", {"--models", file("zoo"), "--shards", "1", "--slurm", file("zoo/a.onnx")},
             {"info"}),
        3, {"a.onnx", "input"});
    expect_error(plan("d.npz", {"--shards", "1"}, accuracy()), 3, {"d.npz", "input"});
    EXPECT_EQ(text_of("m.onnx"), model);
    EXPECT_EQ(text_of("d.npz"), data);

    ASSERT_EQ(plan("p.json", {"--shards", "1"}, accuracy()).code, 0);
    run_shards(1);
    const std::string result = text_of("p.results/shard-0.json");
    expect_error(run({"farm", "merge", file("p.json"), "-o", file("p.results/shard-0.json")}), 3,
                 {"shard-0.json", "input"});
    EXPECT_EQ(text_of("p.results/shard-0.json"), result);
}

TEST_F(FarmDamage, AStepThatPrintsNoResultFails) {
    ASSERT_EQ(plan("p.json", {"--models", file("zoo/a.onnx"), "--shards", "1"}, {"info"}).code, 0);
    Json made = Json::parse(text_of("p.json"));
    made["tasks"][0]["steps"] = Json::parse(R"([["--help"]])");
    std::ofstream(folder_ / "p.json") << made.dump();
    const CommandOutcome outcome = shard("p.json", 0);
    EXPECT_EQ(outcome.code, cli::exit_check_failed);
    EXPECT_NE(reason(outcome.json().at("failed").at(0)).find("no JSON"), std::string::npos)
        << outcome.out;
    EXPECT_EQ(merge("p.json").code, cli::exit_check_failed);
}

#ifndef _WIN32
TEST_F(FarmDamage, TheNameOfAScriptStaysInItsComment) {
    const std::string name = "a\ntouch b\n.sh";
    ASSERT_EQ(plan("p.json", {"--shards", "1", "--slurm", file(name)}, accuracy()).code, 0);
    EXPECT_EQ(text_of(name).find("\ntouch b"), std::string::npos) << text_of(name);
}
#endif

}  // namespace
}  // namespace lapidary
