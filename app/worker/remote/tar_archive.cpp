// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/tar_archive.h"

#include <cstdio>
#include <string_view>

#include <lapidary/base/error.h>

namespace lapidary::app {
namespace {

constexpr std::size_t tar_block = 512, most_name = 100, most_prefix = 155;

std::string octal(std::uint64_t number, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*llo", digits, static_cast<unsigned long long>(number));
    return text;
}

}  // namespace

std::string tar_header(const std::string& name, std::uint64_t bytes, bool is_executable) {
    std::string last = name, prefix;
    if (name.size() > most_name) {
        const std::size_t at = name.find('/', name.size() - most_name - 1);
        if (at == std::string::npos || at > most_prefix)
            fail_unsupported("the name is too long for an archive: " + quote(name));
        prefix = name.substr(0, at);
        last = name.substr(at + 1);
    }
    std::string header(tar_block, '\0');
    const auto put = [&](std::size_t at, std::string_view text) {
        header.replace(at, text.size(), text);
    };
    put(0, last);
    put(100, is_executable ? "0000755" : "0000644");
    put(108, "0000000");  // owner and group
    put(116, "0000000");
    put(124, octal(bytes, 11));
    put(136, octal(0, 11));  // time
    put(148, "        ");    // the sum is taken with spaces in its place
    put(156, "0");           // a file
    put(257, "ustar");
    put(263, "00");
    put(345, prefix);
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put(148, octal(sum, 6));
    header[154] = '\0';
    return header;
}

std::string tar_padding(std::uint64_t bytes) {
    return std::string((tar_block - bytes % tar_block) % tar_block, '\0');
}

std::string tar_end() { return std::string(2 * tar_block, '\0'); }

}  // namespace lapidary::app
