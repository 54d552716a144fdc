// SPDX-License-Identifier: Apache-2.0
// The processors on which the calling thread may run (its affinity).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace lapidary {

/// Processors by number, from 0 on.
class ProcessorSet {
public:
    static constexpr int most = 1024;

    void add(int processor) { words_[index(processor)] |= bit(processor); }
    bool contains(int processor) const { return (words_[index(processor)] & bit(processor)) != 0; }
    int count() const;
    /// As bits, least significant first.
    std::array<std::uint64_t, most / 64>& words() { return words_; }
    const std::array<std::uint64_t, most / 64>& words() const { return words_; }

private:
    static std::size_t index(int processor) { return static_cast<std::size_t>(processor) / 64; }
    static std::uint64_t bit(int processor) { return std::uint64_t{1} << (processor % 64); }
    std::array<std::uint64_t, most / 64> words_{};
};

/// The processors that the calling thread may use; empty if the system does not say.
std::optional<ProcessorSet> thread_processors();
/// False where the system refuses.
bool set_thread_processors(const ProcessorSet& processors);

}  // namespace lapidary
