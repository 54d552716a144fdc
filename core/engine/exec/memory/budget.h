// SPDX-License-Identifier: Apache-2.0
// Counts what a run of a session holds for activations and refuses what would pass the session's
// limits.
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
    /// `arena`: where memory comes from; null: each value from the heap. `of_session`: bytes in use
    /// by all budgets of the session, which its limit is for.
    Budget(const Limits& limits, std::unique_ptr<ActivationArena> arena,
           std::shared_ptr<std::atomic<std::int64_t>> of_session)
        : limits_(limits), arena_(std::move(arena)), of_session_(std::move(of_session)) {}

    /// Throws limit_exceeded naming the type, shape, bytes asked and the limit.
    void check(DType dtype, const Shape& shape) const;
    /// A tensor of the arena, or the heap without one, whose bytes are counted until its last
    /// holder is gone.
    Tensor allocate(DType dtype, Shape shape);
    /// Counts the characters that a tensor of strings from here holds by now, until its last holder
    /// is gone. Throws limit_exceeded where they pass the session's limit. Nothing for other
    /// tensors.
    void charge_text(const Tensor& tensor);
    /// The one block that a plan lays its values in.
    Tensor allocate_planned(std::uint64_t bytes);
    /// Has as many bytes of the arena ready, pages and all.
    void prepare(std::uint64_t bytes) {
        if (arena_) arena_->prepare(bytes);
    }
    /// Gives memory that nobody uses back to the system.
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

/// Who is told of +bytes or -bytes of a budget. Values of a run may be let go of by any thread at
/// any time: those threads alone tell that observe.
struct MemoryObserver {
    const Budget* budget = nullptr;
    std::function<void(std::int64_t)> report;
};

/// The calling thread tells `observer` (null: nobody) until destruction.
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
