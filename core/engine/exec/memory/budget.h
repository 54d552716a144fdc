// SPDX-License-Identifier: Apache-2.0
// Counts the memory that a run of a session holds for activations, and refuses what would exceed
// the session's limits.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <lapidary/base/limits.h>
#include <lapidary/tensor/tensor.h>

#include "exec/memory/activation_arena.h"

namespace lapidary {

class Budget : public std::enable_shared_from_this<Budget> {
public:
    /// `arena`: where memory comes from; null: the heap, for each value. `of_session`: bytes in use
    /// by all budgets of the session, which is what the limit applies to.
    Budget(const Limits& limits, std::unique_ptr<ActivationArena> arena,
           std::shared_ptr<std::atomic<std::int64_t>> of_session)
        : limits_(limits), arena_(std::move(arena)), of_session_(std::move(of_session)) {}

    /// Throws limit_exceeded naming the type, shape, requested bytes and the limit.
    void check(DType dtype, const Shape& shape) const;
    /// A tensor from the arena (or the heap without one). Its bytes count until its last holder
    /// releases it.
    Tensor allocate(DType dtype, Shape shape);
    /// Counts the characters that a tensor of strings from here holds now, until its last holder
    /// releases it. Throws limit_exceeded if they exceed the session's limit. Does nothing for
    /// other tensors.
    void charge_text(const Tensor& tensor);
    /// The single block in which a plan places its values.
    Tensor allocate_planned(std::uint64_t bytes);
    /// Gets that many bytes of the arena ready and touches their pages.
    void prepare(std::uint64_t bytes) {
        if (arena_) arena_->prepare(bytes);
    }
    /// Gives unused memory back to the system.
    void shrink() noexcept;
    const ActivationArena* arena() const { return arena_.get(); }
    void add(std::int64_t bytes);
    void subtract(std::int64_t bytes) noexcept;

    std::int64_t used() const { return used_.load(std::memory_order_relaxed); }
    std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
    void reset_peak() { peak_ = used(); }

private:
    struct TextCharge;
    enum class From : std::uint8_t { arena, heap, pages };
    Tensor charged(DType dtype, const Shape& shape, void* data, std::int64_t bytes, From from);
    Limits limits_;
    std::unique_ptr<ActivationArena> arena_;
    std::shared_ptr<std::atomic<std::int64_t>> of_session_;
    std::atomic<std::int64_t> used_{0}, peak_{0};
    void report(std::int64_t bytes) const noexcept;
};

/// Receives +bytes and -bytes of a budget. Any thread may release the values of a run at any time;
/// only threads with an ObserveMemory report.
struct MemoryObserver {
    const Budget* budget = nullptr;
    std::function<void(std::int64_t)> report;
};

/// The calling thread reports to `observer` (if not null) until destruction.
class ObserveMemory {
public:
    explicit ObserveMemory(const MemoryObserver* observer);
    ObserveMemory(const ObserveMemory&) = delete;
    ObserveMemory& operator=(const ObserveMemory&) = delete;
    ~ObserveMemory();

private:
    const MemoryObserver* before_;
};

}  // namespace lapidary
