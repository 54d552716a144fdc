// SPDX-License-Identifier: Apache-2.0
// Messages of an agent, a line each, to the server of the Model Context Protocol. Calls of tools
// are left out: they start processes.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/mcp/mcp_server.h"

#include "fuzz/fuzz_target.h"

namespace {

bool calls_a_tool(std::string_view line) {
    const auto message = nlohmann::json::parse(line, nullptr, false);
    return message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
               .find("tools/call") != std::string::npos;
}

}  // namespace

LAPIDARY_FUZZ_TARGET(mcp) {
    using namespace lapidary;
    // calls_a_tool() reads JSON of any depth, and printing it takes stack for each level
    constexpr std::size_t most_bytes = 20'000;
    if (input.size() > most_bytes) return;
    std::string lines;
    std::string_view rest = fuzz::text_of(input);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (!calls_a_tool(rest.substr(0, end))) (lines += rest.substr(0, end)) += '\n';
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const fuzz::InputFile file(std::as_bytes(std::span(lines)), ".jsonl");
    cli::mcp::McpOptions options;
    options.folders = {std::filesystem::temp_directory_path()};
    options.in = ::open(file.path().c_str(), O_RDONLY | O_CLOEXEC);
    options.out = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    fuzz::require(options.in >= 0 && options.out >= 0, "the descriptors are open");
    cli::mcp::serve_mcp(options);
    ::close(options.in);
    ::close(options.out);
}
