// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

#include <lapidary/base/error.h>

namespace lapidary::fuzz {

int attempt(Reader reader, const std::uint8_t* data, std::size_t size) {
    try {
        reader(std::as_bytes(std::span(data, size)));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::internal) return 0;
        std::fprintf(stderr, "a fault of ours: %s\n", error.what());
        std::abort();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "not an error of ours: %s\n", error.what());
        std::abort();
    }
    return 0;
}

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

Limits small_limits() {
    Limits limits;
    limits.nodes = limits.inlined_nodes = 20'000;
    limits.list_elements = 1'000'000;
    limits.run_bytes = 256u << 20;
    limits.tensor_bytes = 64u << 20;
    limits.fold_bytes = 4u << 20;
    limits.image_bytes = 16u << 20;
    limits.archive_bytes = 64u << 20;
    limits.trace_events = 100'000;
    return limits;
}

InputFile::InputFile(Input input, std::string_view ending) {
    // a folder of its own, for some readers and writers look at what lies beside a file
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("lapidary_fuzz_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    path_ = folder / ("input" + std::string(ending));
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(input.data()),
               static_cast<std::streamsize>(input.size()));
    file.close();
    require(!file.fail(), "the input is written to a temporary file");
}

InputFile::~InputFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    std::filesystem::remove(path_.parent_path(), ignored);  // stays while it holds another file
}

}  // namespace lapidary::fuzz
