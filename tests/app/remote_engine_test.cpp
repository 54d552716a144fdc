// SPDX-License-Identifier: Apache-2.0
// Jobs on another machine, which is this one behind a script in place of ssh.
#include <sys/types.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/worker_engine_fixture.h"
#include "support/fake_target.h"
#include "worker/jobs/profile_job.h"
#include "worker/remote/remote_engine.h"
#include "worker/remote/ssh.h"
#include "worker/remote/target_program.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::FakeTarget;

template <typename Predicate>
bool comes_true(Predicate predicate) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!predicate() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(10ms);
    return predicate();
}

/// A sample in a file, with its time stamp, as a window sends it.
ModelSource filed(const fs::path& file) {
    save_model(build_sample("mlp"), file);
    ModelSource source;
    source.file = file;
    source.file_bytes = fs::file_size(file);
    source.file_modified = fs::last_write_time(file).time_since_epoch().count();
    source.model = std::make_shared<const Model>(load_model(file));
    return source;
}

/// A job that takes minutes unless it is ended.
ProfileJob long_job() { return ProfileJob{sample("squeezenet"), few_runs(100'000)}; }

/// The error that the job ends with, when act() was called while it ran.
template <typename Act>
Error error_of_long_job(RemoteEngine& engine, const Act& act) {
    std::atomic<bool> runs = false;
    Progress progress;
    progress.report = [&](std::string_view stage, double) { runs = runs || stage == "run"; };
    Error ended(ErrorCode::internal, "nothing happened");
    std::thread caller([&] {
        try {
            engine.call(long_job(), progress);
        } catch (const Error& error) { ended = error; }
    });
    EXPECT_TRUE(comes_true([&] { return runs.load(); }));
    act(progress.cancel);
    caller.join();
    return ended;
}

TEST(RemoteEngine, RunsJobsOnFilesThatItSendsOnce) {
    const FakeTarget target;
    const TemporaryFolder folder;
    const ModelSource source = filed(folder / "net.onnx");
    const RunRecord here = LocalEngine().call(ProfileJob{source, few_runs()}, {});
    {
        RemoteEngine engine(read_target("pi@board"));
        const TargetFacts facts = engine.facts({});
        EXPECT_EQ(facts.architecture, own_architecture());
        EXPECT_GT(facts.machine.cores, 0);
        EXPECT_NE(facts.text().find(facts.version), std::string::npos) << facts.text();
        const RunRecord there = engine.call(ProfileJob{source, few_runs()}, {});
        ASSERT_EQ(there.outputs.size(), here.outputs.size());
        for (std::size_t i = 0; i < there.outputs.size(); ++i) {
            const auto a = there.outputs[i].second.tensor().bytes();
            const auto b = here.outputs[i].second.tensor().bytes();
            EXPECT_TRUE(std::ranges::equal(a, b));
        }
        EXPECT_EQ(there.summary.nodes.size(), here.summary.nodes.size());
        EXPECT_EQ(FakeTarget::entries(target.cache() / "files"), 2u);  // and its index
        engine.call(ProfileJob{source, few_runs()}, {});
        EXPECT_EQ(target.connections(), 3u);  // a question, the program, the worker
    }
    EXPECT_TRUE(comes_true([&] { return !FakeTarget::is_running(target.worker()); }));
    RemoteEngine again(read_target("pi@board"));
    const MeasureJob measure = [&] {
        MeasureJob job;
        job.candidates.push_back({source, {}});
        job.options.runs = 3;
        return job;
    }();
    EXPECT_EQ(again.call(measure, {}).size(), 1u);
    EXPECT_EQ(target.connections(), 5u);
    EXPECT_EQ(FakeTarget::entries(target.cache() / "files"), 2u);
    EXPECT_EQ(FakeTarget::entries(target.cache() / "programs"), 1u);
}

TEST(RemoteEngine, SaysThatTheConnectionEndedAndGoesOn) {
    const FakeTarget target;
    RemoteEngine engine(read_target("board"));
    engine.facts({});
    const pid_t worker = target.worker();
    const Error cut = error_of_long_job(
        engine, [&](const CancelToken&) { ::kill(target.connection(), SIGKILL); });
    EXPECT_EQ(cut.code(), ErrorCode::process_ended) << cut.what();
    EXPECT_NE(std::string(cut.what()).find("connection to board"), std::string::npos) << cut.what();
    EXPECT_TRUE(comes_true([&] { return !FakeTarget::is_running(worker); }))
        << "the worker goes on without a connection";

    const Error killed =
        error_of_long_job(engine, [&](const CancelToken&) { ::kill(target.worker(), SIGKILL); });
    EXPECT_EQ(killed.code(), ErrorCode::process_ended) << killed.what();

    const Error cancelled =
        error_of_long_job(engine, [](const CancelToken& cancel) { cancel.cancel(); });
    EXPECT_TRUE(cancelled.code() == ErrorCode::cancelled ||
                std::string(cancelled.what()).find("nothing happened") == 0)
        << cancelled.what();  // a profile has the runs that were finished
    EXPECT_FALSE(engine.call(ProfileJob{sample("mlp"), few_runs()}, {}).outputs.empty());
}

TEST(RemoteEngine, GivesUpASilentConnection) {
    const FakeTarget target;
    RemoteEngine engine(read_target("board"));
    engine.facts({});
    pid_t stopped = 0;
    const Error silent = error_of_long_job(engine, [&](const CancelToken&) {
        stopped = target.worker();
        ::kill(stopped, SIGSTOP);
    });
    EXPECT_EQ(silent.code(), ErrorCode::process_ended) << silent.what();
    EXPECT_NE(std::string(silent.what()).find("board was silent"), std::string::npos)
        << silent.what();
    ::kill(stopped, SIGCONT);
    EXPECT_TRUE(comes_true([&] { return !FakeTarget::is_running(stopped); }));
}

TEST(RemoteEngine, SaysWhyThereIsNoConnection) {
    const FakeTarget target;
    const auto problem = [](const char* host) {
        try {
            try_target(read_target(host), {});
        } catch (const Error& error) { return std::string(error.what()); }
        return std::string();
    };
    EXPECT_NE(problem("nowhere").find("nowhere cannot be reached: ssh: connect to host nowhere"),
              std::string::npos)
        << problem("nowhere");
    ::setenv("LAPIDARY_SSH", "/there/is/no/ssh", 1);
    EXPECT_NE(problem("board").find("LAPIDARY_SSH"), std::string::npos) << problem("board");
}

TEST(RemoteEngine, GivesUpAShellThatDoesNotAnswer) {
    const TemporaryFolder folder;
    const fs::path ssh = folder / "ssh";
    const auto problem = [&](const std::string& command) {
        std::ofstream(ssh) << "#!/bin/sh\nexec " << command << "\n";
        fs::permissions(ssh, fs::perms::owner_all);
        ::setenv("LAPIDARY_SSH", ssh.c_str(), 1);
        std::string text;
        try {
            run_script(read_target("pi@board"), "exit 0", {}, {}, 1s);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::io_failure);
            text = error.what();
        }
        ::unsetenv("LAPIDARY_SSH");
        return text;
    };
    const std::string late = problem("sleep 600");
    EXPECT_NE(late.find("pi@board did not answer within 1 seconds"), std::string::npos) << late;
    const std::string flood = problem("head -c 3000000 /dev/zero | tr '\\0' '\\n'");
    EXPECT_NE(flood.find("pi@board wrote more than 1048576 bytes"), std::string::npos) << flood;
}

TEST(RemoteEngine, SaysWhyThereIsNoProgram) {
    const TemporaryFolder folder;
    const auto problem = [](const char* architecture) {
        try {
            find_target_program(read_target("pi@board"), "Linux", architecture, {});
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::not_supported);
            return std::string(error.what());
        }
        return std::string();
    };
    const auto expect = [&](const char* architecture, const std::vector<std::string>& parts) {
        for (const std::string& part : parts)
            EXPECT_NE(problem(architecture).find(part), std::string::npos)
                << part << " in " << problem(architecture);
    };
    expect("armv7l",
           {"pi@board runs Linux on armv7l", "x86_64 and aarch64 alone", "64-bit system"});
    expect("riscv64", {"pi@board runs Linux on riscv64; lapidary-cli is made for"});
    EXPECT_EQ(problem("riscv64").find("64-bit system"), std::string::npos);

    const char* const other = own_architecture() == "aarch64" ? "x86_64" : "aarch64";
    fs::create_directories(folder / "empty");
    fs::create_directories(folder / "wrong" / "bin");
    std::ofstream(folder / "wrong" / "bin" / "lapidary-cli") << "no program";
    const std::string none = (folder / "none").string();
    const std::string listed =
        none + ":" + (folder / "empty").string() + ":" + (folder / "wrong").string();
    ::setenv("LAPIDARY_TARGETS", listed.c_str(), 1);
    const std::string text = problem(other);
    ::unsetenv("LAPIDARY_TARGETS");
    if (text.empty()) GTEST_SKIP() << "a program for " << other << " lies beside this one";
    for (const std::string& part :
         {"LAPIDARY_TARGETS: \"" + none + "\" is not a folder",
          std::string("empty\" has no bin/lapidary-cli"),
          std::string("lapidary-cli\" is not a program for Linux on "), std::string("same commit")})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

}  // namespace
}  // namespace lapidary::app
