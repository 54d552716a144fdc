// SPDX-License-Identifier: Apache-2.0
#include "emulated/machine.h"

#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <lapidary/float16.h>

#include "emulated/stack_switch.h"
#include "emulated/workers.h"

namespace lapidary::cuda::emulated {

thread_local Position position;

namespace {

constexpr unsigned warp_size = 32, slot_floats = 12;  // of a lane: the elements of its fragments of two tiles
constexpr std::size_t stack_bytes = stack_is_watched ? std::size_t{256} << 10 : std::size_t{64} << 10;

struct Copy {
    void* to;
    unsigned char data[16];
};
enum class State : std::uint8_t { ready, at_barrier, at_warp, at_condition, done };
using Deferred = std::function<void()>;

struct Fiber {
    ucontext_t context{};
    Jump jump;
    Stack stack;
    bool has_started = false;  // its function, which then waits for the next block
    State state = State::ready;
    std::vector<std::vector<Copy>> groups;  // of copies that were committed
    std::vector<Copy> open;
    std::function<bool()> condition;
    std::vector<std::vector<Deferred>> put_off;  // groups that were committed
    std::vector<Deferred> open_put_off;
};

/// Runs blocks, one after the other, in one thread of the host.
class BlockRunner {
public:
    BlockRunner(unsigned threads, bool waits) : threads_(threads), waits_(waits), order_(threads) {
        std::iota(order_.begin(), order_.end(), 0u);
        if (!waits) return;
        fibers_ = std::vector<Fiber>(threads);
        stacks_ = std::make_unique_for_overwrite<unsigned char[]>(stack_bytes * threads);
        slots_.resize(std::size_t{threads + warp_size} * slot_floats);
    }
    void set_body(const std::function<void()>& body) { body_ = &body; }
    void run_block(std::uint32_t seed);

    unsigned current() const { return current_; }
    void leave(State state);
    float* warp_slots() { return slots_.data() + std::size_t{current_ / warp_size * warp_size} * slot_floats; }
    Fiber& fiber() { return fibers_[current_]; }
    bool lands_at_once() { return shuffles_ && random_() % 2 == 0; }
    bool waits() const { return waits_; }
    void do_later(Deferred work) { later_.push_back(std::move(work)); }
    unsigned char* memory();

private:
    [[noreturn]] static void start();
    void resume(unsigned i);
    void run_without_fibers();
    bool is_any_ready(unsigned warp) const;
    bool step_fibers();
    bool release_warps();
    bool release_block();
    bool release_conditions();
    bool do_some_later();

    unsigned threads_;
    bool waits_, shuffles_ = false;
    const std::function<void()>* body_ = nullptr;
    std::vector<unsigned> order_;
    std::vector<Fiber> fibers_;
    std::unique_ptr<unsigned char[]> stacks_;
    std::vector<float> slots_;
    Jump home_;
    Stack home_stack_;
    unsigned current_ = 0, done_ = 0, eager_ = 0;
    std::minstd_rand random_;
    std::vector<Deferred> later_;
    std::exception_ptr failure_;  // of a fiber; the runner is given up then
    struct Free {
        void operator()(unsigned char* p) const { std::free(p); }
    };
    std::unique_ptr<unsigned char[], Free> memory_;
};

thread_local BlockRunner* running = nullptr;

/// Those of this thread of the host, whose fibers have their stacks already; by threads of a block and whether they
/// wait.
thread_local std::map<std::pair<unsigned, bool>, std::unique_ptr<BlockRunner>> runners;

void BlockRunner::leave(State state) {
    Fiber& f = fibers_[current_];
    f.state = state;
    if (!LAPIDARY_SET_JUMP(f.jump)) {
        f.stack.leave_for(home_stack_);
        jump_to(home_);
    }
    f.stack.arrive_from(home_stack_);
}

void BlockRunner::start() {
    running->fiber().stack.arrive_from(running->home_stack_);
    for (;;) {
        try {
            (*running->body_)();
        } catch (...) { running->failure_ = std::current_exception(); }  // nothing unwinds beyond a fiber's stack
        running->leave(State::done);
    }
}

void BlockRunner::resume(unsigned i) {
    current_ = i;
    if (LAPIDARY_SET_JUMP(home_)) return home_stack_.arrive();
    Fiber& f = fibers_[i];
    if (f.has_started) {
        home_stack_.leave_for(f.stack);
        jump_to(f.jump);
    }
    f.has_started = true;
    f.stack = {stacks_.get() + stack_bytes * i, stack_bytes};
    home_stack_.leave_for(f.stack);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = stacks_.get() + stack_bytes * i;
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, &BlockRunner::start, 0);
    setcontext(&f.context);
}

bool BlockRunner::is_any_ready(unsigned warp) const {
    const std::size_t end = std::min<std::size_t>(threads_, (warp + 1) * warp_size);
    for (std::size_t i = warp * warp_size; i < end; ++i)
        if (fibers_[i].state == State::ready) return true;
    return false;
}

/// Each ready fiber once, or those of one warp alone.
bool BlockRunner::step_fibers() {
    const unsigned warps = (threads_ + warp_size - 1) / warp_size;
    if (shuffles_) {
        std::shuffle(order_.begin(), order_.end(), random_);
        if (eager_ >= warps || !is_any_ready(eager_)) eager_ = static_cast<unsigned>(random_()) % (warps * 2);
    }
    const bool is_one_ahead = shuffles_ && eager_ < warps && is_any_ready(eager_);
    bool has_moved = false;
    for (unsigned i : order_) {
        if (fibers_[i].state != State::ready || (is_one_ahead && i / warp_size != eager_)) continue;
        resume(i);
        has_moved = true;
        done_ += fibers_[i].state == State::done ? 1 : 0;
    }
    return has_moved;
}

bool BlockRunner::release_warps() {
    bool has_moved = false;
    for (unsigned first = 0; first < threads_; first += warp_size) {
        const unsigned end = std::min(threads_, first + warp_size);
        unsigned waiting = 0, gone = 0;
        for (unsigned i = first; i < end; ++i) {
            waiting += fibers_[i].state == State::at_warp ? 1 : 0;
            gone += fibers_[i].state == State::done ? 1 : 0;
        }
        if (waiting == 0 || waiting + gone != end - first) continue;
        for (unsigned i = first; i < end; ++i)
            if (fibers_[i].state == State::at_warp) fibers_[i].state = State::ready;
        has_moved = true;
    }
    return has_moved;
}

bool BlockRunner::release_block() {
    const auto waiting = std::ranges::count(fibers_, State::at_barrier, &Fiber::state);
    if (waiting == 0 || static_cast<unsigned>(waiting) + done_ != threads_) return false;
    for (Fiber& f : fibers_)
        if (f.state == State::at_barrier) f.state = State::ready;
    return true;
}

bool BlockRunner::release_conditions() {
    bool has_moved = false;
    for (Fiber& f : fibers_) {
        if (f.state != State::at_condition || !f.condition()) continue;
        f.state = State::ready;
        has_moved = true;
    }
    return has_moved;
}

/// One of them, any.
bool BlockRunner::do_some_later() {
    if (later_.empty()) return false;
    const std::size_t chosen = shuffles_ ? random_() % later_.size() : 0;
    const Deferred work = std::move(later_[chosen]);
    later_.erase(later_.begin() + static_cast<std::ptrdiff_t>(chosen));
    work();
    return true;
}

unsigned char* BlockRunner::memory() {
    if (!memory_) {
        memory_.reset(static_cast<unsigned char*>(std::aligned_alloc(1024, block_memory_bytes)));
        std::memset(memory_.get(), 0xff, block_memory_bytes);
    }
    return memory_.get();
}

void BlockRunner::run_without_fibers() {
    const unsigned offset = shuffles_ ? static_cast<unsigned>(random_()) % threads_ : 0;
    for (unsigned i = 0; i < threads_; ++i) {
        current_ = (i + offset) % threads_;
        (*body_)();
    }
}

void BlockRunner::run_block(std::uint32_t seed) {
    running = this;
    shuffles_ = seed != 0;
    random_.seed(seed);
    if (!waits_) return run_without_fibers();
    for (Fiber& f : fibers_) {
        f.state = State::ready;
        f.groups.clear();
        f.open.clear();
        f.put_off.clear();
        f.open_put_off.clear();
    }
    later_.clear();
    if (memory_) std::memset(memory_.get(), 0xff, block_memory_bytes);
    done_ = 0;
    eager_ = ~0u;
    while (done_ < threads_) {
        bool has_moved = step_fibers();
        if (failure_) std::rethrow_exception(failure_);
        if (shuffles_ && has_moved && done_ < threads_ && random_() % 4 == 0) continue;  // warps ahead of others
        has_moved |= release_warps();
        has_moved |= release_block();
        if (shuffles_ ? random_() % 3 == 0 : !has_moved) has_moved |= do_some_later();
        has_moved |= release_conditions();
        if (!has_moved) has_moved = do_some_later();
        if (!has_moved && done_ < threads_)
            throw std::runtime_error("threads of a block wait for each other in different places");
    }
}

/// As a device refuses it.
void check_size(Grid grid, unsigned threads) {
    const bool fits = grid.x > 0 && grid.x <= INT32_MAX && grid.y > 0 && grid.y <= most_blocks_along && grid.z > 0 &&
                      grid.z <= most_blocks_along && threads > 0 && threads <= 1024;
    if (!fits)
        throw std::logic_error("a launch of " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
                               std::to_string(grid.z) + " blocks of " + std::to_string(threads) +
                               " threads, which no device takes");
}

BlockRunner& waiting_runner() {
    if (!running->waits()) throw std::logic_error("a kernel launched as free waits for other threads");
    return *running;
}

/// The one or two elements of a word, as floats.
void store_elements(float* to, std::uint32_t word, TileType type) {
    if (type == TileType::tf32) {
        std::memcpy(to, &word, 4);
        return;
    }
    for (unsigned half = 0; half < 2; ++half) {
        const auto bits = static_cast<std::uint16_t>(word >> (16 * half));
        BFloat16 b;
        b.bits = bits;
        to[half] = type == TileType::f16 ? half_bits_to_float(bits) : static_cast<float>(b);
    }
}

}  // namespace

unsigned thread_index() { return running->current(); }

void meet_block() { waiting_runner().leave(State::at_barrier); }
void meet_warp() { waiting_runner().leave(State::at_warp); }

float shuffle_xor(float value, int mask) {
    BlockRunner& runner = waiting_runner();
    float* const slots = runner.warp_slots();
    const unsigned lane = runner.current() % warp_size;
    slots[lane * slot_floats] = value;
    runner.leave(State::at_warp);
    const float other = slots[(lane ^ static_cast<unsigned>(mask)) * slot_floats];
    runner.leave(State::at_warp);
    return other;
}

void copy_async(void* to, const void* from, bool is_valid) {
    if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 16 != 0)
        throw std::logic_error("an asynchronous copy does not begin at a multiple of 16 bytes");
    Copy copy{to, {}};
    if (is_valid) std::memcpy(copy.data, from, 16);
    BlockRunner& runner = waiting_runner();
    if (runner.lands_at_once()) std::memcpy(to, copy.data, 16);
    else runner.fiber().open.push_back(copy);
}

void copy_commit() {
    Fiber& fiber = waiting_runner().fiber();
    fiber.groups.push_back(std::move(fiber.open));
    fiber.open.clear();
}

void copy_wait(int groups_left) {
    Fiber& fiber = waiting_runner().fiber();
    while (fiber.groups.size() > static_cast<std::size_t>(groups_left)) {
        for (const Copy& copy : fiber.groups.front()) std::memcpy(copy.to, copy.data, 16);
        fiber.groups.erase(fiber.groups.begin());
    }
}

void wait_until(std::function<bool()> holds) {
    BlockRunner& runner = waiting_runner();
    if (holds()) return;
    runner.fiber().condition = std::move(holds);
    runner.leave(State::at_condition);
}

void do_later(std::function<void()> work) { waiting_runner().do_later(std::move(work)); }

void put_off(std::function<void()> work) {
    BlockRunner& runner = waiting_runner();
    Fiber& fiber = runner.fiber();
    if (fiber.put_off.empty() && fiber.open_put_off.empty() && runner.lands_at_once()) return work();
    fiber.open_put_off.push_back(std::move(work));
}

void commit_put_off() {
    Fiber& fiber = waiting_runner().fiber();
    fiber.put_off.push_back(std::move(fiber.open_put_off));
    fiber.open_put_off.clear();
}

void do_put_off(int groups_left) {
    Fiber& fiber = waiting_runner().fiber();
    while (fiber.put_off.size() > static_cast<std::size_t>(groups_left)) {
        for (const Deferred& work : fiber.put_off.front()) work();
        fiber.put_off.erase(fiber.put_off.begin());
    }
}

unsigned char* block_memory() { return waiting_runner().memory(); }

void multiply_tiles(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], TileType type) {
    BlockRunner& runner = waiting_runner();
    float* const slots = runner.warp_slots();
    const unsigned lane = runner.current() % warp_size, per_word = type == TileType::tf32 ? 1 : 2;
    for (unsigned i = 0; i < 4; ++i) store_elements(slots + lane * slot_floats + i * per_word, a[i], type);
    for (unsigned i = 0; i < 2; ++i) store_elements(slots + lane * slot_floats + (4 + i) * per_word, b[i], type);
    runner.leave(State::at_warp);
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
        float sum = 0;
        for (unsigned upper = 0; upper < 2; ++upper)
            for (unsigned word = 0; word < 4; ++word) {
                const float* const x =
                    slots + (row % 8 * 4 + word) * slot_floats + ((row >= 8 ? 1 : 0) + 2 * upper) * per_word;
                const float* const y = slots + (column * 4 + word) * slot_floats + (4 + upper) * per_word;
                for (unsigned k = 0; k < per_word; ++k) sum += x[k] * y[k];
            }
        d[i] += sum;
    }
    runner.leave(State::at_warp);
}

void load_matrices(std::uint32_t (&r)[4], const void* row, bool is_turned) {
    if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0)
        throw std::logic_error("a row of a matrix does not begin at a multiple of 16 bytes");
    BlockRunner& runner = waiting_runner();
    float* const slots = runner.warp_slots();
    const unsigned lane = runner.current() % warp_size;
    std::memcpy(slots + lane * slot_floats, &row, sizeof(row));
    runner.leave(State::at_warp);
    const auto element = [&](unsigned matrix, unsigned of_row, unsigned column) {
        const unsigned char* begin = nullptr;
        std::memcpy(&begin, slots + (matrix * 8 + of_row) * slot_floats, sizeof(begin));
        std::uint16_t bits = 0;
        std::memcpy(&bits, begin + column * 2, 2);
        return std::uint32_t{bits};
    };
    for (unsigned j = 0; j < 4; ++j) {
        const unsigned major = lane / 4, minor = lane % 4 * 2;
        const std::uint32_t low = is_turned ? element(j, minor, major) : element(j, major, minor);
        const std::uint32_t high = is_turned ? element(j, minor + 1, major) : element(j, major, minor + 1);
        r[j] = low | high << 16;
    }
    runner.leave(State::at_warp);
}

namespace {

/// The sum of four products of signed bytes, which wraps.
std::uint32_t product_of_bytes(float x, float y) {
    std::int8_t a[4], b[4];
    std::memcpy(a, &x, 4);
    std::memcpy(b, &y, 4);
    int sum = 0;
    for (unsigned i = 0; i < 4; ++i) sum += a[i] * b[i];
    return static_cast<std::uint32_t>(sum);
}

}  // namespace

void multiply_byte_tiles(int (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    BlockRunner& runner = waiting_runner();
    float* const slots = runner.warp_slots();  // words of bytes, which nothing computes with as floats
    const unsigned lane = runner.current() % warp_size;
    std::memcpy(slots + lane * slot_floats, a, sizeof(a));
    std::memcpy(slots + lane * slot_floats + 4, b, sizeof(b));
    runner.leave(State::at_warp);
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
        auto sum = static_cast<std::uint32_t>(d[i]);
        for (unsigned upper = 0; upper < 2; ++upper)
            for (unsigned word = 0; word < 4; ++word)
                sum += product_of_bytes(slots[(row % 8 * 4 + word) * slot_floats + (row >= 8 ? 1 : 0) + 2 * upper],
                                        slots[(column * 4 + word) * slot_floats + 4 + upper]);
        d[i] = static_cast<int>(sum);
    }
    runner.leave(State::at_warp);
}

void run(Grid grid, unsigned threads, bool waits, unsigned seed, const std::function<void()>& body) {
    check_size(grid, threads);
    const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        auto& kept = runners[{threads, waits}];
        if (!kept) kept = std::make_unique<BlockRunner>(threads, waits);
        BlockRunner& runner = *kept;
        runner.set_body(body);
        position.grid = grid;
        position.threads = threads;
        try {
            for (std::size_t i = 0; (i = next++) < blocks;) {
                position.block = {static_cast<unsigned>(i % grid.x), static_cast<unsigned>(i / grid.x % grid.y),
                                  static_cast<unsigned>(i / grid.x / grid.y)};
                runner.run_block(seed == 0 ? 0 : static_cast<std::uint32_t>(seed * 7919u + i * 31u) | 1u);
            }
        } catch (...) {
            kept.reset();  // its fibers are somewhere within the kernel
            throw;
        }
    };
    run_on_workers(work, waits ? blocks / 8 : blocks / 16);  // helpers are not woken for little
}

}  // namespace lapidary::cuda::emulated
