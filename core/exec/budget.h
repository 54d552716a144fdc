// SPDX-License-Identifier: Apache-2.0
// Counts what a session holds for activations and refuses what would pass its limits.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <lapidary/limits.h>
#include <lapidary/tensor.h>

namespace lapidary {

class Budget : public std::enable_shared_from_this<Budget> {
public:
    explicit Budget(const Limits& limits) : limits_(limits) {}

    /// Throws limit_exceeded naming the type, shape, bytes asked and the limit.
    void check(DType dtype, const Shape& shape) const;
    /// A heap tensor whose bytes are counted until its last holder is gone.
    Tensor allocate(DType dtype, Shape shape);
    void add(std::int64_t bytes);
    void subtract(std::int64_t bytes) noexcept;

    std::int64_t used() const { return used_.load(std::memory_order_relaxed); }
    std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
    void reset_peak() { peak_ = used(); }
    /// Called with +bytes or -bytes, from any thread. Set only between runs.
    void observe(std::function<void(std::int64_t)> observer) { observer_ = std::move(observer); }

private:
    Tensor charged(DType dtype, const Shape& shape, void* data, std::int64_t bytes);
    Limits limits_;
    std::atomic<std::int64_t> used_{0}, peak_{0};
    std::function<void(std::int64_t)> observer_;
};

}  // namespace lapidary
