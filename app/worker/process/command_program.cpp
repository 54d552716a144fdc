// SPDX-License-Identifier: Apache-2.0
#include "worker/process/command_program.h"

#include <filesystem>
#include <utility>

#include <lapidary/internal/program_file.h>

namespace lapidary::app {
namespace {

std::string& named_program() {
    static std::string file;
    return file;
}

}  // namespace

std::string command_program() {
    const std::filesystem::path own = program_file();
    return own.filename().string().starts_with("lapidary-cli") ? own.string() : named_program();
}

void set_command_program(std::string file) { named_program() = std::move(file); }

}  // namespace lapidary::app
