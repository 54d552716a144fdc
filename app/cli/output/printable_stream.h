// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

namespace lapidary::cli {

/// A stream buffer that forwards lines and replaces characters that control a terminal or reorder a
/// line by escapes (lapidary/internal/shown_text.h). All output of commands goes through it,
/// because names of files and models may contain such characters. In JSON they occur only in
/// strings, where escapes have the same meaning.
class PrintableBuffer final : public std::streambuf {
public:
    /// `before` is called before anything is forwarded.
    explicit PrintableBuffer(std::ostream& out, std::function<void()> before = {})
        : out_(out), before_(std::move(before)) {}
    PrintableBuffer(const PrintableBuffer&) = delete;
    PrintableBuffer& operator=(const PrintableBuffer&) = delete;
    ~PrintableBuffer() override { sync(); }

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

private:
    void hand_on(const std::string& lines);

    std::ostream& out_;
    std::function<void()> before_;
    std::string line_;  // not forwarded yet
};

}  // namespace lapidary::cli
