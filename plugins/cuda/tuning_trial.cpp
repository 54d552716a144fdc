// SPDX-License-Identifier: Apache-2.0
#include "tuning_trial.h"

#include <algorithm>
#include <memory>

#include "device_error.h"
#include "kernels/movement/movement.h"
#include "tuning_choice.h"

namespace lapidary::cuda {
namespace {

constexpr int rounds = 7;
constexpr double least_launches = 4;  // however long they take
// the copies have the alignment of constants, by which kernels choose
constexpr std::uint64_t alignment = 256;

std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t offset_of(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % alignment;
}

/// A small kernel that overlaps with its neighbours as far as they allow. Variants are timed
/// between such kernels, as in a model.
class Neighbour {
public:
    explicit Neighbour(std::uint32_t device)
        : device_(device), memory_(runtime::allocate(device, 8 * elements)) {}
    ~Neighbour() { runtime::release(device_, memory_); }
    Neighbour(const Neighbour&) = delete;
    Neighbour& operator=(const Neighbour&) = delete;

    void launch(Queue& queue) const {
        CopyArgs args;
        args.input = memory_;
        args.output = static_cast<char*>(memory_) + 4 * elements;
        args.axes = 1;
        args.count = args.dims[0] = elements;
        args.input_strides[0] = args.output_strides[0] = 1;
        launch_copy(queue, args);
    }

private:
    static constexpr std::int32_t elements = 512;  // of four bytes
    std::uint32_t device_;
    void* memory_;
};

std::unique_ptr<runtime::Recording> recorded(runtime::Stream& stream,
                                             const std::function<void()>& launches) {
    stream.begin_capture();
    try {
        launches();
        return stream.end_capture();
    } catch (...) {
        stream.drop_capture();
        throw;
    }
}

/// The time of a replay by the device's clock, so that the speed of queueing on the host does not
/// count.
double microseconds_of(runtime::Stream& stream, const runtime::Recording& recording) {
    stream.replay(recording);
    stream.wait();
    return static_cast<double>(stream.newest_replay_ns()) / 1e3;
}

}  // namespace

RotatingConstants::RotatingConstants(runtime::Stream& stream, const TrialDevice& device,
                                     std::span<const TrialConstant> constants, std::uint64_t most)
    : device_(device.index) {
    for (const TrialConstant& c : constants) {
        if (!*c.address || c.bytes <= 0) continue;
        const auto bytes = static_cast<std::uint64_t>(c.bytes);
        constants_.push_back({c.address, *c.address, bytes, set_bytes_ + offset_of(*c.address)});
        set_bytes_ += aligned(offset_of(*c.address) + bytes);
    }
    if (constants_.empty()) return;
    wanted_ = std::min(
        {2 * device.cache_bytes / set_bytes_ + 1, most_copies, most_bytes / set_bytes_ + 1, most});
    for (count_ = wanted_; count_ > 1 && !memory_;) try {
            memory_ = static_cast<char*>(runtime::allocate(device_, (count_ - 1) * set_bytes_));
        } catch (const DeviceError& e) {
            if (e.code() != LP_OUT_OF_MEMORY) throw;
            count_ = (count_ + 1) / 2;
        }
    for (std::uint64_t copy = 1; copy < count_; ++copy)
        for (const Constant& c : constants_)
            stream.copy_within(memory_ + (copy - 1) * set_bytes_ + c.offset, c.of_model, c.bytes);
    stream.wait();  // kernels may read constants before earlier work has ended
}

RotatingConstants::~RotatingConstants() {
    turn_to(0);
    if (memory_) runtime::release(device_, memory_);
}

void RotatingConstants::turn_to(std::uint64_t copy) const {
    for (const Constant& c : constants_)
        *c.address = copy == 0 ? c.of_model : memory_ + (copy - 1) * set_bytes_ + c.offset;
}

namespace {

/// How many launches are timed together. More would take longer without more precision.
std::uint64_t most_launches(runtime::Stream& stream, const std::function<void()>& launch) {
    launch();  // one-time work of the first launch is not timed
    const auto one = recorded(stream, launch);
    microseconds_of(stream, *one);
    const double took = std::max(microseconds_of(stream, *one), 1.0);
    return static_cast<std::uint64_t>(std::max(runtime::longest_timed_us / took, least_launches));
}

}  // namespace

TrialTimes times_of_ways(runtime::Stream& stream, const TrialDevice& device,
                         std::span<const TrialConstant> constants, std::size_t ways,
                         const std::function<void(std::size_t way)>& launch) {
    const std::uint64_t most = most_launches(stream, [&] { launch(0); });
    const RotatingConstants rotating(stream, device, constants, most);
    const Neighbour neighbour(device.index);
    const std::uint64_t least = std::min<std::uint64_t>(runtime::timed_launches, most);
    const std::uint64_t launches =
        (least + rotating.count() - 1) / rotating.count() * rotating.count();
    const auto record = [&](const std::function<void()>& launch_one) {
        return recorded(stream, [&] {
            for (std::uint64_t i = 0; i < launches; ++i) {
                neighbour.launch(stream.queue());
                rotating.turn_to(i % rotating.count());
                launch_one();
            }
            neighbour.launch(stream.queue());
        });
    };
    neighbour.launch(stream.queue());
    std::vector<std::unique_ptr<runtime::Recording>> recordings;
    for (std::size_t way = 0; way < ways; ++way) {
        launch(way);  // one-time work of the first launch is not captured
        recordings.push_back(record([&] { launch(way); }));
        rotating.turn_to(0);
    }
    recordings.push_back(record([] {}));
    TrialTimes times{std::vector<std::vector<double>>(ways + 1), rotating.count(),
                     rotating.wanted()};
    for (int round = -1; round < rounds; ++round)  // round -1 warms up
        for (std::size_t i = 0; i < recordings.size(); ++i) {
            const double took = microseconds_of(stream, *recordings[i]);
            if (round >= 0) times.rounds[i].push_back(took);
        }
    const double of_neighbours = quartiles_of(times.rounds.back()).median;
    times.rounds.pop_back();
    for (std::vector<double>& of_way : times.rounds)
        for (double& took : of_way)
            took = std::max(took - of_neighbours, 0.0) / static_cast<double>(launches);
    return times;
}

}  // namespace lapidary::cuda
