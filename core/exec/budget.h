// SPDX-License-Identifier: Apache-2.0
// Counts what a session holds for activations and refuses what would pass its limits.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <lapidary/limits.h>
#include <lapidary/tensor.h>

#include "exec/activation_arena.h"

namespace lapidary {

class Budget : public std::enable_shared_from_this<Budget> {
public:
    /// `arena`: where memory comes from; null: each value from the heap.
    explicit Budget(const Limits& limits, std::unique_ptr<ActivationArena> arena = nullptr) : limits_(limits), arena_(std::move(arena)) {}

    /// Throws limit_exceeded naming the type, shape, bytes asked and the limit.
    void check(DType dtype, const Shape& shape) const;
    /// A tensor of the arena, or the heap without one, whose bytes are counted until its last holder is gone.
    Tensor allocate(DType dtype, Shape shape);
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
    /// Called with +bytes or -bytes, from any thread. Set only between runs.
    void observe(std::function<void(std::int64_t)> observer) { observer_ = std::move(observer); }

private:
    Tensor charged(DType dtype, const Shape& shape, void* data, std::int64_t bytes, bool in_arena);
    Limits limits_;
    std::unique_ptr<ActivationArena> arena_;
    std::atomic<std::int64_t> used_{0}, peak_{0};
    std::function<void(std::int64_t)> observer_;
};

}  // namespace lapidary
