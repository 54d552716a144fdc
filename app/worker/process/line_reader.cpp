// SPDX-License-Identifier: Apache-2.0
#include "worker/process/line_reader.h"

#include <chrono>
#include <utility>

#include "worker/process/standard_streams.h"

namespace lapidary::app {
namespace {

constexpr std::chrono::milliseconds input_poll{50};

}  // namespace

LineReader::LineReader(int in, std::size_t longest, std::function<bool()> is_over)
    : in_(in), longest_(longest), is_over_(std::move(is_over)) {}

LineReader::Kind LineReader::next(std::string& line) {
    bool skipping = false;
    for (;;) {
        if (const std::size_t at = text_.find('\n', looked_at_); at != std::string::npos) {
            line = text_.substr(0, at);
            text_.erase(0, at + 1);
            looked_at_ = 0;
            return skipping || line.size() > longest_ ? Kind::too_long : Kind::line;
        }
        looked_at_ = text_.size();
        if (text_.size() > longest_) {
            skipping = true;
            text_.clear();
            looked_at_ = 0;
        }
        while (!has_input(in_, input_poll))
            if (is_over_()) return Kind::end;
        char buffer[65536];
        const std::size_t n = read_some(in_, buffer);
        if (n == 0) return Kind::end;
        heard_ = std::chrono::steady_clock::now();
        text_.append(buffer, n);
    }
}

}  // namespace lapidary::app
