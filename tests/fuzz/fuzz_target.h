// SPDX-License-Identifier: Apache-2.0
// A fuzz target: a function that gives any bytes to one reader of the product.
//
//   LAPIDARY_FUZZ_TARGET(npy) { parse_npy(input, fuzz::small_limits()); }
//
// Compiled by Clang with the preset `fuzz`, each target is a program of libFuzzer. Otherwise all
// targets are functions of one program, which runs them over files (main.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <lapidary/base/limits.h>

namespace lapidary::fuzz {

using Input = std::span<const std::byte>;
using Reader = void (*)(Input);

/// Calls the reader. It may accept the bytes or refuse them by an Error. Ends the program by
/// abort() for an Error that is a fault of ours and for any other exception.
int attempt(Reader reader, const std::uint8_t* data, std::size_t size);

/// Ends the program by abort() unless `holds`: what the reader accepted must have this property.
void require(bool holds, const char* what);

/// Limits that a hostile file of some bytes reaches within a second.
Limits small_limits();

inline std::string_view text_of(Input input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

/// The bytes as a file, for readers that open a path. Removed at the end of its scope.
class InputFile {
public:
    /// `ending`: of its name, with the dot.
    InputFile(Input input, std::string_view ending);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace lapidary::fuzz

#ifdef LAPIDARY_LIBFUZZER
#define LAPIDARY_FUZZ_ENTRY(name) \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#else
#define LAPIDARY_FUZZ_ENTRY(name) int fuzz_##name(const std::uint8_t* data, std::size_t size)
#endif
#define LAPIDARY_FUZZ_TARGET(name)                                                         \
    static void read_##name(lapidary::fuzz::Input input);                                  \
    LAPIDARY_FUZZ_ENTRY(name);                                                             \
    LAPIDARY_FUZZ_ENTRY(name) { return lapidary::fuzz::attempt(read_##name, data, size); } \
    static void read_##name(lapidary::fuzz::Input input)
