// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>

namespace lapidary::cli {

/// The buffer of a stream that hands lines on with what could steer a terminal or reorder a line as
/// escapes (lapidary/internal/shown_text.h): everything that commands print goes through it, names
/// of files and models above all. In JSON such characters only stand in strings, where the escapes
/// of those beyond ASCII mean the same characters.
class PrintableBuffer final : public std::streambuf {
public:
    /// `before` is called before anything is handed on.
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
    std::string line_;  // not yet handed on
};

}  // namespace lapidary::cli
