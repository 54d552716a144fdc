// SPDX-License-Identifier: Apache-2.0
#include "inputs/sample_runs.h"

#include <algorithm>
#include <chrono>

#include "base/memory/available_memory.h"

namespace lapidary {
namespace {

constexpr std::uint64_t most_held = std::uint64_t{512}
                                    << 20;  // bytes that samples hold until they are taken
constexpr std::uint64_t memory_share =
    4;  // at most one part of so many of the free memory is worked in
constexpr std::size_t least_per_thread =
    4;  // samples: the first goes alone, the last may leave threads idle
constexpr std::size_t most_per_thread = 8;  // samples of a batch
constexpr double short_batch =
    0.02;  // seconds: handing out shorter ones would cost a share that shows

}  // namespace

SampleRuns::SampleRuns(SampleWork& work, int threads, std::size_t count)
    : work_(work), team_(threads) {
    const auto size = static_cast<std::size_t>(team_.threads());
    goes_alone_ = size < 2 || count < least_per_thread * size;
    failures_.resize(goes_alone_ ? 1 : most_per_thread * size);
}

void SampleRuns::run(std::span<const std::size_t> which, std::string_view what,
                     const Progress& progress) {
    which_ = which;
    what_ = what;
    progress_ = &progress;
    next_ = 0;
    is_over_ = false;
    if (!is_prepared_) work_.prepare(goes_alone_ ? team_.threads() : 1);
    is_prepared_ = true;
    while (!goes_alone_ && !is_measured_ &&
           !is_done()) {  // the first alone shows how large they are
        run_batch(1);
        is_measured_ = !failures_[0];
        working_ = work_.working_bytes();
    }
    if (!goes_alone_ && !is_done()) {
        run_several();
        if (goes_alone_) work_.prepare(team_.threads());
    }
    while (!is_done()) run_batch(1);
}

void SampleRuns::spread(std::size_t count, const std::function<void(std::size_t)>& body) {
    team_.execute([&] {
        team_.parallel_tasks(static_cast<std::int64_t>(count),
                             [&](std::int64_t i, int) { body(static_cast<std::size_t>(i)); });
    });
}

void SampleRuns::run_several() {
    using Clock = std::chrono::steady_clock;
    const auto threads = static_cast<std::size_t>(team_.threads());
    team_.execute([&] {
        for (std::size_t size = threads; !is_done();) {
            if (!fits(threads)) {
                goes_alone_ = true;
                return;
            }
            const auto begin = Clock::now();
            run_batch(fits(size) ? size : threads);
            if (std::chrono::duration<double>(Clock::now() - begin).count() < short_batch)
                size = std::min(2 * size, places());
        }
    });
}

bool SampleRuns::fits(std::size_t size) const {
    const std::uint64_t working = working_ * static_cast<std::uint64_t>(team_.threads());
    return held_ <= most_held / size &&
           (working == 0 || working <= available_memory() / memory_share);
}

void SampleRuns::run_batch(std::size_t size) {
    progress_->step(what_, static_cast<double>(next_) / static_cast<double>(which_.size()));
    const std::size_t first = next_, count = std::min(size, which_.size() - first);
    if (count == 1) run_one(first, 0);
    else spread(count, [&](std::size_t i) { run_one(first + i, i); });
    for (std::size_t i = 0; i < count && !is_over_; ++i) {
        // Memory that did not suffice for all of them may suffice for one.
        if (count > 1 && failures_[i] && failures_[i]->code() == ErrorCode::limit_exceeded)
            run_one(first + i, i);
        ++next_;
        held_ = std::max(held_, work_.held_bytes(i));
        if (failures_[i]) work_.leave_out(which_[first + i], i, *failures_[i]);
        else is_over_ = !work_.take(which_[first + i], i);
    }
}

void SampleRuns::run_one(std::size_t index, std::size_t place) {
    failures_[place].reset();
    try {
        work_.run(which_[index], place);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        failures_[place] = std::make_unique<Error>(error);
    }
}

}  // namespace lapidary
