// SPDX-License-Identifier: Apache-2.0
// What a session over two providers says of itself: copies and their causes, reasons why nodes are
// left to the CPU, times of each provider, errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/profile/trace_file.h>

#include "split_sessions.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

TEST(SplitRun, NamesCopiesWithTheirCauses) {
    const Session session =
        Session::compile(model_of(two_paths), one_kernel_per_node(taking({"Relu", "Add"})));
    std::map<std::string, std::string> causes;
    for (const PlannedCopy& copy : session.placement().copies) {
        causes[copy.value + " " + copy.from + " " + copy.to] = copy.cause;
        EXPECT_EQ(copy.bytes, -1);  // n is known when it runs
    }
    ASSERT_EQ(causes.size(), 4u);  // x and b to it, a and y back
    EXPECT_EQ(causes.at("y second CPU"), "graph output \"y\"");
    EXPECT_TRUE(causes.at("x CPU second").find("Relu") != std::string::npos);
    EXPECT_TRUE(causes.at("b CPU second").find("Add") != std::string::npos);
    EXPECT_TRUE(causes.at("a second CPU").find("and 1 more") != std::string::npos);  // Exp and Neg
}

TEST(SplitRun, ForbiddenFallbackNamesTheFirstNodeAndWhy) {
    SessionOptions options = one_kernel_per_node(taking({"Relu", "Add"}));
    options.fallback = Fallback::forbid;
    try {
        Session::compile(model_of(two_paths), options);
        FAIL() << "compiled";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::not_supported);
        const std::string text = e.what();
        EXPECT_TRUE(text.find("Exp") != std::string::npos &&
                    text.find("second: it is not wanted; and 1 more") != std::string::npos)
            << text;
    }
    options.providers = {taking({"Relu", "Add", "Exp", "Neg"})};
    EXPECT_NO_THROW(Session::compile(model_of(two_paths), options));
    options.providers.clear();
    EXPECT_THROW(Session::compile(model_of(two_paths), options), Error);
}

TEST(SplitRun, NamesOfProvidersAreApart) {
    SessionOptions options = one_kernel_per_node(taking({"Relu"}));
    options.providers.push_back(taking({"Exp"}));
    EXPECT_THROW(Session::compile(model_of(two_paths), options), Error);
    options.providers.back() = nullptr;
    EXPECT_THROW(Session::compile(model_of(two_paths), options), Error);
}

TEST(SplitRun, SummariesAndTracesDistinguishProviders) {
    const ModelPtr model = model_of(two_paths);
    Session split = Session::compile(model, one_kernel_per_node(taking({"Relu", "Add"})));
    GenerateOptions generate;
    generate.dimensions["n"] = 16;
    RunOptions run;
    run.profile = true;
    run.repetitions = 3;
    const auto profile = split.run(generate_inputs(*model, {}, generate), run).profile;
    const ProfileSummary summary = summarize(*profile);
    ASSERT_EQ(summary.providers.size(), 2u);
    const auto of = [&](std::string_view name) {
        return *std::ranges::find(summary.providers, name, &ProviderTotal::provider);
    };
    EXPECT_EQ(of("CPU").nodes, 2);
    EXPECT_EQ(of("CPU").copies, 0);
    EXPECT_EQ(of("second").nodes, 2);
    EXPECT_EQ(of("second").copies, 4);
    EXPECT_EQ(of("second").copied_bytes, 4 * 4 * 16 * 4);
    EXPECT_GT(of("second").copy_ms, 0);

    const TemporaryFolder folder;
    save_chrome_trace(*profile, folder / "trace.json");
    const Profile back = load_chrome_trace(folder / "trace.json");
    ASSERT_EQ(back.kernels.size(), profile->kernels.size());
    for (std::size_t i = 0; i < back.kernels.size(); ++i) {
        const Span &was = profile->kernels[i], &is = back.kernels[i];
        EXPECT_EQ(back.provider(is), profile->provider(was));
        EXPECT_EQ(is.kind, was.kind);
        EXPECT_EQ(is.bytes, was.bytes);
        EXPECT_EQ(is.thread != 0, profile->provider(was) == "second");  // a lane of its own
    }
}

TEST(SplitRun, ProfilesOfTheCpuAloneNameNoProviders) {
    const ModelPtr model = model_of(two_paths);
    Session alone = Session::compile(model);
    RunOptions run;
    run.profile = true;
    const auto profile = alone.run(inputs_of(*model, 0), run).profile;
    EXPECT_TRUE(summarize(*profile).providers.empty());
    EXPECT_TRUE(alone.placement().uses_cpu_alone());
    EXPECT_TRUE(alone.placement().nodes.empty());
    for (const StepInfo& step : alone.plan().steps) EXPECT_EQ(step.provider, "CPU");
}

TEST(SplitRun, AProviderThatTakesNothingLeavesItsReasons) {
    const Session session = Session::compile(model_of(two_paths), one_kernel_per_node(taking({})));
    EXPECT_TRUE(session.placement().uses_cpu_alone());
    EXPECT_TRUE(session.placement().copies.empty());
    ASSERT_EQ(session.placement().nodes.size(), 4u);
    for (const NodePlacement& node : session.placement().nodes) {
        ASSERT_EQ(node.reasons.size(), 1u);
        EXPECT_EQ(node.reasons[0].provider + ": " + node.reasons[0].reason,
                  "second: it is not wanted");
    }
    for (const StepInfo& step : session.plan().steps)
        EXPECT_EQ(step.passed_over.back(),
                  (std::pair<std::string, std::string>("second", "it is not wanted")));
}

}  // namespace
}  // namespace lapidary::test
