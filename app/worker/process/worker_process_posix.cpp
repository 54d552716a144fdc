// SPDX-License-Identifier: Apache-2.0
#include "worker/process/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <lapidary/base/error.h>

extern char** environ;

namespace lapidary::app {
namespace {

constexpr int longest_end_ms = 1000, glance_ms = 300;
constexpr std::size_t kept_errors = 4096;  // bytes

void close_end(int& end) {
    if (end >= 0) ::close(std::exchange(end, -1));
}

/// Two ends; those not taken are closed.
struct Ends {
    int ends[2] = {-1, -1};
    ~Ends() {
        close_end(ends[0]);
        close_end(ends[1]);
    }
    int take(int which) { return std::exchange(ends[which], -1); }
};

/// Without reaping, so that kill() never hits another process that got the number.
bool has_ended(long process) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT | WNOHANG) != 0 ||
           info.si_pid != 0;
}

void require(bool good, const char* what) {
    if (!good) fail(ErrorCode::io_failure, std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

WorkerProcess::WorkerProcess(const std::vector<std::string>& command) {
    Ends input, output, errors;
    // writing to a dead one is no signal
    require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.ends) == 0,
            "no socket pair");
    require(::pipe2(output.ends, O_CLOEXEC) == 0 && ::pipe2(errors.ends, O_CLOEXEC) == 0,
            "no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, output.ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, errors.ends[1], 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_t child = -1;
    const int status = ::posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (status != 0)
        fail(ErrorCode::io_failure, command.at(0) + " cannot be started: " + std::strerror(status));
    id_ = child;
    in_ = input.take(1);
    out_ = output.take(0);
    err_ = errors.take(0);
}

WorkerProcess::~WorkerProcess() {
    close_end(in_);
    close_end(out_);
    close_end(err_);
    kill();
    wait_for_end();
}

bool WorkerProcess::send(const std::string& line) {
    const std::string text = line + '\n';
    const std::lock_guard lock(mutex_);
    for (std::size_t done = 0; done < text.size();) {
        if (in_ < 0) return false;
        const ssize_t n =
            ::send(in_, text.data() + done, text.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) done += static_cast<std::size_t>(n);
        else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd end{in_, POLLOUT, 0};
            // the worker hangs; the caller has a deadline for its answer
            if (::poll(&end, 1, static_cast<int>(longest_send_.count())) <= 0) return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/// Keeps the last of what there is; closes the end at the end of the stream.
void WorkerProcess::take_errors() {
    char buffer[4096];
    const ssize_t n = ::read(err_, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) return close_end(err_);
    const std::lock_guard lock(mutex_);
    errors_.append(buffer, static_cast<std::size_t>(n));
    if (errors_.size() > kept_errors) errors_.erase(0, errors_.size() - kept_errors);
}

std::optional<std::string> WorkerProcess::read_line() {
    for (;;) {
        if (const std::size_t at = text_.find('\n', looked_at_); at != std::string::npos) {
            std::string line = text_.substr(0, at);
            text_.erase(0, at + 1);
            looked_at_ = 0;
            return line;
        }
        looked_at_ = text_.size();
        if (out_ < 0 || end_if_flooded()) break;
        // closed ones are negative, which poll() passes over
        pollfd ends[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
        const int ready = ::poll(ends, 2, glance_ms);
        // a process that the child started may hold the stream open
        if (ready == 0 && has_ended(id_)) close_end(out_);
        if (ready <= 0) continue;
        if (ends[1].revents) take_errors();
        if (!ends[0].revents) continue;
        char buffer[65536];
        const ssize_t n = ::read(out_, buffer, sizeof buffer);
        if (n > 0) text_.append(buffer, static_cast<std::size_t>(n));
        else if (n == 0 || (errno != EINTR && errno != EAGAIN)) close_end(out_);
    }
    if (err_ >= 0) {  // reads its last words; a process that it started may hold the stream open
        pollfd end{err_, POLLIN, 0};
        while (err_ >= 0 && ::poll(&end, 1, 0) > 0) take_errors();
    }
    return std::nullopt;
}

std::string WorkerProcess::wait_for_end() {
    {
        const std::lock_guard lock(mutex_);
        if (reaped_) return {};
    }
    for (int waited = 0; !has_ended(id_); waited += 5) {
        if (waited >= longest_end_ms) kill();  // it has closed its streams and still runs
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const std::lock_guard lock(mutex_);
    int status = 0;
    while (::waitpid(static_cast<pid_t>(id_), &status, 0) < 0 && errno == EINTR) {}
    reaped_ = true;
    if (flooded_) return flood_text();
    if (WIFSIGNALED(status))
        return "signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) +
               ")";
    return "exit code " + std::to_string(WEXITSTATUS(status));
}

std::string WorkerProcess::last_words() const {
    const std::lock_guard lock(mutex_);
    std::string text = errors_;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    const std::size_t at = text.rfind('\n');
    return at == std::string::npos ? text : text.substr(at + 1);
}

void WorkerProcess::close_input() {
    const std::lock_guard lock(mutex_);
    close_end(in_);
}

void WorkerProcess::kill() {
    const std::lock_guard lock(mutex_);
    if (!reaped_) ::kill(static_cast<pid_t>(-id_), SIGKILL);
}

}  // namespace lapidary::app
