// SPDX-License-Identifier: Apache-2.0
#include "cli/output/progress_line.h"

#include <fmt/format.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::milliseconds before_it_shows = 1s, between_drawings = 250ms;
constexpr std::size_t most_stage_characters = 48;  // with the times it fits a line of 80
constexpr const char* to_line_start_and_clear = "\r\x1b[K";

std::string seconds_text(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    return fmt::format("{}:{:02} min", static_cast<long>(seconds) / 60,
                       static_cast<long>(seconds) % 60);
}

}  // namespace

ProgressLine::ProgressLine(std::ostream& terminal)
    : terminal_(terminal), quiet_until_(begin_ + before_it_shows), thread_([this] { stop(); }) {
    thread_.start(1, "progress threads", [this](int) { draw_again(); });
}

ProgressLine::~ProgressLine() {
    thread_.end();
    erase();
}

void ProgressLine::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    stop_.notify_all();
}

void ProgressLine::update(std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex_);
    if (stage_ != stage) {
        stage_ = stage;
        stage_begin_ = Clock::now();
    }
    fraction_ = fraction;
}

void ProgressLine::erase() {
    const std::lock_guard lock(mutex_);
    if (shown_) (terminal_ << to_line_start_and_clear).flush();
    shown_ = false;
    quiet_until_ = Clock::now() + before_it_shows;
}

void ProgressLine::draw_again() {
    std::unique_lock lock(mutex_);
    while (!stop_.wait_for(lock, between_drawings, [this] { return stopped_; })) {
        const auto now = Clock::now();
        if (stage_.empty() || now < quiet_until_) continue;
        (terminal_ << to_line_start_and_clear << text(now)).flush();
        shown_ = true;
    }
}

std::string ProgressLine::text(Clock::time_point now) const {
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    const double in_stage = std::chrono::duration<double>(now - stage_begin_).count();
    std::string text =
        fmt::format("{}  {}", plain(stage_, most_stage_characters), seconds_text(elapsed));
    if (fraction_ > 0.01 && fraction_ < 1 && in_stage > 1)
        text += fmt::format(", {:.0f} %, about {} left", 100 * fraction_,
                            seconds_text(in_stage * (1 - fraction_) / fraction_));
    return text;
}

}  // namespace lapidary::cli
