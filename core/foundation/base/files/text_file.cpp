// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/text_file.h>

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "base/files/atomic_file.h"
#include "base/files/mapped_file.h"

namespace lapidary {

void save_text(const std::filesystem::path& path, std::string_view text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

std::string load_text(const std::filesystem::path& path, std::uint64_t most_bytes) {
    const auto file = MappedFile::open(path);
    const auto bytes = file->bytes();
    if (bytes.size() > most_bytes)
        throw Error(ErrorCode::limit_exceeded, "the file has " + std::to_string(bytes.size()) +
                                                   " bytes, at most " + std::to_string(most_bytes) +
                                                   " are read")
            .at(path.string());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> load_lines(const std::filesystem::path& path, std::uint64_t most_bytes) {
    const std::string text = load_text(path, most_bytes);
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    std::vector<std::string> lines;
    for (std::size_t begin = text.starts_with(mark) ? mark.size() : 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.pop_back();
        if (line.find('\0') != std::string::npos)
            fail_input(quote(path.string(), 4096) + ", line " + std::to_string(lines.size() + 1) +
                       ": expected text in UTF-8, found a byte of zero");
        lines.push_back(std::move(line));
        begin = end + 1;
    }
    return lines;
}

}  // namespace lapidary
