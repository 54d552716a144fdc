// SPDX-License-Identifier: Apache-2.0
// lapidary-cli farm: plans, shards, and what merging them gives.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/farm_fixture.h"
#include "cli/farm/farm_words.h"
#include "worker/farm/farm_result.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

class FarmCommand : public FarmFixture {};

TEST_F(FarmCommand, AccuracyOfShardsIsThatOfOneRun) {
    const CommandOutcome made = plan("p.json", {"--shards", "3", "--json"}, accuracy());
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.json().at("split"), "samples");
    for (int i = 0; i < 3; ++i) {
        const CommandOutcome outcome = shard("p.json", i);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("ran"), 1);
    }
    const CommandOutcome merged = merge("p.json", {"-o", file("result.json")});
    ASSERT_EQ(merged.code, 0) << merged.err << merged.out;
    EXPECT_EQ(merged.json().at("results").at(0).at("accuracy"), whole_accuracy());
    EXPECT_EQ(Json::parse(text_of("result.json")), merged.json());
    EXPECT_EQ(merged.json().at("machines").size(), 1u);
    const CommandOutcome text = run({"farm", "merge", file("p.json")});
    EXPECT_NE(text.out.find("top-1  0.7500"), std::string::npos) << text.out;
}

TEST_F(FarmCommand, LostShardsAreNamedAndRunAgain) {
    ASSERT_EQ(plan("p.json", {"--shards", "3"}, accuracy()).code, 0);
    for (const int i : {0, 2}) ASSERT_EQ(shard("p.json", i).code, 0);
    const CommandOutcome lacking = merge("p.json", {"-o", file("result.json")});
    EXPECT_EQ(lacking.code, cli::exit_check_failed);
    const Json json = lacking.json();
    EXPECT_FALSE(json.at("complete"));
    EXPECT_FALSE(json.contains("results")) << "figures of a part could be taken for those of all";
    EXPECT_FALSE(fs::exists(folder_ / "result.json"));
    ASSERT_EQ(json.at("lost").size(), 1u);
    EXPECT_EQ(json.at("lost").at(0).at("shard"), 1);
    EXPECT_NE(json.at("lost").at(0).at("command").get<std::string>().find("--shard 1"),
              std::string::npos);
    const CommandOutcome partial = merge("p.json", {"--partial"});
    EXPECT_EQ(partial.code, 0);
    EXPECT_EQ(partial.json().at("results").at(0).at("accuracy").at("samples"), 13);
    ASSERT_EQ(shard("p.json", 1).code, 0);
    EXPECT_EQ(merge("p.json").json().at("results").at(0).at("accuracy"), whole_accuracy());
}

TEST_F(FarmCommand, DuplicatesDamageAndOtherPlansChangeNoFigure) {
    ASSERT_EQ(plan("p.json", {"--shards", "2"}, accuracy()).code, 0);
    ASSERT_EQ(plan("other.json", {"--shards", "3"}, accuracy()).code, 0);
    for (const int i : {0, 1}) ASSERT_EQ(shard("p.json", i).code, 0);
    ASSERT_EQ(shard("other.json", 0).code, 0);
    const fs::path results = folder_ / "p.results";
    fs::copy_file(results / "shard-0.json", results / "shard-0 copy.json");
    fs::copy_file(folder_ / "other.results/shard-0.json", results / "elsewhere.json");
    std::ofstream(results / "noise.json") << "{\"plan\": ";
    const CommandOutcome merged = merge("p.json");
    ASSERT_EQ(merged.code, 0) << merged.out;
    EXPECT_EQ(merged.json().at("results").at(0).at("accuracy"), whole_accuracy());
    EXPECT_EQ(merged.json().at("notes").size(), 3u) << merged.out;

    fs::remove(results / "shard-0 copy.json");
    const std::string whole = text_of("p.results/shard-0.json");
    std::ofstream(results / "shard-0.json") << whole.substr(0, whole.size() / 2);
    const CommandOutcome damaged = merge("p.json");
    EXPECT_EQ(damaged.code, cli::exit_check_failed);
    EXPECT_NE(damaged.json().at("lost").at(0).at("reason").get<std::string>().find("shard-0.json"),
              std::string::npos)
        << damaged.out;
    ASSERT_EQ(shard("p.json", 0).code, 0) << "it is written again";
    EXPECT_EQ(merge("p.json").code, 0);

    fs::copy_file(folder_ / "other.results/shard-0.json", results / "shard-0.json",
                  fs::copy_options::overwrite_existing);
    const CommandOutcome foreign = merge("p.json");
    EXPECT_EQ(foreign.code, cli::exit_check_failed);
    EXPECT_NE(foreign.json().at("lost").at(0).at("reason").get<std::string>().find("another plan"),
              std::string::npos)
        << foreign.out;
}

TEST_F(FarmCommand, WhatIsDoneIsNotRunAgain) {
    ASSERT_EQ(plan("p.json", {"--models", file("zoo"), "--shards", "1"}, {"info"}).code, 0);
    EXPECT_EQ(shard("p.json", 0).json().at("ran"), 2);
    EXPECT_EQ(shard("p.json", 0).json().at("kept"), 2);
    EXPECT_EQ(shard("p.json", 0, {"--again"}).json().at("ran"), 2);

    // cut off after the first task
    const fs::path results = folder_ / "p.results";
    app::FarmResult result = app::load_farm_result(app::farm_result_file(results, 0));
    result.outcomes.pop_back();
    result.running = 1;
    result.begun = 1;
    const auto cut = [&] {
        fs::remove(app::farm_result_file(results, 0));
        std::ofstream(app::farm_part_file(results, 0)) << app::farm_result_text(result);
    };
    cut();
    const CommandOutcome lacking = merge("p.json");
    EXPECT_NE(lacking.json().at("lost").at(0).at("reason").get<std::string>().find("1 of 2 tasks"),
              std::string::npos)
        << lacking.out;
    const Json went_on = shard("p.json", 0).json();
    EXPECT_EQ(went_on.at("ran"), 1);
    EXPECT_EQ(went_on.at("kept"), 1);
    EXPECT_FALSE(fs::exists(app::farm_part_file(results, 0)));

    result.begun = 5;
    cut();
    const CommandOutcome deadly = shard("p.json", 0);
    EXPECT_EQ(deadly.code, cli::exit_check_failed);
    EXPECT_NE(deadly.json().at("failed").at(0).at("reason").get<std::string>().find("5 times"),
              std::string::npos)
        << deadly.out;
}

TEST_F(FarmCommand, EachModelIsARowWithItsMachine) {
    std::ofstream(folder_ / "zoo/c.onnx") << "no model";
    ASSERT_EQ(plan("p.json", {"--models", file("zoo/?.onnx"), "--per-shard", "2"},
                   {"optimize", "{}", "-o", file("out/{name}.onnx"), "then", "info",
                    file("out/{name}.onnx")})
                  .code,
              0);
    int failed = 0;
    for (const int i : {0, 1}) failed += shard("p.json", i).code == cli::exit_check_failed;
    EXPECT_EQ(failed, 1);
    EXPECT_TRUE(fs::exists(folder_ / "out/a.onnx"));
    const CommandOutcome merged = merge("p.json");
    EXPECT_EQ(merged.code, cli::exit_check_failed);
    ASSERT_EQ(merged.json().at("failed").size(), 1u);
    EXPECT_NE(merged.json().at("failed").at(0).at("model").get<std::string>().find("c.onnx"),
              std::string::npos);
    const Json rows = merge("p.json", {"--partial"}).json().at("results");
    ASSERT_EQ(rows.size(), 2u);
    for (const Json& row : rows) {
        EXPECT_EQ(row.at("machine"), 0);
        EXPECT_TRUE(row.at("result").contains("nodes")) << row;
    }
    std::ofstream(folder_ / "zoo/a.onnx", std::ios::app) << "more";
    const CommandOutcome changed = shard("p.json", 0, {"--again"});
    const CommandOutcome other = shard("p.json", 1, {"--again"});
    EXPECT_NE((changed.out + other.out).find("since the plan was made"), std::string::npos)
        << changed.out << other.out;
}

TEST_F(FarmCommand, ASearchInShardsChoosesAsOneSearch) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[n,8]) -> (y)\nh = MatMul(x, w: f32[8,16])\n"
        "r = Relu(h)\ny = MatMul(r, v: f32[16,4])");
    save_model(model, folder_ / "q.onnx");
    const std::vector<std::string> search{
        "quantize", file("q.onnx"), "--mode",   "static", "--generate",
        "5",        "--search",     "--budget", "0",      "--as-asked"};
    ASSERT_EQ(plan("q.json", {"--shards", "2"}, search).code, 0);
    for (const int i : {0, 1}) {
        const CommandOutcome outcome = shard("q.json", i);
        ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    }
    const CommandOutcome merged = merge("q.json");
    ASSERT_EQ(merged.code, 0) << merged.err << merged.out;
    std::vector<std::string> words = search;
    words.push_back("--json");
    const Json whole = run(words).json(), row = merged.json().at("results").at(0).at("result");
    for (const char* member : {"trials", "best_trial", "sqnr_db"})
        EXPECT_EQ(row.at(member), whole.at(member)) << member;
}

TEST_F(FarmCommand, ScriptsRunEveryShard) {
    const CommandOutcome made =
        plan("p.json", {"--shards", "3", "--slurm", file("job.sh")}, accuracy());
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_NE(made.out.find("seq 0 2 | parallel -j 1 lapidary-cli farm run"), std::string::npos)
        << made.out;
    const std::string script = text_of("job.sh");
    for (const char* part : {"--array=0-2", "--dependency=afterany:", "#SBATCH --requeue",
                             "--shard \"$SLURM_ARRAY_TASK_ID\"", "farm merge"})
        EXPECT_NE(script.find(part), std::string::npos) << part << '\n' << script;
#ifndef _WIN32
    if (std::system("command -v bash > /dev/null") == 0)
        EXPECT_EQ(std::system(("bash -n '" + file("job.sh") + "'").c_str()), 0);
#endif
}

#ifndef _WIN32
TEST_F(FarmCommand, OptionsOfTheArrayAreNotThoseOfTheMergingJob) {
    if (std::system("command -v bash > /dev/null") != 0) GTEST_SKIP() << "bash is not there";
    ASSERT_EQ(plan("p.json", {"--shards", "3", "--slurm", file("job.sh")}, accuracy()).code, 0);
    // in place of Slurm's: prints a number of a job, and keeps its arguments
    std::ofstream(folder_ / "sbatch") << "#!/bin/sh\necho \"$*\" >> " << file("calls")
                                      << "\ncase $* in *merge) echo '12;here' ;; "
                                         "*) echo '11;here' ;; esac\n";
    fs::permissions(folder_ / "sbatch", fs::perms::owner_all);
    const auto submit = [&](const std::string& settings, const std::string& options) {
        fs::remove(folder_ / "calls");
        return std::system(("unset SLURM_JOB_ID; " + settings + " PATH='" +
                            folder_.path().string() + ":'\"$PATH\" bash '" + file("job.sh") + "' " +
                            options + " > '" + file("said") + "'")
                               .c_str());
    };
    ASSERT_EQ(submit("", "--array=0-2%1 -a 0-2%1 --gres=gpu:1"), 0);
    EXPECT_EQ(text_of("said"), "array 11, merge 12; to cancel both: scancel 11 12\n");
    const std::string calls = text_of("calls"), merging = calls.substr(calls.find('\n') + 1);
    EXPECT_NE(calls.find("--array=0-2%1 -a 0-2%1 --gres=gpu:1"), std::string::npos) << calls;
    EXPECT_EQ(merging.find("0-2%1"), std::string::npos) << merging;
    EXPECT_NE(merging.find("--gres=gpu:1"), std::string::npos) << merging;
    EXPECT_NE(merging.find("--dependency=afterany:11 "), std::string::npos) << merging;
    ASSERT_EQ(submit("LAPIDARY_MERGE_OPTIONS='--time=5 --mem=1G'", "--exclusive"), 0);
    const std::string other = text_of("calls"), own = other.substr(other.find('\n') + 1);
    EXPECT_NE(own.find("--time=5 --mem=1G"), std::string::npos) << own;
    EXPECT_EQ(own.find("--exclusive"), std::string::npos) << own;
    ASSERT_EQ(submit("LAPIDARY_MERGE_OPTIONS=", ""), 0);
}
#endif

TEST_F(FarmCommand, MistakesAreOneSentence) {
    expect_error(run({"farm", "plan", file("p.json"), "--shards", "2"}), 2, {"command", "--"});
    expect_error(plan("p.json", {}, accuracy()), 2, {"--shards", "--per-shard"});
    expect_error(plan("p.json", {"--shards", "2"}, {"info"}), 2, {"model"});
    expect_error(plan("p.json", {"--shards", "2"}, {"nonsense"}), 2, {"nonsense"});
    expect_error(plan("p.json", {"--shards", "2"}, {"info", file("m.onnx")}), 2, {"--models"});
    expect_error(
        plan("p.json", {"--shards", "2", "--split", "samples", "--models", file("zoo")}, {"info"}),
        2, {"--labels"});
    expect_error(plan("p.json", {"--shards", "2", "--models", file("zoo")},
                      {"optimize", "{}", "-o", file("one.onnx")}),
                 2, {"one.onnx", "{name}"});
    const CommandOutcome json =
        plan("p.json", {"--shards", "2", "--models", file("zoo")}, {"info", "--json"});
    EXPECT_EQ(json.code, 2);
    EXPECT_NE(json.err.find("leave out --json"), std::string::npos) << json.err;
    expect_error(plan("p.json", {"--shards", "2", "--models", file("none/*.onnx")}, {"info"}), 3,
                 {"none"});
    ASSERT_EQ(plan("p.json", {"--shards", "2"}, accuracy()).code, 0);
    expect_error(run({"farm", "run", file("p.json")}), 2,
                 {"--shard is needed", "lapidary-cli farm --help"});
    expect_error(run({"farm", "plan", file("p.json"), "--models", file("zoo"), "--shards", "2",
                      "bench", "--seconds", "1"}),
                 2, {"farm has no option \"--seconds\"", "stand behind --, as in -- bench ..."});
    expect_error(run({"farm", "run", file("p.json"), "--shard", "2"}), 2, {"from 0 to 1"});
    std::ofstream(folder_ / "bad.json") << "{\"shards\": 0}";
    expect_error(run({"farm", "merge", file("bad.json")}), 3, {"bad.json"});
}

TEST(FarmWords, AreFilledInAndQuotedForTheShell) {
    using cli::words_for_model;
    EXPECT_EQ(words_for_model({"run", "{}", "--outputs", "out/{name}.npz"}, "zoo/a b.onnx"),
              (cli::Words{"run", "zoo/a b.onnx", "--outputs", "out/a b.npz"}));
    EXPECT_EQ(words_for_model({"run", "--runs", "2"}, "sample:mlp"),
              (cli::Words{"run", "sample:mlp", "--runs", "2"}));
    EXPECT_EQ(cli::shell_line({"run", "a b", "it's", ""}), R"(run 'a b' 'it'\''s' '')");
    for (const cli::Words& form : {cli::Words{"-o", "x"}, cli::Words{"-ox"}, cli::Words{"-qox"},
                                   cli::Words{"--output=x"}, cli::Words{"--output", "x"}})
        EXPECT_EQ(cli::outputs_in(cli::with_options({"optimize", "m.onnx"}, form)), cli::Words{"x"})
            << form.front();
    EXPECT_EQ(cli::outputs_in({"run", "m.onnx", "--outputs", "o.npz"}), cli::Words{"o.npz"});
    EXPECT_TRUE(cli::outputs_in({"accuracy", "m.onnx", "--output", "logits"}).empty());
    EXPECT_TRUE(cli::outputs_in({"run", "--help"}).empty());
    EXPECT_EQ(cli::with_options({"run", "--", "m"}, {"--json"}),
              (cli::Words{"run", "--json", "--", "m"}));
}

}  // namespace
}  // namespace lapidary
