// SPDX-License-Identifier: Apache-2.0
#include "base/threads/thread_setup.h"

#include <charconv>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

#if defined(__x86_64__)
constexpr std::uint64_t flush_and_treat_as_zero = 0x8040;  // MXCSR: FTZ, DAZ
std::uint64_t float_mode() { return __builtin_ia32_stmxcsr(); }
void set_float_mode(std::uint64_t mode) { __builtin_ia32_ldmxcsr(static_cast<unsigned>(mode)); }
#elif defined(__aarch64__)
constexpr std::uint64_t flush_and_treat_as_zero = std::uint64_t{1} << 24;  // FPCR: FZ
std::uint64_t float_mode() {
    std::uint64_t mode;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}
void set_float_mode(std::uint64_t mode) { asm volatile("msr fpcr, %0" ::"r"(mode)); }
#else
constexpr std::uint64_t flush_and_treat_as_zero = 0;
std::uint64_t float_mode() { return 0; }
void set_float_mode(std::uint64_t) {}
#endif

std::string_view take_until(std::string_view& text, char separator) {
    const std::size_t at = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

int processor_of(std::string_view text, std::string_view whole) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 ||
        number > ProcessorSet::most)
        fail_input("thread affinities " + quote(std::string(whole)) +
                   ": expected processors from 1 on such as \"1,3;5-7\", found " +
                   quote(std::string(text)));
    return number - 1;
}

}  // namespace

std::vector<std::vector<int>> parse_affinities(std::string_view text, int threads) {
    std::vector<std::vector<int>> workers;
    if (text.empty()) return workers;
    const auto usable = thread_processors();
    std::string_view rest = text;
    do {
        std::string_view worker = take_until(rest, ';');
        auto& list = workers.emplace_back();
        do {
            std::string_view range = take_until(worker, ',');
            const bool is_range = range.find('-') != std::string_view::npos;
            const int first = processor_of(take_until(range, '-'), text);
            const int last = is_range ? processor_of(range, text) : first;
            if (last < first)
                fail_input("thread affinities " + quote(std::string(text)) +
                           ": a range ends before it begins");
            for (int p = first; p <= last; ++p) {
                if (usable && !usable->contains(p))
                    fail_input("thread affinities " + quote(std::string(text)) +
                               ": this process may not use processor " + std::to_string(p + 1));
                list.push_back(p);
            }
        } while (!worker.empty());
    } while (!rest.empty());
    if (static_cast<int>(workers.size()) != threads - 1)
        fail_input("thread affinities " + quote(std::string(text)) + " are for " +
                   std::to_string(workers.size()) + " workers; with " + std::to_string(threads) +
                   " threads there are " + std::to_string(threads - 1) + " beside the calling one");
    return workers;
}

DenormalMode::DenormalMode(bool as_zero) : before_(float_mode()) {
    set_float_mode(as_zero ? before_ | flush_and_treat_as_zero
                           : before_ & ~flush_and_treat_as_zero);
}

DenormalMode::~DenormalMode() { set_float_mode(before_); }

SetUpThread::SetUpThread(const ThreadSetup& setup, int worker) {
    // an acquired thread has the mode of the thread that started it
    if (setup.denormal_as_zero || worker != 0) denormals_.emplace(setup.denormal_as_zero);
    if (worker < 1 || static_cast<std::size_t>(worker) > setup.processors.size()) return;
    ProcessorSet wanted;
    for (int p : setup.processors[static_cast<std::size_t>(worker) - 1]) wanted.add(p);
    const auto before = thread_processors();
    if (before) processors_ = *before;
    sets_affinity_ = before && set_thread_processors(wanted);
}

SetUpThread::~SetUpThread() {
    if (sets_affinity_) set_thread_processors(processors_);
}

}  // namespace lapidary
