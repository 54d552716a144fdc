// SPDX-License-Identifier: Apache-2.0
#include <lapidary/text_file.h>

#include <lapidary/error.h>

#include "base/atomic_file.h"
#include "base/mapped_file.h"

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
        throw Error(ErrorCode::limit_exceeded, "the file has " + std::to_string(bytes.size()) + " bytes, at most " +
                                                   std::to_string(most_bytes) + " are read")
            .at(path.string());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace lapidary
