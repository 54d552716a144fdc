// SPDX-License-Identifier: Apache-2.0
// Memory that is written once and read in every run: in large pages, but without waiting for a
// system that provides them slowly.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace lapidary {

/// A block that gets its memory piece by piece before it is written. A piece becomes a large page
/// (2 MB) while the system provides these quickly. While it is slow (the host of a virtual machine
/// may take milliseconds for each), pieces get pages of the usual size, which collapse() later
/// turns into large ones. Needs Linux 6.1 with transparent huge pages; elsewhere the block comes
/// from allocate_block() and has no pieces.
class LargePages {
public:
    /// Of `bytes` bytes, uninitialised; data() is null when the system refuses them.
    explicit LargePages(std::size_t bytes);
    LargePages(const LargePages&) = delete;
    LargePages& operator=(const LargePages&) = delete;
    ~LargePages();

    /// Aligned for large pages when there is room for one, else to 64 bytes.
    std::byte* data() const { return data_; }
    std::int64_t pieces() const { return static_cast<std::int64_t>(is_usual_.size()); }
    /// Makes a piece resident. Call at most once for each piece, from any thread. A piece that is
    /// left out has usual pages.
    void back(std::int64_t piece) noexcept;
    /// Whether collapse() has something to do.
    bool has_usual() const;
    /// Turns the usual pages of each piece into a large one. Call after all back() calls. Other
    /// threads may read and write the block meanwhile; one that needs the current piece waits, some
    /// tenths of a millisecond on most machines. Where the system has no large page, pages stay as
    /// they are. Stops after the current piece when `stop` is requested.
    void collapse(const std::stop_token& stop) noexcept;

private:
    std::byte* data_;
    std::vector<std::uint8_t> is_usual_;  // by piece
    std::atomic<std::int64_t> skipping_{0}, next_skip_{least_skip};

    // pieces that get usual pages after a large page that came slowly; doubles each time
    static constexpr std::int64_t least_skip = 4;
};

}  // namespace lapidary
