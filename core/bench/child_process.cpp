// SPDX-License-Identifier: Apache-2.0
#include "bench/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <lapidary/error.h>

extern char** environ;

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
}

struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() {
        if (::pipe2(ends, O_CLOEXEC) != 0) fail(ErrorCode::io_failure, std::string("no pipe: ") + std::strerror(errno));
    }
    ~Pipe() {
        close_end(ends[0]);
        close_end(ends[1]);
    }
    int take(int which) { return std::exchange(ends[which], -1); }
};

/// Appends what is there; closes the end at the end of the stream.
void drain(int& end, std::string& text) {
    char buffer[4096];
    const ssize_t n = ::read(end, buffer, sizeof buffer);
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EAGAIN && errno != EINTR)) close_end(end);
}

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    const std::size_t at = text.rfind('\n');
    return at == std::string::npos ? text : text.substr(at + 1);
}

}  // namespace

ChildProgram::ChildProgram(const std::vector<std::string>& command) : name_(command.at(0)) {
    Pipe input, output, errors;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, output.ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, errors.ends[1], 2);
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const int status = ::posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) {
        pid_ = -1;
        fail(ErrorCode::io_failure, name_ + " cannot be started: " + std::strerror(status));
    }
    in_ = input.take(1);
    out_ = output.take(0);
    err_ = errors.take(0);
}

ChildProgram::~ChildProgram() {
    close_end(in_);
    close_end(out_);
    close_end(err_);
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    wait_for_exit();
}

int ChildProgram::wait_for_exit() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool ChildProgram::pump() {
    pollfd ends[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};  // closed ones are negative, which poll() passes over
    if (out_ < 0 && err_ < 0) return false;
    if (::poll(ends, 2, 50) > 0) {
        if (ends[0].revents) drain(out_, out_text_);
        if (ends[1].revents) drain(err_, err_text_);
    }
    return true;
}

void ChildProgram::write_line(const std::string& line) {
    const std::string text = line + '\n';
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(in_, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail(ErrorCode::io_failure, name_ + " has ended: " + last_line(err_text_));
        done += static_cast<std::size_t>(n);
    }
}

std::string ChildProgram::read_line(std::chrono::milliseconds timeout, const CancelToken& cancel) {
    const auto end = Clock::now() + timeout;
    for (;;) {
        if (const std::size_t at = out_text_.find('\n'); at != std::string::npos) {
            std::string line = out_text_.substr(0, at);
            out_text_.erase(0, at + 1);
            return line;
        }
        cancel.throw_if_cancelled();
        if (out_ < 0) {
            while (pump()) {}
            fail(ErrorCode::io_failure, name_ + " ended without an answer: " + last_line(err_text_));
        }
        if (Clock::now() > end)
            fail(ErrorCode::io_failure,
                 name_ + " did not answer within " + std::to_string(timeout.count() / 1000) + " s");
        pump();
    }
}

FinishedProgram ChildProgram::finish(std::chrono::milliseconds timeout, const CancelToken& cancel) {
    close_end(in_);
    const auto end = Clock::now() + timeout;
    while (pump()) {
        cancel.throw_if_cancelled();
        if (Clock::now() > end)
            fail(ErrorCode::io_failure, name_ + " did not end within " + std::to_string(timeout.count() / 1000) + " s");
    }
    const int code = wait_for_exit();
    return {code, std::move(out_text_), std::move(err_text_)};
}

FinishedProgram run_program(const std::vector<std::string>& command, std::chrono::milliseconds timeout,
                            const CancelToken& cancel) {
    return ChildProgram(command).finish(timeout, cancel);
}

}  // namespace lapidary
