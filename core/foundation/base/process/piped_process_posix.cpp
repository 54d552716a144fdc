// SPDX-License-Identifier: Apache-2.0
#include "base/process/piped_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <lapidary/base/error.h>

extern char** environ;

namespace lapidary {
namespace {

void close_pipe_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
}

struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() {
        if (::pipe2(ends, O_CLOEXEC) != 0)
            fail(ErrorCode::io_failure, std::string("no pipe: ") + std::strerror(errno));
    }
    ~Pipe() {
        close_pipe_end(ends[0]);
        close_pipe_end(ends[1]);
    }
    int take(int which) { return std::exchange(ends[which], -1); }
};

/// Appends what is available; closes our end at the end of the stream.
void drain(int& end, std::string& text) {
    char buffer[4096];
    const ssize_t n = ::read(end, buffer, sizeof buffer);
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EAGAIN && errno != EINTR)) close_pipe_end(end);
}

}  // namespace

struct PipedProcess::State {
    pid_t process = -1;
    int in = -1, out = -1, err = -1;
};

PipedProcess::PipedProcess(const std::vector<std::string>& command)
    : state_(std::make_unique<State>()) {
    Pipe input, output, errors;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, output.ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, errors.ends[1], 2);
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const int status =
        ::posix_spawnp(&state_->process, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) {
        state_->process = -1;
        fail(ErrorCode::io_failure, command.at(0) + " cannot be started: " + std::strerror(status));
    }
    state_->in = input.take(1);
    state_->out = output.take(0);
    state_->err = errors.take(0);
}

PipedProcess::~PipedProcess() {
    for (int* const end : {&state_->in, &state_->out, &state_->err}) close_pipe_end(*end);
    if (state_->process < 0) return;
    ::kill(state_->process, SIGKILL);
    wait();
}

bool PipedProcess::read(std::string& out, std::string& err, std::chrono::milliseconds longest) {
    int &out_end = state_->out, &err_end = state_->err;
    if (out_end < 0 && err_end < 0) return false;
    // poll() ignores negative descriptors, which are closed
    pollfd ends[2] = {{out_end, POLLIN, 0}, {err_end, POLLIN, 0}};
    if (::poll(ends, 2, static_cast<int>(longest.count())) > 0) {
        if (ends[0].revents) drain(out_end, out);
        if (ends[1].revents) drain(err_end, err);
    }
    return true;
}

bool PipedProcess::has_output() const { return state_->out >= 0; }

bool PipedProcess::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(state_->in, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

void PipedProcess::close_input() { close_pipe_end(state_->in); }

int PipedProcess::wait() {
    int status = 0;
    while (::waitpid(state_->process, &status, 0) < 0 && errno == EINTR) {}
    state_->process = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace lapidary
