// SPDX-License-Identifier: Apache-2.0
#include "device_peaks.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <sstream>

#include "kept_file.h"
#include "runtime.h"

namespace lapidary::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* first_line = "lapidary cuda peaks 2";
constexpr const char* remedy = "delete it, or name another by the option peaks_file";
// duration of a launch, so that launching and waiting hardly count
constexpr double long_enough_ns = 2e6;
constexpr int goes = 5, most_rounds = 1 << 22;

/// The rate of launch(rounds), which does amount(rounds) operations, in 1e9 per second. The best of
/// several runs counts, because other users of the device or host can only slow a run down.
template <typename Launch, typename Amount>
double best_rate(runtime::Stream& stream, const Launch& launch, const Amount& amount) {
    const auto timed_ns = [&](int rounds) {  // the fastest of several runs
        double least = 0;
        for (int go = 0; go < goes; ++go) {
            stream.wait();
            const auto begin = Clock::now();
            launch(rounds);
            stream.wait();
            const double took =
                std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
            least = go == 0 ? took : std::min(least, took);
        }
        return std::max(least, 1.0);
    };
    launch(1);  // the first launch of a kernel has extra costs and is not timed
    int rounds = 1;
    double took = timed_ns(rounds);
    while (took < long_enough_ns && rounds < most_rounds) {
        const double wanted = rounds * std::clamp(1.2 * long_enough_ns / took, 2.0, 16.0);
        rounds = std::min(most_rounds, static_cast<int>(wanted));
        took = timed_ns(rounds);
    }
    return amount(rounds) / took;
}

/// Device memory, freed by the destructor.
class Memory {
public:
    Memory(std::uint32_t device, std::uint64_t bytes)
        : device_(device), data_(runtime::allocate(device, bytes)) {}
    ~Memory() { runtime::release(device_, data_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    void* data() const { return data_; }

private:
    std::uint32_t device_;
    void* data_;
};

bool is_rate(double figure) { return std::isfinite(figure) && figure > 0; }

double rate_in(std::istream& in, const KeptFile& file, const char* name) {
    const std::string text = file.value_of(in, name);
    std::istringstream words(text);
    double figure = 0;
    if (!(words >> figure) || !is_rate(figure) || !(words >> std::ws).eof())
        file.refuse(std::string(name) + " is \"" + text.substr(0, 80) +
                    "\": expected a rate above 0");
    return figure;
}

}  // namespace

const char* name_of(PeakKind kind) {
    switch (kind) {
    case PeakKind::tf32: return "tf32";
    case PeakKind::float16: return "float16";
    case PeakKind::bfloat16: return "bfloat16";
    case PeakKind::int8: return "int8";
    default: return "float32";
    }
}

DevicePeaks measure_peaks(std::uint32_t device, const LpHost& host) {
    const Memory memory(device, runtime::peak_size.memory_bytes), never(device, 256);
    const std::unique_ptr<runtime::Stream> stream = runtime::make_stream(device, host, 0);
    DevicePeaks peaks;
    for (std::size_t i = 0; i < std::size(peak_kinds); ++i) {
        const PeakKind kind = peak_kinds[i];
        peaks.gops[i] = best_rate(
            *stream,
            [&](int rounds) {
                launch_peak(stream->queue(), kind, runtime::peak_size.blocks, rounds, never.data());
            },
            [&](int rounds) { return operations_of(kind, runtime::peak_size.blocks, rounds); });
    }
    peaks.gb_per_s = best_rate(
        *stream,
        [&](int rounds) {
            launch_reading(stream->queue(), memory.data(),
                           static_cast<std::int64_t>(runtime::peak_size.memory_bytes),
                           runtime::peak_size.blocks, rounds, never.data());
        },
        [&](int rounds) { return static_cast<double>(runtime::peak_size.memory_bytes) * rounds; });
    stream->wait();
    return peaks;
}

DevicePeaks known_peaks(std::uint32_t device, const LpHost& host, const std::string& path) {
    if (path.empty()) return measure_peaks(device, host);
    const runtime::DeviceFacts facts = runtime::device_facts(device);
    const KeptFile file("peaks file", path);
    const std::string text = file.read();
    DevicePeaks peaks;
    if (text.empty()) {
        peaks = measure_peaks(device, host);
        std::ostringstream out;
        out << first_line << "\ndevice " << facts.name << "\ndriver " << facts.driver
            << "\nmemory_gb_per_s " << peaks.gb_per_s << "\n";
        for (std::size_t i = 0; i < std::size(peak_kinds); ++i)
            out << name_of(peak_kinds[i]) << " " << peaks.gops[i] << "\n";
        file.write(out.str());
        return peaks;
    }
    std::istringstream in(text);
    std::string line;
    if (!std::getline(in, line) || line != first_line)
        file.refuse(std::string("expected \"") + first_line + "\", found \"" + line.substr(0, 80) +
                    "\"");
    file.require("device", file.value_of(in, "device"), facts.name, remedy);
    file.require("driver", file.value_of(in, "driver"), facts.driver, remedy);
    peaks.gb_per_s = rate_in(in, file, "memory_gb_per_s");
    for (std::size_t i = 0; i < std::size(peak_kinds); ++i)
        peaks.gops[i] = rate_in(in, file, name_of(peak_kinds[i]));
    return peaks;
}

}  // namespace lapidary::cuda
