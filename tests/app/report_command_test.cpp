// SPDX-License-Identifier: Apache-2.0
// report, compare and snippet as a user runs them.
#include <fstream>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<std::string> quickly{"--runs", "2", "--warmup", "1", "--seconds", "0.2"};

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(ReportCommand, WritesPageAndTables) {
    const TemporaryFolder folder;
    std::ofstream(folder / "notes.txt") << "measured <before> lunch";
    const CommandOutcome outcome =
        run(with({"report", "sample:lenet", "-o", (folder / "r.html").string(), "--against",
                  "disabled", "--tables", (folder / "tables").string(), "--notes",
                  (folder / "notes.txt").string(), "--json"},
                 quickly));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["report"], (folder / "r.html").string());
    EXPECT_TRUE(outcome.json()["outputs_match"]);
    const std::string page = text_of(folder / "r.html");
    for (const char* part :
         {"measured &lt;before&gt; lunch", "lapidary-cli profile sample:lenet --level disabled",
          "id=\"measurements\"", "Conv", "class=\"waterfall\"", "</html>"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    for (const char* table : {"nodes", "operators", "measurements", "differences",
                              "operator_differences", "passes", "phases", "outputs"})
        EXPECT_GT(std::filesystem::file_size(folder / "tables" / (std::string(table) + ".csv")),
                  20u)
            << table;
    const Json json = Json::parse(text_of(folder / "tables/report.json"));
    EXPECT_EQ(json["sides"].size(), 2u);
    EXPECT_EQ(json["sides"][1]["name"], "all");
    EXPECT_FALSE(json["difference"]["sentence"].get<std::string>().empty());
}

TEST(ReportCommand, SaysWhatIsWrong) {
    const TemporaryFolder folder;
    expect_error(run({"report", "sample:lenet"}), 2, {"-o F.html"});
    expect_error(run({"report", "sample:nothing", "-o", (folder / "r.html").string()}), 3,
                 {"nothing"});
    expect_error(run({"report", "sample:lenet", "-o", (folder / "missing/r.html").string(),
                      "--runs", "1", "--no-measure"}),
                 3, {"missing"});
    expect_error(run({"report", "sample:lenet", "-o", (folder / "r.html").string(),
                      "--disable-pass", "nonsense"}),
                 2, {"nonsense"});
    expect_error(run({"report", "sample:lenet", "-o", (folder / "r.html").string(), "--notes",
                      (folder / "none.txt").string()}),
                 2, {"none.txt"});
    EXPECT_FALSE(std::filesystem::exists(folder / "r.html"));
}

TEST(CompareCommand, ComparesLevelsOfOneModel) {
    const CommandOutcome outcome = run(with(
        {"compare", "sample:lenet", "--level", "disabled", "--level", "all", "--json"}, quickly));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json["a"]["name"], "disabled");
    EXPECT_EQ(json["b"]["name"], "all");
    EXPECT_EQ(json["matched_by"], "original_node");
    EXPECT_GT(json["difference"]["ratio"].get<double>(), 0);
    EXPECT_GT(json["a"]["median_ms"].get<double>(), 0);
    EXPECT_TRUE(json["outputs"][0]["matches"]);
    EXPECT_LT(json["b"]["nodes"], json["a"]["nodes"]);
    double a_ms = 0;
    for (const Json& op : json["operators"]) a_ms += op["a_ms"].get<double>();
    EXPECT_NEAR(a_ms, json["a"]["profile"]["wall_ms"].get<double>(), 1e-6)
        << "with the session overhead";
    const CommandOutcome printed =
        run(with({"compare", "sample:lenet", "--level", "basic", "--level", "all"}, quickly));
    EXPECT_EQ(printed.code, 0) << printed.err;
    for (const char* part :
         {"original nodes", "operators", "outputs", "Conv", "session overhead", "SQNR", "ok"})
        EXPECT_NE(printed.out.find(part), std::string::npos) << part;
}

TEST(CompareCommand, ReportsDifferentOutputsByItsExitCode) {
    const TemporaryFolder folder;
    for (const char* seed : {"1", "2"})
        ASSERT_EQ(run({"sample", "mlp", "--seed", seed, "-o",
                       (folder / (std::string(seed) + ".onnx")).string()})
                      .code,
                  0);
    const CommandOutcome outcome =
        run(with({"compare", (folder / "1.onnx").string(), (folder / "2.onnx").string(), "--json",
                  "-o", (folder / "c.html").string()},
                 quickly));
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_EQ(outcome.json()["matched_by"], "name");
    EXPECT_FALSE(outcome.json()["outputs"][0]["matches"]);
    EXPECT_FALSE(outcome.json()["outputs"][0]["reason"].get<std::string>().empty());
    EXPECT_NE(text_of(folder / "c.html").find("The outputs differ"), std::string::npos);
    const CommandOutcome same = run(with({"compare", (folder / "1.onnx").string(),
                                          (folder / "1.onnx").string(), "--max-regress", "1000"},
                                         quickly));
    EXPECT_EQ(same.code, 0) << same.out;
}

TEST(CompareCommand, SaysWhyTwoModelsCannotBeCompared) {
    expect_error(run({"compare", "sample:mlp"}), 3, {"--level twice"});
    expect_error(run({"compare", "sample:mlp", "--level", "all"}), 3, {"--level twice"});
    expect_error(run({"compare", "sample:mlp", "sample:bert-tiny"}), 3,
                 {"input_ids", "one of them only"});
    expect_error(run({"compare"}), 2, {"models"});
}

TEST(SnippetCommand, PrintsAndWritesPrograms) {
    const TemporaryFolder folder;
    const CommandOutcome printed =
        run({"snippet", "sample:mlp", "--language", "python", "--release", "1.18", "--intra", "3"});
    ASSERT_EQ(printed.code, 0) << printed.err;
    EXPECT_EQ(printed.err, "");
    const CommandOutcome old_name = run(
        {"snippet", "sample:mlp", "--language", "python", "--onnxruntime", "1.18", "--intra", "3"});
    EXPECT_EQ(old_name.out, printed.out);
    EXPECT_NE(old_name.err.find("--onnxruntime 1.18 is taken as --release 1.18"), std::string::npos)
        << old_name.err;
    expect_error(run({"snippet", "sample:mlp", "--language", "c", "--onnxruntime",
                      (folder / "none").string()}),
                 4, {"none"});
    for (const char* part : {"onnxruntime==1.18.*", "intra_op_num_threads = 3", "np.zeros"})
        EXPECT_NE(printed.out.find(part), std::string::npos) << part;
    ASSERT_EQ(
        run({"snippet", "sample:mlp", "--language", "cpp", "-o", (folder / "main.cpp").string()})
            .code,
        0);
    EXPECT_NE(text_of(folder / "main.cpp").find("Ort::Session session"), std::string::npos);
    expect_error(run({"snippet", "sample:mlp", "--language", "cobol"}), 2, {"cobol"});
    expect_error(run({"snippet", "sample:mlp", "--language", "c", "--onnxruntime", "0.9"}), 4,
                 {"0.9", "1.12 to"});
    expect_error(
        run({"snippet", "sample:mlp", "--language", "c", "--disable-optimizer", "Nonsense"}), 4,
        {"Nonsense"});
}

}  // namespace
}  // namespace lapidary
