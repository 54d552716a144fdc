// SPDX-License-Identifier: Apache-2.0
// What `ci` says of figures and limits, and how reports show it. Nothing is measured here.
#include <string>

#include <gtest/gtest.h>

#include "app/command_runner.h"
#include "cli/ci/ci_limits.h"
#include "cli/ci/ci_report.h"
#include "cli/exit_code.h"

namespace lapidary {
namespace {

using cli::CiCheck;
using cli::CiVerdict;

TEST(CiLimits, SizesAreHeldAgainstTheBaselineOrANumber) {
    const cli::CiReference none{{}, "there is no baseline"}, thousand{1000.0, ""};
    EXPECT_EQ(cli::judge_growth(1050, {.per_cent = 5}, thousand).verdict, CiVerdict::kept);
    EXPECT_EQ(cli::judge_growth(1051, {.per_cent = 5}, thousand).verdict, CiVerdict::worse);
    EXPECT_EQ(cli::judge_growth(10, {.per_cent = 0}, thousand).verdict, CiVerdict::kept);
    const CiCheck unresolved = cli::judge_growth(10, {.per_cent = 5}, none);
    EXPECT_EQ(unresolved.verdict, CiVerdict::unresolved) << "never a silent pass";
    EXPECT_EQ(unresolved.sentence, "there is no baseline");
    EXPECT_EQ(cli::judge_growth(10, {.bytes = 10}, none).verdict, CiVerdict::kept);
    EXPECT_EQ(cli::judge_growth(11, {.bytes = 10}, none).verdict, CiVerdict::worse);
    EXPECT_EQ(cli::judge_growth(11, {}, none).verdict, CiVerdict::reported);
    const CiCheck updated = cli::judge_growth(11, {.per_cent = 5}, {{}, "", true});
    EXPECT_EQ(updated.verdict, CiVerdict::reported) << "it becomes the baseline";
    EXPECT_EQ(cli::judge_growth(11, {.bytes = 10}, {{}, "", true}).verdict, CiVerdict::worse);
    const CiCheck nothing = cli::judge_growth(10, {.per_cent = 5}, {0.0, ""});
    EXPECT_EQ(nothing.verdict, CiVerdict::unresolved);
    EXPECT_FALSE(nothing.sentence.empty()) << "never without a reason";
}

TEST(CiLimits, AccuracyHasAFloorAndADrop) {
    cli::CiLimits floor, drop, both;
    floor.least_accuracy = both.least_accuracy = 0.7;
    drop.accuracy_drop = both.accuracy_drop = 1;
    const cli::CiReference none{{}, "there is no baseline"}, then{0.8, ""};
    EXPECT_EQ(cli::judge_share(0.7, {}, floor, none).verdict, CiVerdict::kept);
    EXPECT_EQ(cli::judge_share(0.69, {}, floor, then).verdict, CiVerdict::worse);
    EXPECT_EQ(cli::judge_share(0.79, {}, drop, then).verdict, CiVerdict::kept);
    EXPECT_EQ(cli::judge_share(0.78, {}, drop, then).verdict, CiVerdict::worse);
    EXPECT_EQ(cli::judge_share(0.9, {}, drop, none).verdict, CiVerdict::unresolved);
    EXPECT_EQ(cli::judge_share(0.9, {}, both, none).verdict, CiVerdict::unresolved)
        << "the floor alone does not pass";
    EXPECT_EQ(cli::judge_share(0.6, {}, both, none).verdict, CiVerdict::worse);
    const std::string below_both = cli::judge_share(0.6, {}, both, then).sentence;
    EXPECT_NE(below_both.find("asked for; 1 points less allowed"), std::string::npos) << below_both;
    EXPECT_EQ(cli::judge_share(0.75, {}, both, then).verdict, CiVerdict::worse);
    EXPECT_EQ(cli::judge_share(0.9, {}, both, {{}, "", true}).verdict, CiVerdict::kept);
    EXPECT_EQ(cli::judge_share(0.9, {}, {}, none).verdict, CiVerdict::reported);
}

TEST(CiLimits, ANewBaselineMayBeWorse) {
    const CiCheck replaced = cli::judge_growth(2000, {.per_cent = 5}, {1000.0, "", true});
    EXPECT_EQ(replaced.verdict, CiVerdict::reported) << "a new baseline may be worse";
    EXPECT_EQ(replaced.change, 100) << "and shows by how much";
    cli::CiLimits drop;
    drop.accuracy_drop = 1;
    EXPECT_EQ(cli::judge_share(0.7, {}, drop, {0.8, "", true}).verdict, CiVerdict::reported);
}

LocatedJson measured() {
    return parse_located_json(R"({"ours": {"median_ms": 2, "ci_ms": [1.9, 2.1]}})", "test");
}

LocatedJson held(const std::string& verdict) {
    return parse_located_json(
        R"({"found": true, "then_ms": 1, "change_per_cent": 100, "ci_per_cent": [90, 110],
            "verdict": ")" +
            verdict + R"(", "sentence": "in words"})",
        "test");
}

TEST(CiLimits, TimesHaveTheVerdictOfTheGate) {
    const cli::CiReference none{{}, "there is no baseline"};
    const LocatedJson now = measured(), missing = parse_located_json(R"({"found": false})", "test");
    const auto verdict = [&](const LocatedJson* gate, std::optional<double> limit) {
        return cli::judge_time(now, gate, limit, none).verdict;
    };
    for (const auto& [name, expected] :
         {std::pair("passes", CiVerdict::kept), std::pair("fails", CiVerdict::worse),
          std::pair("unresolved", CiVerdict::unresolved)}) {
        const LocatedJson gate = held(name);
        EXPECT_EQ(verdict(&gate, 5), expected) << name;
        EXPECT_EQ(verdict(&gate, {}), CiVerdict::reported);
    }
    const LocatedJson worse = held("fails"), vague = held("unresolved");
    const std::string slower = cli::judge_time(now, &worse, 5, none).sentence;
    EXPECT_NE(slower.find(", baseline 1"), std::string::npos) << slower;
    EXPECT_EQ(slower.find("then"), std::string::npos) << slower;
    const std::string advice = cli::judge_time(now, &vague, 5, none).sentence;
    EXPECT_NE(advice.find("\"gate_seconds\""), std::string::npos) << advice;
    EXPECT_EQ(verdict(nullptr, 5), CiVerdict::unresolved);
    EXPECT_EQ(verdict(&missing, 5), CiVerdict::unresolved);
    EXPECT_EQ(verdict(nullptr, {}), CiVerdict::reported);
    EXPECT_EQ(cli::judge_time(now, nullptr, 5, {{}, "", true}).verdict, CiVerdict::reported);
}

cli::CiResult result_of(const std::vector<CiVerdict>& verdicts) {
    cli::CiResult result;
    cli::CiModelResult& model = result.models.emplace_back();
    model.name = "a<b>&\"c\"|d\x01";
    for (const CiVerdict verdict : verdicts) {
        CiCheck& check = model.checks.emplace_back();
        check.verdict = verdict;
        check.sentence = "x|y <z>";
    }
    return result;
}

TEST(CiReports, TheWorstVerdictIsTheExitCode) {
    using enum CiVerdict;
    EXPECT_EQ(cli::exit_code_of(result_of({})), cli::exit_fine);
    EXPECT_EQ(cli::exit_code_of(result_of({reported})), cli::exit_fine);
    EXPECT_EQ(cli::exit_code_of(result_of({kept, reported})), cli::exit_fine);
    EXPECT_EQ(cli::exit_code_of(result_of({kept, unresolved})), cli::exit_unresolved);
    EXPECT_EQ(cli::exit_code_of(result_of({broken, unresolved})), cli::exit_bad_input);
    EXPECT_EQ(cli::exit_code_of(result_of({worse, broken, unresolved})), cli::exit_check_failed);
    EXPECT_EQ(cli::worst_of(result_of({kept, reported})), kept);
}

TEST(CiReports, CountVerdictsApartAndEscapeNames) {
    using enum CiVerdict;
    const cli::CiResult result = result_of({kept, worse, worse, broken, unresolved, reported});
    EXPECT_EQ(cli::ci_counts_text(result),
              "2 worse, 1 broken, 1 unresolved, 1 kept, 1 reported without a limit");
    cli::CiResult updated = result_of({kept, reported, reported});
    updated.models[0].checks[1].limit = "5 % larger";
    EXPECT_EQ(cli::ci_counts_text(updated),
              "1 kept, 1 measured for the baseline, 1 reported without a limit");
    updated.models[0].warnings = {"labels say | little"};
    EXPECT_NE(cli::ci_junit(updated).find("labels say | little"), std::string::npos);
    EXPECT_NE(cli::ci_markdown(updated).find("- warning: labels say \\| little"),
              std::string::npos);
    const std::string xml = cli::ci_junit(result);
    EXPECT_NE(xml.find("tests=\"5\" failures=\"2\" errors=\"1\" skipped=\"1\""), std::string::npos)
        << xml;
    EXPECT_NE(xml.find("a&lt;b&gt;&amp;&quot;c&quot;|d\\x01"), std::string::npos) << xml;
    const std::string markdown = cli::ci_markdown(result);
    EXPECT_EQ(markdown.find("<b>"), std::string::npos) << markdown;
    EXPECT_NE(markdown.find("x\\|y &lt;z>"), std::string::npos) << markdown;
}

TEST(CiReports, HaveNoCharacterThatXmlLacks) {
    cli::CiResult result = result_of({CiVerdict::kept});
    result.models[0].name = "a\xef\xbf\xbf\xef\xbf\xbe\xef\xbf\xbd";
    result.models[0].checks[0].now = 12345678901;
    const std::string xml = cli::ci_junit(result);
    EXPECT_NE(xml.find("\"a\\uffff\\ufffe\xef\xbf\xbd\""), std::string::npos) << xml;
    EXPECT_NE(xml.find("\"12345678901\""), std::string::npos) << "all digits: " << xml;
}

}  // namespace
}  // namespace lapidary
