// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace lapidary::cli {

/// The buffer of a stream that hands lines on with what could steer a terminal or reorder a line as escapes (lapidary/shown_text.h): everything
/// that commands print goes through it, names of files and models above all. In JSON such characters only stand in strings,
/// where the escapes of those beyond ASCII mean the same characters.
class PrintableBuffer final : public std::streambuf {
public:
    explicit PrintableBuffer(std::ostream& out) : out_(out) {}
    PrintableBuffer(const PrintableBuffer&) = delete;
    PrintableBuffer& operator=(const PrintableBuffer&) = delete;
    ~PrintableBuffer() override { sync(); }

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

private:
    std::ostream& out_;
    std::string line_;  // not yet handed on
};

}  // namespace lapidary::cli
