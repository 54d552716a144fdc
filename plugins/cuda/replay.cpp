// SPDX-License-Identifier: Apache-2.0
#include "replay.h"

#include <algorithm>

#include "node_kernel.h"

namespace lapidary::cuda {

void RunReplay::run(const std::shared_ptr<const KernelOfNode>& kernel, LpDeviceRun& run) {
    const bool waits = kernel->kernel->waits();
    if (!is_on_ || waits || calls_.size() >= most_calls) {
        flush();
        auto call = std::make_shared<NodeCall>(NodeCall::of(kernel, run));
        play(*call, &run);
        if (is_on_) queued_.push_back(std::move(call));
        reason_ = !is_on_ ? "option graphs is off"
                  : waits ? "a kernel waits for what the device finds"
                          : "";
        return;
    }
    std::vector<NodeCall::Grant> grants;
    if (calls_.empty()) begin_section();
    if (!alike_.empty() && is_deferred(*kernel, run, grants)) return;
    queue_deferred();
    auto call = std::make_shared<NodeCall>(NodeCall::of(kernel, run));
    call->grants = std::move(grants);
    play(*call, &run);
    calls_.push_back(std::move(call));
    played_ = calls_.size();
}

RunReplay::Calls RunReplay::newest(std::size_t count) const {
    if (count > calls_.size()) return {};
    return {calls_.end() - static_cast<std::ptrdiff_t>(count), calls_.end()};
}

void RunReplay::run_again(const Calls& calls) {
    ++agains_;
    if (calls_.size() + calls.size() > most_calls) flush();
    if (calls_.empty()) begin_section();
    const std::size_t at = calls_.size();
    std::erase_if(alike_, [&](const Section* s) {
        return s->calls.size() - std::min(at, s->calls.size()) < calls.size() ||
               !std::equal(calls.begin(), calls.end(),
                           s->calls.begin() + static_cast<std::ptrdiff_t>(at));
    });
    calls_.insert(calls_.end(), calls.begin(), calls.end());
    if (alike_.empty()) queue_deferred();
}

void RunReplay::begin_section() {
    alike_.clear();
    for (const auto& section : sections_) alike_.push_back(section.get());
}

/// True where the run is the next call of a kept section. `grants`: the memory that was requested
/// to find that out.
bool RunReplay::is_deferred(const KernelOfNode& kernel, LpDeviceRun& run,
                            std::vector<NodeCall::Grant>& grants) {
    const std::size_t at = calls_.size();
    std::erase_if(alike_, [&](const Section* s) {
        return at >= s->calls.size() || !s->calls[at]->is_of(kernel, run);
    });
    if (alike_.empty()) return false;
    grants = alike_[0]->calls[at]->request_again(run, held_);
    std::erase_if(alike_, [&](const Section* s) { return !s->calls[at]->has_grants(grants); });
    if (alike_.empty()) return false;
    calls_.push_back(alike_[0]->calls[at]);
    return true;
}

void RunReplay::queue_deferred() {
    alike_.clear();
    while (played_ < calls_.size()) play(*calls_[played_++], nullptr);
    held_.clear();
}

void RunReplay::play(NodeCall& call, LpDeviceRun* run) {
    stream_.begin();
    play_untimed(call, run);
    stream_.end();
}

void RunReplay::play_untimed(NodeCall& call, LpDeviceRun* run) {
    KernelRun of(call, run, stream_);
    call.kernel->kernel->run(of);
}

void RunReplay::flush() {
    if (calls_.empty()) return;
    try {
        const auto whole = std::ranges::find_if(
            alike_, [&](const Section* s) { return s->calls.size() == calls_.size(); });
        if (whole != alike_.end()) {
            replay(**whole);
        } else {
            queue_deferred();
            keep_section();
            ++plays_;
        }
    } catch (...) {
        calls_.clear();
        alike_.clear();
        held_.clear();
        played_ = 0;
        throw;
    }
    queued_.insert(queued_.end(), std::make_move_iterator(calls_.begin()),
                   std::make_move_iterator(calls_.end()));
    calls_.clear();
    alike_.clear();
    held_.clear();
    played_ = 0;
}

void RunReplay::replay(Section& section) {
    section.used = ++clock_;
    if (!section.recording && section.failure.empty() && waiting_ == 0) capture(section);
    if (!section.recording) {
        reason_ = section.failure.empty() ? "another thread waits for the device" : section.failure;
        queue_deferred();
        ++plays_;
        return;
    }
    // timed by newest_replay_ns(); callers that need newest() wait for each call anyway
    stream_.replay(*section.recording);
    ++replays_;
    reason_.clear();
    is_largest_ = std::ranges::none_of(sections_, [&](const auto& other) {
        return other->recording && other->calls.size() > section.calls.size();
    });
}

void RunReplay::capture(Section& section) {
    try {
        stream_.begin_capture();
        try {
            for (const Call& call : section.calls) play_untimed(*call, nullptr);
        } catch (...) {
            stream_.drop_capture();
            throw;
        }
        section.recording = stream_.end_capture();
    } catch (const DeviceError& e) { section.failure = e.what(); }
}

void RunReplay::keep_section() {
    if (calls_.size() < least_calls) {
        reason_ = "calls are waited for one by one";
        return;
    }
    const auto differs_by_addresses = [&](const auto& section) {
        return std::ranges::equal(section->calls, calls_, [](const Call& a, const Call& b) {
            return a->differs_by_addresses(*b);
        });
    };
    reason_ = "it came for the first time";
    if (std::ranges::any_of(sections_, differs_by_addresses)) {
        reason_ = "its values lie at other addresses than those of runs before";
        ++moves_;
    }
    if (sections_.size() == most_sections) {
        const auto oldest =
            std::ranges::min_element(sections_, {}, [](const auto& s) { return s->used; });
        sections_.erase(oldest);
    }
    auto section = std::make_unique<Section>();
    section->calls = calls_;
    section->used = ++clock_;
    sections_.push_back(std::move(section));
}

std::uint64_t RunReplay::begin_wait() {
    flush();
    ++waiting_;
    return done_ + queued_.size();
}

void RunReplay::end_wait(std::uint64_t mark, bool is_done) {
    --waiting_;
    if (!is_done) return;
    if (reported_ != replays_ && is_largest_) {
        const std::int64_t took = stream_.newest_replay_ns();
        fastest_ns_ = fastest_ns_ == 0 || (took > 0 && took < fastest_ns_) ? took : fastest_ns_;
    }
    reported_ = replays_;
    for (; done_ < mark && !queued_.empty(); ++done_) queued_.pop_front();
}

bool RunReplay::touches(const char* begin, std::uint64_t bytes) const {
    if (!is_on_) return true;  // calls are not kept
    const auto one_touches = [&](const Call& call) { return call->touches(begin, bytes); };
    return std::ranges::any_of(calls_, one_touches) || std::ranges::any_of(queued_, one_touches);
}

std::string RunReplay::summary() const {
    std::size_t graphs = 0, calls = 0;
    for (const auto& section : sections_)
        if (section->recording) {
            ++graphs;
            calls = std::max(calls, section->calls.size());
        }
    std::string text = std::to_string(graphs) + (graphs == 1 ? " graph" : " graphs");
    if (graphs > 0)
        text += ", the largest of " + std::to_string(calls) + " nodes, replayed " +
                std::to_string(replays_) + " times";
    if (fastest_ns_ > 0) text += ", at best in " + std::to_string(fastest_ns_ / 1000) + " us there";
    text += "; " + std::to_string(plays_) + (plays_ == 1 ? " section" : " sections") +
            " played node by node";
    if (agains_ > 0)
        text += ", " + std::to_string(agains_) + " times nodes were asked for all at once";
    if (moves_ > 0) text += ", " + std::to_string(moves_) + " at new addresses";
    return reason_.empty() ? text : text + ", the newest because " + reason_;
}

}  // namespace lapidary::cuda
