// SPDX-License-Identifier: Apache-2.0
// What the values of options may be, and the error of a command line that asks for what is not there.
#pragma once

#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

namespace lapidary::cli {

/// A mistake on the command line that shows only when the model is known: exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A level by our name or ONNX Runtime's.
CLI::Validator is_level();
/// A pass by our name or ONNX Runtime's.
CLI::Validator is_pass();
/// A whole number from 0 on; CLI11 takes "-1" for the largest one.
CLI::Validator is_count();
/// KEY=VALUE with a session option's name. Values are checked when the session is made.
CLI::Validator is_config_entry();

/// Why there is no such command, when the first argument that is no option names none: with the one that was meant.
/// Empty where it names one.
std::string unknown_command(const CLI::App& app, int argc, const char* const* argv);
/// The error of arguments that no option takes, with the options that were meant.
std::string unknown_arguments(const CLI::App& app, const CLI::ExtrasError& error);

}  // namespace lapidary::cli
