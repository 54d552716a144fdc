// SPDX-License-Identifier: Apache-2.0
#include "worker/process/worker_process.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/windows_child.h>

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr DWORD longest_end_ms = 1000, killed_worker = 128 + 9;
constexpr std::size_t kept_errors = 4096;  // bytes

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)); }

void close_stream(int& end) {
    if (end >= 0) ::_close(std::exchange(end, -1));
}

/// The program's end of a pipe as a descriptor.
int descriptor_of(ChildPipe& pipe) {
    return ::_open_osfhandle(reinterpret_cast<std::intptr_t>(pipe.take()), _O_BINARY);
}

/// Bytes that wait in a pipe; nothing when it has ended.
std::optional<DWORD> waiting_bytes(int end) {
    DWORD there = 0;
    if (!::PeekNamedPipe(handle_of(end), nullptr, 0, nullptr, &there, nullptr)) return std::nullopt;
    return there;
}

}  // namespace

WorkerProcess::WorkerProcess(const std::vector<std::string>& command) {
    ChildPipe input(true), output(false), errors(false);
    const StartedChild started =
        start_child(command, input, output, errors,
                    CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED);
    // Processes that it starts end with it.
    const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    ::AssignProcessToJobObject(job, started.process);
    ::ResumeThread(started.thread);
    ::CloseHandle(started.thread);
    id_ = static_cast<long>(started.id);
    process_ = reinterpret_cast<std::intptr_t>(started.process);
    job_ = reinterpret_cast<std::intptr_t>(job);
    in_ = descriptor_of(input);
    out_ = descriptor_of(output);
    err_ = descriptor_of(errors);
    DWORD no_wait = PIPE_NOWAIT;  // a full pipe takes nothing
    ::SetNamedPipeHandleState(handle_of(in_), &no_wait, nullptr, nullptr);
}

WorkerProcess::~WorkerProcess() {
    close_stream(in_);
    close_stream(out_);
    close_stream(err_);
    kill();
    wait_for_end();
    ::CloseHandle(reinterpret_cast<HANDLE>(process_));
    ::CloseHandle(reinterpret_cast<HANDLE>(job_));
}

bool WorkerProcess::send(const std::string& line) {
    const std::string text = line + '\n';
    const std::lock_guard lock(mutex_);
    auto end = Clock::now() + longest_send_;
    for (std::size_t done = 0; done < text.size();) {
        if (in_ < 0) return false;
        DWORD written = 0;
        const auto step = static_cast<DWORD>(std::min<std::size_t>(text.size() - done, 4096));
        if (!::WriteFile(handle_of(in_), text.data() + done, step, &written, nullptr)) return false;
        done += written;
        if (written > 0) {
            end = Clock::now() + longest_send_;
        } else {
            if (Clock::now() > end)
                return false;  // the worker hangs; the caller has a deadline for its answer
            ::Sleep(1);
        }
    }
    return true;
}

/// Keeps the last of what there is; closes the end at the end of the stream.
void WorkerProcess::take_errors() {
    char buffer[4096];
    const int n = ::_read(err_, buffer, sizeof buffer);
    if (n <= 0) return close_stream(err_);
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
        if (err_ >= 0)
            if (const auto there = waiting_bytes(err_); !there || *there > 0) take_errors();
        const auto there = waiting_bytes(out_);
        if (there && *there == 0) {
            // A process that it started, such as the system's console, may hold the stream open
            // after its end.
            if (::WaitForSingleObject(reinterpret_cast<HANDLE>(process_), 1) == WAIT_TIMEOUT)
                continue;
            if (waiting_bytes(out_).value_or(0) == 0) close_stream(out_);
            continue;
        }
        char buffer[65536];
        const int n = ::_read(out_, buffer, sizeof buffer);
        if (n > 0) text_.append(buffer, static_cast<std::size_t>(n));
        else close_stream(out_);
    }
    while (err_ >= 0) {  // reads its last words; a process that it started may hold the stream open
        const auto there = waiting_bytes(err_);
        if (there && *there == 0) break;
        take_errors();
    }
    return std::nullopt;
}

std::string WorkerProcess::wait_for_end() {
    {
        const std::lock_guard lock(mutex_);
        if (reaped_) return {};
    }
    const HANDLE process = reinterpret_cast<HANDLE>(process_);
    if (::WaitForSingleObject(process, longest_end_ms) == WAIT_TIMEOUT) {
        kill();  // it has closed its streams and still runs
        ::WaitForSingleObject(process, INFINITE);
    }
    const std::lock_guard lock(mutex_);
    DWORD code = 0;
    ::GetExitCodeProcess(process, &code);
    reaped_ = true;
    if (flooded_) return flood_text();
    if (code < 0xC0000000) return "exit code " + std::to_string(code);
    char text[32];
    std::snprintf(text, sizeof text, "exception 0x%08lX", static_cast<unsigned long>(code));
    return text;
}

std::string WorkerProcess::last_words() const {
    const std::lock_guard lock(mutex_);
    std::string text = errors_;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    const std::size_t at = text.rfind('\n');
    return at == std::string::npos ? text : text.substr(at + 1);
}

void WorkerProcess::close_input() {
    const std::lock_guard lock(mutex_);
    close_stream(in_);
}

void WorkerProcess::kill() {
    const std::lock_guard lock(mutex_);
    if (reaped_) return;
    ::TerminateJobObject(reinterpret_cast<HANDLE>(job_), killed_worker);
    ::TerminateProcess(reinterpret_cast<HANDLE>(process_), killed_worker);
}

}  // namespace lapidary::app
