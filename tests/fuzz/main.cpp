// SPDX-License-Identifier: Apache-2.0
// fuzz_corpus TARGET COUNT PLACE...: gives each file of the places to the target, then damaged
// copies of them in turn, until there were COUNT inputs. Inputs are the same in each run. One that
// crashes, takes more than a minute or ends as a fault of ours ends the program with 1; it is
// named, and written to fuzz_failed_TARGET in the current folder. --first N leaves out the damaged
// copies before the N-th, so that long runs go on where others ended.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/damage.h"

#define FUZZ_TARGET(name) int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz/targets.inc"
#ifdef LAPIDARY_HAS_WORKBENCH
#include "fuzz/window_targets.inc"
#endif
#undef FUZZ_TARGET

namespace {

using lapidary::fuzz::Input;
using Entry = int (*)(const std::uint8_t*, std::size_t);

constexpr unsigned hang_seconds = 60;
constexpr std::uint64_t most_memory = std::uint64_t{3} << 30;  // bytes of this process

constexpr std::pair<std::string_view, Entry> entries[] = {
#define FUZZ_TARGET(name) {#name, fuzz_##name},
#include "fuzz/targets.inc"
#ifdef LAPIDARY_HAS_WORKBENCH
#include "fuzz/window_targets.inc"
#endif
#undef FUZZ_TARGET
};

/// What runs now, for the handler of signals, which may neither allocate nor lock.
struct Current {
    std::array<char, 512> text{};  // names the input
    std::array<char, 128> failed{};
    Input input;
} current;

void put(int file, const void* bytes, std::size_t size) {
    if (::write(file, bytes, size) < 0) ::_exit(1);
}

void report(int signal) {
    static constexpr std::string_view hangs = " hangs\n", crashes = " ends the program\n";
    const std::string_view how = signal == SIGALRM ? hangs : crashes;
    put(2, current.text.data(), std::strlen(current.text.data()));
    put(2, how.data(), how.size());
    const int file = ::open(current.failed.data(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0) put(file, current.input.data(), current.input.size());
    ::_exit(1);
}

/// A stack of its own for the handler, for an input may use up the other one.
void watch_signals() {
    static std::array<char, 1 << 16> memory;
    stack_t stack{};
    stack.ss_sp = memory.data();
    stack.ss_size = memory.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = report;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV})
        ::sigaction(signal, &action, nullptr);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which map far more
    const rlimit memory_limit{most_memory, most_memory};
    ::setrlimit(RLIMIT_DATA, &memory_limit);
#endif
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
}

struct Seed {
    std::string name;
    std::vector<std::byte> bytes;
};

std::vector<Seed> read_seeds(std::span<char*> places) {
    std::vector<std::filesystem::path> files;
    for (const char* place : places) {
        if (!std::filesystem::is_directory(place)) {
            files.emplace_back(place);
            continue;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(place))
            if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<Seed> seeds;
    for (const auto& path : files) {
        Seed& seed = seeds.emplace_back();
        seed.name = path.filename().string();
        seed.bytes.resize(std::filesystem::file_size(path));
        std::ifstream(path, std::ios::binary)
            .read(reinterpret_cast<char*>(seed.bytes.data()),
                  static_cast<std::streamsize>(seed.bytes.size()));
    }
    return seeds;
}

void run(Entry entry, const std::string& target, const std::string& name, Input input) {
    std::snprintf(current.text.data(), current.text.size(), "%s: %s", target.c_str(), name.c_str());
    current.input = input;
    ::alarm(hang_seconds);
    entry(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    ::alarm(0);
}

std::uint64_t number_of(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        std::cerr << "a number was expected, found " << text << '\n';
        std::exit(2);
    }
    return number;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<char*> words(argv + 1, argv + argc);
    std::uint64_t first = 0;
    if (words.size() > 2 && std::string_view(words[0]) == "--first") {
        first = number_of(words[1]);
        words.erase(words.begin(), words.begin() + 2);
    }
    if (words.size() < 3) {
        std::cerr << "usage: fuzz_corpus [--first N] TARGET COUNT PLACE...\ntargets:";
        for (const auto& [name, entry] : entries) std::cerr << ' ' << name;
        std::cerr << '\n';
        return 2;
    }
    const std::string target = words[0];
    const auto* const found =
        std::ranges::find(entries, target, [](const auto& e) { return e.first; });
    if (found == std::end(entries)) {
        std::cerr << "there is no target " << target << '\n';
        return 2;
    }
    const std::uint64_t count = number_of(words[1]);
    const std::vector<Seed> seeds = read_seeds(std::span(words).subspan(2));
    if (seeds.empty()) {
        std::cerr << "there are no files for " << target << '\n';
        return 2;
    }
    std::snprintf(current.failed.data(), current.failed.size(), "fuzz_failed_%s", target.c_str());
    watch_signals();
    if (first == 0)
        for (const Seed& seed : seeds) run(found->second, target, seed.name, seed.bytes);
    for (std::uint64_t n = first; n + seeds.size() < count + first; ++n) {
        const Seed& seed = seeds[n % seeds.size()];
        const std::vector<std::byte> bytes = lapidary::fuzz::damaged(seed.bytes, n / seeds.size());
        run(found->second, target, seed.name + ", damaged copy " + std::to_string(n), bytes);
    }
    std::cout << target << ": " << std::max<std::uint64_t>(count, seeds.size()) << " inputs of "
              << seeds.size() << " files, no crash\n";
    return 0;
}
