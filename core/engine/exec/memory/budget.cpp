// SPDX-License-Identifier: Apache-2.0
#include "exec/memory/budget.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "base/memory/available_memory.h"
#include "base/memory/page_memory.h"
#include "tensor/text_bytes.h"

namespace lapidary {
namespace {

/// Free memory is queried only for requests that take longer to fill than a query.
constexpr std::uint64_t worth_asking = std::uint64_t{64} << 20;

bool is_left(std::uint64_t bytes) {
    return bytes <= (std::uint64_t{1} << 62) &&
           (bytes < worth_asking || bytes <= available_memory());
}

/// Without an arena, values of so many bytes get separate pages, which go back to the system when
/// the values are released; the heap would keep them. Not with AddressSanitizer, which only checks
/// the heap.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t own_pages = ~std::uint64_t{0};
#else
constexpr std::uint64_t own_pages = std::uint64_t{128} << 10;
#endif

[[noreturn]] void fail_memory(std::uint64_t bytes, const std::string& what) {
    const std::uint64_t left = available_memory();
    if (bytes > left)
        fail_limit("there is not enough memory for " + what + ": it takes " +
                   std::to_string(bytes) + " bytes, " + std::to_string(left) + " are left");
    fail_limit("the system refuses the " + std::to_string(bytes) + " bytes of " + what +
               " in one piece, though " + std::to_string(left) + " bytes are left");
}

thread_local const MemoryObserver* memory_observer = nullptr;

}  // namespace

ObserveMemory::ObserveMemory(const MemoryObserver* observer)
    : before_(std::exchange(memory_observer, observer)) {}
ObserveMemory::~ObserveMemory() { memory_observer = before_; }

void Budget::report(std::int64_t bytes) const noexcept {
    if (memory_observer != nullptr && memory_observer->budget == this)
        memory_observer->report(bytes);
}

void Budget::check(DType dtype, const Shape& shape) const {
    const auto what = [&] { return "a tensor " + std::string(name_of(dtype)) + to_string(shape); };
    if (shape.size() > static_cast<std::size_t>(limits_.run_rank))
        fail_unsupported(what() + " has rank " + std::to_string(shape.size()) +
                         ": values of a run may have up to " + std::to_string(limits_.run_rank) +
                         " dimensions");
    const std::uint64_t bytes = storage_bytes(dtype, element_count(shape));
    if (bytes > limits_.tensor_bytes)
        fail_limit(what() + " takes " + std::to_string(bytes) +
                   " bytes, the limit for one tensor is " + std::to_string(limits_.tensor_bytes));
    const auto in_use = static_cast<std::uint64_t>(of_session_->load(std::memory_order_relaxed));
    if (in_use + bytes > limits_.run_bytes)
        fail_limit(what() + " takes " + std::to_string(bytes) + " bytes on top of " +
                   std::to_string(in_use) + " in use, the limit for a session is " +
                   std::to_string(limits_.run_bytes));
}

void Budget::add(std::int64_t bytes) {
    of_session_->fetch_add(bytes, std::memory_order_relaxed);
    const std::int64_t now = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::int64_t peak = peak_.load(std::memory_order_relaxed);
    while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {}
    report(bytes);
}

void Budget::subtract(std::int64_t bytes) noexcept {
    of_session_->fetch_sub(bytes, std::memory_order_relaxed);
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    report(-bytes);
}

// Owns plain memory: one control block for the storage and its charge.
Tensor Budget::charged(DType dtype, const Shape& shape, void* data, std::int64_t bytes, From from) {
    std::shared_ptr<const void> owner(
        data, [budget = shared_from_this(), bytes, from](const void* p) {
            if (from == From::arena) budget->arena_->release(const_cast<void*>(p));
            else if (from == From::pages)
                unmap_pages(const_cast<void*>(p), static_cast<std::size_t>(bytes));
            else free_block(const_cast<void*>(p));
            budget->subtract(bytes);
        });
    add(bytes);
    return Tensor::borrow(dtype, shape, data, std::move(owner));
}

/// Releases a tensor of strings and the bytes that were counted for it.
struct Budget::TextCharge {
    std::shared_ptr<Budget> budget;
    std::shared_ptr<const void> storage;
    std::uint64_t elements;  // bytes
    std::uint64_t text = 0;  // bytes of characters

    void operator()(const void*) {
        storage.reset();
        budget->subtract(static_cast<std::int64_t>(elements + text));
    }
};

Tensor Budget::allocate(DType dtype, Shape shape) {
    check(dtype, shape);
    const std::uint64_t bytes = storage_bytes(dtype, element_count(shape));
    if (dtype != DType::string) {
        const From from = arena_ ? From::arena : bytes >= own_pages ? From::pages : From::heap;
        void* data = nullptr;  // where the machine does not have as much left, or refuses it
        if (from == From::arena) data = arena_->allocate(bytes);
        else if (is_left(bytes))
            data = from == From::pages
                       ? map_pages(bytes, bytes >= large_page ? Pages::large : Pages::usual)
                       : allocate_block(bytes, Pages::large);
        if (data == nullptr)
            fail_memory(bytes, "a tensor " + std::string(name_of(dtype)) + to_string(shape));
        return charged(dtype, shape, data, static_cast<std::int64_t>(bytes), from);
    }
    if (!is_left(bytes))
        fail_memory(bytes, "a tensor " + std::string(name_of(dtype)) + to_string(shape));
    Tensor plain(dtype, std::move(shape));
    add(static_cast<std::int64_t>(bytes));
    std::shared_ptr<const void> charge(plain.raw(),
                                       TextCharge{shared_from_this(), plain.owner(), bytes});
    return Tensor::borrow(dtype, plain.shape(), plain.mutable_raw(), std::move(charge));
}

void Budget::charge_text(const Tensor& tensor) {
    auto* const charge = std::get_deleter<TextCharge>(tensor.owner());
    if (charge == nullptr || charge->text > 0) return;
    const std::uint64_t bytes = text_bytes(tensor);
    const auto in_use = static_cast<std::uint64_t>(of_session_->load(std::memory_order_relaxed));
    if (in_use + bytes > limits_.run_bytes)
        fail_limit("the strings of a tensor " + to_string(tensor.shape()) + " take " +
                   std::to_string(bytes) + " bytes on top of " + std::to_string(in_use) +
                   " in use, the limit for a session is " + std::to_string(limits_.run_bytes));
    charge->text = bytes;
    add(static_cast<std::int64_t>(bytes));
}

Tensor Budget::allocate_planned(std::uint64_t bytes) {
    const Shape shape{static_cast<std::int64_t>(bytes)};
    check(DType::u8, shape);
    void* data = is_left(bytes) ? allocate_block(bytes, Pages::large) : nullptr;
    if (data == nullptr) fail_memory(bytes, "the values of a run");
    return charged(DType::u8, shape, data, static_cast<std::int64_t>(bytes), From::heap);
}

// The heap too holds unused pages: those that kernels of the first run requested.
void Budget::shrink() noexcept {
    if (arena_) arena_->shrink();
    trim_heap();
}

}  // namespace lapidary
