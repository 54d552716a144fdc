// SPDX-License-Identifier: Apache-2.0
#include "base/process/piped_process.h"

#include <windows.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/windows_child.h>
#include <lapidary/internal/windows_command_line.h>

namespace lapidary {
namespace {

constexpr DWORD killed_code = 128 + 9;

void close_pipe_end(HANDLE& end) {
    if (end != nullptr) ::CloseHandle(end);
    end = nullptr;
}

/// Appends what is available; closes our end at the end of the stream. True when there was
/// something or it ended.
bool drain(HANDLE& end, std::string& text) {
    if (end == nullptr) return false;
    DWORD there = 0, got = 0;
    char buffer[4096];
    if (!::PeekNamedPipe(end, nullptr, 0, nullptr, &there, nullptr)) {
        close_pipe_end(end);
        return true;
    }
    if (there == 0) return false;
    if (!::ReadFile(end, buffer, std::min<DWORD>(there, sizeof buffer), &got, nullptr))
        close_pipe_end(end);
    else text.append(buffer, got);
    return true;
}

/// The handles that a child inherits.
class InheritedHandles {
public:
    explicit InheritedHandles(std::vector<HANDLE> handles) : handles_(std::move(handles)) {
        SIZE_T bytes = 0;
        ::InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
        memory_.resize(bytes);
        if (!::InitializeProcThreadAttributeList(list(), 1, 0, &bytes))
            fail(ErrorCode::io_failure, "no list of handles for a program: " + last_error_words());
        if (!::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                         handles_.data(), handles_.size() * sizeof(HANDLE), nullptr,
                                         nullptr)) {
            const std::string words = last_error_words();
            ::DeleteProcThreadAttributeList(list());
            fail(ErrorCode::io_failure, "no list of handles for a program: " + words);
        }
    }
    InheritedHandles(const InheritedHandles&) = delete;
    InheritedHandles& operator=(const InheritedHandles&) = delete;
    ~InheritedHandles() { ::DeleteProcThreadAttributeList(list()); }

    LPPROC_THREAD_ATTRIBUTE_LIST list() {
        return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
    }

private:
    std::vector<HANDLE> handles_;
    std::vector<char> memory_;
};

}  // namespace

std::string last_error_words() {
    return std::error_code(static_cast<int>(::GetLastError()), std::system_category()).message();
}

ChildPipe::ChildPipe(bool child_reads) {
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    HANDLE reading = nullptr, writing = nullptr;
    if (!::CreatePipe(&reading, &writing, &inherited, 0))
        fail(ErrorCode::io_failure, "no pipe: " + last_error_words());
    ours_ = child_reads ? writing : reading;
    theirs_ = child_reads ? reading : writing;
    ::SetHandleInformation(ours_, HANDLE_FLAG_INHERIT, 0);
}

ChildPipe::~ChildPipe() {
    if (ours_ != nullptr) ::CloseHandle(ours_);
    if (theirs_ != nullptr) ::CloseHandle(theirs_);
}

void* ChildPipe::take() { return std::exchange(ours_, nullptr); }

StartedChild start_child(const std::vector<std::string>& command, const ChildPipe& input,
                         const ChildPipe& output, const ChildPipe& errors, unsigned long flags) {
    InheritedHandles inherited({input.childs_end(), output.childs_end(), errors.childs_end()});
    STARTUPINFOEXW start{};
    start.StartupInfo.cb = sizeof start;
    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    start.StartupInfo.hStdInput = input.childs_end();
    start.StartupInfo.hStdOutput = output.childs_end();
    start.StartupInfo.hStdError = errors.childs_end();
    start.lpAttributeList = inherited.list();
    PROCESS_INFORMATION started{};
    std::wstring line = std::filesystem::path(windows_command_line(command)).wstring();
    if (!::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE,
                          flags | EXTENDED_STARTUPINFO_PRESENT, nullptr, nullptr,
                          &start.StartupInfo, &started))
        fail(ErrorCode::io_failure, command.at(0) + " cannot be started: " + last_error_words());
    return {started.hProcess, started.hThread, started.dwProcessId};
}

struct PipedProcess::State {
    HANDLE process = nullptr, in = nullptr, out = nullptr, err = nullptr;
};

PipedProcess::PipedProcess(const std::vector<std::string>& command)
    : state_(std::make_unique<State>()) {
    ChildPipe input(true), output(false), errors(false);
    const StartedChild started = start_child(command, input, output, errors, CREATE_NO_WINDOW);
    ::CloseHandle(started.thread);
    state_->process = started.process;
    state_->in = input.take();
    state_->out = output.take();
    state_->err = errors.take();
}

PipedProcess::~PipedProcess() {
    for (HANDLE* const end : {&state_->in, &state_->out, &state_->err}) close_pipe_end(*end);
    if (state_->process == nullptr) return;
    ::TerminateProcess(state_->process, killed_code);
    wait();
}

bool PipedProcess::read(std::string& out, std::string& err, std::chrono::milliseconds longest) {
    if (state_->out == nullptr && state_->err == nullptr) return false;
    const auto end = std::chrono::steady_clock::now() + longest;
    for (;;) {
        const bool has_out = drain(state_->out, out), has_err = drain(state_->err, err);
        if (has_out || has_err || std::chrono::steady_clock::now() >= end) return true;
        ::Sleep(1);
    }
}

bool PipedProcess::has_output() const { return state_->out != nullptr; }

bool PipedProcess::write(std::string_view text) {
    while (!text.empty()) {
        DWORD done = 0;
        if (!::WriteFile(state_->in, text.data(), static_cast<DWORD>(text.size()), &done, nullptr))
            return false;
        text.remove_prefix(done);
    }
    return true;
}

void PipedProcess::close_input() { close_pipe_end(state_->in); }

int PipedProcess::wait() {
    DWORD code = 0;
    ::WaitForSingleObject(state_->process, INFINITE);
    ::GetExitCodeProcess(state_->process, &code);
    ::CloseHandle(std::exchange(state_->process, nullptr));
    return static_cast<int>(code);
}

}  // namespace lapidary
