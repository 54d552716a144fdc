// SPDX-License-Identifier: Apache-2.0
#include "worker/farm/farm_result.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/bench/bench.h>
#include <lapidary/internal/parse_json.h>

#include "worker/farm/farm_members.h"
#include "worker/farm/known_trials_text.h"
#include "worker/process/host_name.h"
#include "worker/protocol/accuracy_json.h"
#include "worker/protocol/described_json.h"

namespace lapidary::app {

FarmMachine this_farm_machine(const std::string& version) {
    const MachineInfo machine = machine_info();
    const char* node = std::getenv("SLURMD_NODENAME");
    return {node && *node ? node : host_name(),
            machine.cpu,
            machine.isa,
            machine.cores,
            machine.memory_gb,
            machine.system,
            version};
}

std::string farm_result_text(const FarmResult& result) {
    return json_of(result).dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

FarmResult parse_farm_result(std::string_view text) {
    return read_json<FarmResult>(parse_json(text, "result of a shard"), "result of a shard");
}

std::filesystem::path farm_results_folder(const std::filesystem::path& plan) {
    std::filesystem::path folder = plan;
    return folder.replace_extension(".results");
}

std::filesystem::path farm_result_file(const std::filesystem::path& folder, std::uint64_t shard) {
    return folder / ("shard-" + std::to_string(shard) + ".json");
}

std::filesystem::path farm_part_file(const std::filesystem::path& folder, std::uint64_t shard) {
    return folder / ("shard-" + std::to_string(shard) + ".part");
}

// Not by load_text(): what that reads may not be written again by the same command.
FarmResult load_farm_result(const std::filesystem::path& file) {
    try {
        std::error_code failed;
        const std::uint64_t bytes = std::filesystem::file_size(file, failed);
        if (failed) fail(ErrorCode::io_failure, "it cannot be read: " + failed.message());
        if (bytes > most_farm_result_bytes)
            fail_limit("the file has " + std::to_string(bytes) + " bytes, at most " +
                       std::to_string(most_farm_result_bytes) + " are read");
        std::ifstream in(file, std::ios::binary);
        std::string text(bytes, '\0');
        if (!in.read(text.data(), static_cast<std::streamsize>(bytes)))
            fail(ErrorCode::io_failure, "it cannot be read");
        return parse_farm_result(text);
    } catch (Error& error) { throw error.at(file.string()); }
}

std::string farm_outcome_problem(const FarmOutcome& outcome, FarmSplit split) {
    try {
        switch (split) {
        case FarmSplit::models: (void)parse_json(outcome.output, "output of a command"); break;
        case FarmSplit::samples: (void)parse_accuracy(outcome.counts); break;
        case FarmSplit::candidates: (void)parse_known_trials(outcome.counts); break;
        }
    } catch (const Error& error) { return error.what(); }
    return {};
}

std::string farm_result_problem(const FarmResult& result, const FarmPlan& plan,
                                const std::string& hash) {
    if (result.plan != hash)
        return "it is of another plan, " + quote(result.plan) + "; this one is " + quote(hash);
    if (result.shard >= plan.shards)
        return "it is of shard " + std::to_string(result.shard) + ", and the plan has " +
               std::to_string(plan.shards);
    std::set<std::uint64_t> done;
    for (const FarmOutcome& outcome : result.outcomes) {
        if (outcome.task >= plan.tasks.size() || plan.tasks[outcome.task].shard != result.shard)
            return "task " + std::to_string(outcome.task) + " is not of its shard";
        if (!done.insert(outcome.task).second)
            return "task " + std::to_string(outcome.task) + " is in it twice";
    }
    const std::size_t all = plan.tasks_of(result.shard).size();
    return done.size() == all
               ? std::string()
               : std::to_string(done.size()) + " of " + std::to_string(all) + " tasks are done";
}

std::string farm_error_in(const std::string& printed) {
    std::size_t end = printed.find_last_not_of('\n');
    if (end == std::string::npos) return {};
    const std::size_t before = printed.rfind('\n', end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::string line = printed.substr(begin, end + 1 - begin);
    try {
        const Json json = parse_json(line, "error");
        std::string sentence;
        for (const Json& place : json.at("error").at("where"))
            sentence += place.get<std::string>() + ": ";
        return sentence + json.at("error").at("message").get<std::string>();
    } catch (const std::exception&) {  // without --json
        constexpr std::string_view program = "lapidary-cli: ";
        return line.starts_with(program) ? line.substr(program.size()) : line;
    }
}

std::string farm_sentence_of(const std::string& output) {
    try {
        const Json json = parse_json(output, "output");
        for (const char* place : {"/recommendation/sentence", "/verdict/sentence", "/sentence"}) {
            const Json::json_pointer at(place);
            if (json.contains(at) && json.at(at).is_string()) return json.at(at).get<std::string>();
        }
        const Json::json_pointer place("/configurations/0/ours");
        if (!json.contains(place)) return {};
        const Json& ours = json.at(place);
        const Json interval = ours.value("ci_ms", Json::array());
        const double median = ours.at("median_ms").get<double>();
        std::string sentence = "median ";
        sentence += interval.size() == 2
                        ? time_text(median, interval[0].get<double>(), interval[1].get<double>())
                        : time_text(median);
        if (ours.value("noisy", false)) sentence += ", noisy: " + ours.value("note", "");
        return sentence;
    } catch (const std::exception&) { return {}; }
    return {};
}

}  // namespace lapidary::app
