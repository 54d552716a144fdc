// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>

#include <lapidary/internal/program_file.h>

#include "worker/process/worker_process.h"

namespace lapidary::app {
namespace {

constexpr const char* worker_variable = "LAPIDARY_WORKER";

}  // namespace

bool WorkerProcess::end_if_flooded() {
    if (text_.size() <= longest_line) return false;
    flooded_ = true;
    text_ = {};
    looked_at_ = 0;
    kill();
    return true;
}

std::string WorkerProcess::flood_text() const {
    return "a line of more than " + std::to_string(longest_line) + " bytes";
}

std::string find_worker_program() {
    if (const char* const given = std::getenv(worker_variable); given != nullptr && *given != '\0')
        return std::string(given) == "off" ? std::string() : std::string(given);
    const std::filesystem::path self = program_file();
    if (self.empty()) return {};
    const std::filesystem::path program = self.parent_path() / program_file_name("lapidary-cli");
    return is_executable(program) ? program.string() : std::string();
}

std::string why_no_worker() {
    if (const char* const given = std::getenv(worker_variable);
        given != nullptr && std::string(given) == "off")
        return "LAPIDARY_WORKER is off";
    return "there is no lapidary-cli beside this program";
}

}  // namespace lapidary::app
