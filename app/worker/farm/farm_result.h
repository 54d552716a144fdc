// SPDX-License-Identifier: Apache-2.0
// What a shard of a farm found, as a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "worker/farm/farm_plan.h"

namespace lapidary::app {

/// The machine that ran a task.
struct FarmMachine {
    std::string host;      // its name in the network, or that of the node in Slurm
    std::string cpu, isa;  // as lapidary/bench/bench.h has them
    int cores = 0;         // that the process may use
    double memory_gb = 0;  // 1e9 bytes
    std::string system;    // "Linux 6.1.0"
    std::string lapidary;  // version of the program
    friend bool operator==(const FarmMachine&, const FarmMachine&) = default;
};
/// This machine. `version`: of the program.
FarmMachine this_farm_machine(const std::string& version);

/// How a task ended.
struct FarmOutcome {
    std::uint64_t task = 0;  // index in the plan
    int exit_code = 0;       // of the last command that ran
    std::string error;       // why it failed; empty: it did not
    std::string output;      // JSON that the last command printed
    /// With FarmSplit::samples and candidates: the file that the command wrote for merging.
    std::string counts;
    double seconds = 0;
    FarmMachine machine;
};

/// The outcomes of a shard.
struct FarmResult {
    std::string plan;                   // farm_plan_hash()
    std::uint64_t shard = 0;            // that it is of
    std::vector<FarmOutcome> outcomes;  // as they ended
    /// The task that was begun last and has no outcome, and how often it was begun.
    std::optional<std::uint64_t> running;
    std::uint64_t begun = 0;
};

/// The largest file of a result.
constexpr std::uint64_t most_farm_result_bytes = std::uint64_t{1} << 30;

/// JSON that parse_farm_result() reads back.
std::string farm_result_text(const FarmResult& result);
/// Throws invalid_input naming what is wrong.
FarmResult parse_farm_result(std::string_view text);

/// Where results of a plan are written unless another folder is named: "job.results" beside
/// "job.json".
std::filesystem::path farm_results_folder(const std::filesystem::path& plan);
/// The file of a shard that is done.
std::filesystem::path farm_result_file(const std::filesystem::path& folder, std::uint64_t shard);
/// The file of a shard that was begun.
std::filesystem::path farm_part_file(const std::filesystem::path& folder, std::uint64_t shard);
/// Reads a file of a result, which may be written again later. Throws io_failure, limit_exceeded
/// and what parse_farm_result() throws, with the file's name.
FarmResult load_farm_result(const std::filesystem::path& file);

/// Why an outcome that did not fail cannot be merged: what it has is no text of its kind. Empty: it
/// can.
std::string farm_outcome_problem(const FarmOutcome& outcome, FarmSplit split);

/// Empty if the result is that of a shard of the plan that is done; otherwise what it lacks.
std::string farm_result_problem(const FarmResult& result, const FarmPlan& plan,
                                const std::string& hash);

/// The message of the last error that a command printed, as JSON or text; empty: there is none.
std::string farm_error_in(const std::string& printed);
/// One line about what a command found, from the JSON that it printed; may be empty.
std::string farm_sentence_of(const std::string& output);

}  // namespace lapidary::app
