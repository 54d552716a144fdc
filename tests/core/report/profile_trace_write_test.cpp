// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/profile/profile.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

TEST(TraceWriting, WritesMemoryAsACounterAndNamesEveryThread) {
    const auto model = std::make_shared<const Model>(build_sample("lenet"));
    Session session = Session::compile(
        model,
        {.resources = {.threads = 2}, .enable_mem_pattern = false, .enable_profiling = true});
    RunOptions run;
    run.profile = true;
    Profile profile = *session.run(generate_inputs(*model), run).profile;
    Span copy;
    copy.kind = EventKind::copy;
    copy.label = profile.labels.add({.name = "to device"});
    copy.thread = 7;
    copy.begin_ns = 100;
    copy.end_ns = 900;
    copy.bytes = 4096;
    profile.memory.insert(profile.memory.begin(), copy);

    std::ostringstream text;
    write_chrome_trace(profile, text);
    const auto trace = nlohmann::json::parse(text.str());
    std::set<std::int64_t> named, used;
    std::int64_t held = 0, counters = 0, copies = 0;
    for (const auto& event : trace["traceEvents"]) {
        const std::string phase = event["ph"];
        if (phase == "M" && event["name"] == "thread_name")
            named.insert(event["tid"].get<std::int64_t>());
        if (phase == "X" || phase == "i") used.insert(event["tid"].get<std::int64_t>());
        if (phase == "i")
            held += event["name"] == "allocate" ? event["args"]["bytes"].get<std::int64_t>()
                                                : -event["args"]["bytes"].get<std::int64_t>();
        if (phase == "C") {
            EXPECT_EQ(event["args"]["bytes"].get<std::int64_t>(), held);
            ++counters;
        }
        if (phase == "X" && event["cat"] == "Copy") ++copies;
    }
    EXPECT_GT(counters, 0);
    EXPECT_EQ(counters + 1, static_cast<std::int64_t>(profile.memory.size()));
    EXPECT_EQ(copies, 1);
    for (std::int64_t thread : used) EXPECT_TRUE(named.contains(thread)) << thread;

    const TemporaryFolder folder;
    save_chrome_trace(profile, folder.path() / "trace.json");
    const Profile back = load_chrome_trace(folder.path() / "trace.json");
    ASSERT_EQ(back.memory.size(), profile.memory.size());
    EXPECT_EQ(back.memory[0].kind, EventKind::copy);
    EXPECT_EQ(back.memory[0].bytes, 4096);
    EXPECT_EQ(back.memory[0].end_ns, 900);
    EXPECT_EQ(back.kernels.size(), profile.kernels.size());
}

}  // namespace
}  // namespace lapidary
