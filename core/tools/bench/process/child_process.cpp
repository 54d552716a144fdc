// SPDX-License-Identifier: Apache-2.0
#include "bench/process/child_process.h"

#include <utility>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_output = std::size_t{64} << 20;  // bytes that were not taken as lines
constexpr std::size_t kept_errors = 1u << 16;                  // the last of them

std::string last_line(std::string text) {
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    const std::size_t at = text.rfind('\n');
    return at == std::string::npos ? text : text.substr(at + 1);
}

/// What it wrote last; where it wrote nothing, or was killed, how its process ended.
std::string how_it_ended(int code, const std::string& last) {
    if (code <= 128 && !last.empty()) return last;
    const std::string end = code > 128 ? "it was killed by signal " + std::to_string(code - 128)
                                       : "its exit code is " + std::to_string(code);
    return last.empty() ? end : end + "; " + last;
}

}  // namespace

ChildProgram::ChildProgram(const std::vector<std::string>& command)
    : name_(command.at(0)), process_(command) {}

bool ChildProgram::pump() {
    const bool goes_on = process_.read(out_text_, err_text_, std::chrono::milliseconds(50));
    if (out_text_.size() > longest_output)
        fail(ErrorCode::limit_exceeded, name_ + " wrote more than " +
                                            std::to_string(longest_output) +
                                            " bytes that are no answer");
    if (err_text_.size() > 2 * kept_errors) err_text_.erase(0, err_text_.size() - kept_errors);
    return goes_on;
}

void ChildProgram::write_line(const std::string& line) {
    if (!process_.write(line + '\n'))
        fail(ErrorCode::io_failure, name_ + " has ended: " + last_line(err_text_));
}

std::string ChildProgram::read_line(std::chrono::milliseconds timeout, const CancelToken& cancel) {
    const auto end = Clock::now() + timeout;
    for (;;) {
        if (const std::size_t at = out_text_.find('\n'); at != std::string::npos) {
            std::string line = out_text_.substr(0, at);
            if (line.ends_with('\r')) line.pop_back();
            out_text_.erase(0, at + 1);
            return line;
        }
        cancel.throw_if_cancelled();
        if (!process_.has_output()) {
            while (pump()) {}
            fail(ErrorCode::io_failure, name_ + " ended without an answer: " +
                                            how_it_ended(process_.wait(), last_line(err_text_)));
        }
        if (Clock::now() > end)
            fail(ErrorCode::io_failure,
                 name_ + " did not answer within " + std::to_string(timeout.count() / 1000) + " s");
        pump();
    }
}

FinishedProgram ChildProgram::finish(std::chrono::milliseconds timeout, const CancelToken& cancel) {
    process_.close_input();
    const auto end = Clock::now() + timeout;
    while (pump()) {
        cancel.throw_if_cancelled();
        if (Clock::now() > end)
            fail(ErrorCode::io_failure,
                 name_ + " did not end within " + std::to_string(timeout.count() / 1000) + " s");
    }
    const int code = process_.wait();
    return {code, std::move(out_text_), std::move(err_text_)};
}

FinishedProgram run_program(const std::vector<std::string>& command,
                            std::chrono::milliseconds timeout, const CancelToken& cancel) {
    return ChildProgram(command).finish(timeout, cancel);
}

}  // namespace lapidary
