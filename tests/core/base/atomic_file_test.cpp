// SPDX-License-Identifier: Apache-2.0
// Files that are written: nothing is left by a full disk, a limit or a kill; nothing that was read
// is replaced.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/internal/text_file.h>

#include "base/files/atomic_file.h"
#include "base/files/temporary_file.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
protected:
    fs::path put(const std::string& name, const std::string& text = "contents") {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    std::string read(const std::string& name) { return load_text(folder_ / name, 1 << 20); }
    std::vector<std::string> listing() {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            names.push_back(entry.path().filename());
        std::ranges::sort(names);
        return names;
    }
    static std::string refusal(const std::function<void()>& write) {
        try {
            write();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::io_failure);
            return error.what();
        }
        return {};
    }
    /// Runs `work` in a process of its own; its exit code or 128 + signal.
    static int in_child(const std::function<void()>& work) {
        const pid_t child = ::fork();
        if (child == 0) {
            work();
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    TemporaryFolder folder_;
};

TEST_F(AtomicFileTest, FileSizeLimitIsAnErrorAndLeavesNothing) {
    const int code = in_child([&] {
        const rlimit limit{1 << 16, 1 << 16};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const std::string said =
            refusal([&] { save_text(folder_ / "large", std::string(1 << 20, 'x')); });
        ::_exit(said.find("File too large") != std::string::npos ? 7 : 8);
    });
    EXPECT_EQ(code, 7);
    EXPECT_TRUE(listing().empty());
}

TEST_F(AtomicFileTest, KilledWritersLeaveNothingForLong) {
    EXPECT_EQ(in_child([&] {
                  AtomicFile file(folder_ / "out");
                  file.write("half");
                  ::raise(SIGKILL);
              }),
              128 + SIGKILL);
    // where files cannot be nameless, this removes what the killed one left
    save_text(folder_ / "another", "whole");
    EXPECT_EQ(listing(), std::vector<std::string>{"another"});
}

TEST_F(AtomicFileTest, StaleTemporariesGoAndThoseOfTheLivingStay) {
    const fs::path stale = temporary_name_for(folder_ / "old"),
                   held = temporary_name_for(folder_ / "busy");
    put(stale.filename());
    const int holder = create_locked(held);
    ASSERT_GE(holder, 0);
    put(".notes.lapidary-short.tmp");
    put(".other.abcdefghij.tmp");
    save_text(folder_ / "out", "text");
    EXPECT_FALSE(fs::exists(stale));
    EXPECT_TRUE(fs::exists(held)) << "its writer lives";
    EXPECT_TRUE(fs::exists(folder_ / ".notes.lapidary-short.tmp")) << "not one of ours";
    EXPECT_TRUE(fs::exists(folder_ / ".other.abcdefghij.tmp")) << "not one of ours";
    ::close(holder);
    save_text(folder_ / "out", "text");
    EXPECT_FALSE(fs::exists(held));
}

TEST_F(AtomicFileTest, WritersAtOnceDoNotDisturbEachOther) {
    std::vector<std::thread> writers;
    for (int t = 0; t < 4; ++t)
        writers.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i)
                save_text(folder_ / ("f" + std::to_string(i % 3)),
                          std::string(1000, char('a' + t)));
        });
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(listing(), (std::vector<std::string>{"f0", "f1", "f2"}));
    for (const std::string name : {"f0", "f1", "f2"})
        EXPECT_EQ(read(name), std::string(1000, read(name)[0]));
}

TEST_F(AtomicFileTest, WhatWasReadIsNotReplaced) {
    put("input");
    put("other");
    fs::create_symlink("input", folder_ / "link");
    fs::create_hard_link(folder_ / "input", folder_ / "hard");
    {
        const InputProtection protection;
        load_text(folder_ / "input", 100);
        for (const std::string name : {"input", "link", "hard"}) {
            EXPECT_NE(
                refusal([&] { save_text(folder_ / name, "new"); }).find("was read as an input"),
                std::string::npos)
                << name;
            EXPECT_NE(
                refusal([&] { check_output_files({folder_ / name}); }).find("was read as an input"),
                std::string::npos)
                << name;
        }
        save_text(folder_ / "other", "new");
        EXPECT_EQ(read("input"), "contents");
        EXPECT_EQ(read("other"), "new");
    }
    save_text(folder_ / "input", "new");  // no command any more
    EXPECT_EQ(read("input"), "new");
}

TEST_F(AtomicFileTest, OutputsAreCheckedBeforeTheWork) {
    put("there");
    ::mkfifo((folder_ / "pipe").c_str(), 0600);
    fs::create_symlink("new", folder_ / "link");
    EXPECT_EQ(refusal([&] { check_output_files({folder_ / "new", {}, folder_ / "there"}); }), "");
    EXPECT_NE(refusal([&] {
                  check_output_files({folder_ / "new", folder_ / "link"});
              }).find("same file"),
              std::string::npos);
    EXPECT_NE(refusal([&] { check_output_files({folder_.path()}); }).find("is a folder"),
              std::string::npos);
    EXPECT_NE(refusal([&] { check_output_files({folder_ / "pipe"}); }).find("FIFO"),
              std::string::npos);
    EXPECT_NE(refusal([&] { check_output_files({"/dev/null"}); }).find("device"),
              std::string::npos);
    EXPECT_NE(
        refusal([&] { check_output_files({folder_ / "none" / "x"}); }).find("cannot be created"),
        std::string::npos);
    EXPECT_EQ(listing(), (std::vector<std::string>{"link", "pipe", "there"}));
}

}  // namespace
}  // namespace lapidary
