// SPDX-License-Identifier: Apache-2.0
// Lines from a program that this process serves.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace lapidary::app {

/// Reads lines from a descriptor until the stream ends or `is_over`, which is asked every 50
/// milliseconds while nothing comes. Skips a line that is too long and reports it.
class LineReader {
public:
    enum class Kind { line, too_long, end };
    /// `longest`: bytes of a line.
    LineReader(int in, std::size_t longest, std::function<bool()> is_over);
    /// Waits for the next line, without its end. What follows the last line end is no line.
    Kind next(std::string& line);
    /// Nothing came for longer than that, since the last bytes or the beginning.
    bool was_quiet_for(std::chrono::steady_clock::duration time) const {
        return std::chrono::steady_clock::now() - heard_ > time;
    }

private:
    int in_;
    std::size_t longest_;
    std::function<bool()> is_over_;
    std::string text_;
    std::size_t looked_at_ = 0;
    std::chrono::steady_clock::time_point heard_ = std::chrono::steady_clock::now();
};

}  // namespace lapidary::app
