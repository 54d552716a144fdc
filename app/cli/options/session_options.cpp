// SPDX-License-Identifier: Apache-2.0
#include "cli/options/session_options.h"

#include <sstream>

#include <lapidary/exec/compute.h>
#include <lapidary/exec/session.h>

#include "cli/exit_code.h"
#include "cli/options/value_checks.h"

namespace lapidary::cli {
namespace {

constexpr int most_threads = 1024;

/// KEY=VALUE for each value if ConfigKey::values lists several; KEY= if it describes them by one
/// word.
std::vector<std::string> config_words() {
    std::vector<std::string> words;
    for (const ConfigKey& key : config_keys()) {
        std::istringstream values{std::string(key.values)};
        const bool is_few = key.values.find(' ') != std::string_view::npos;
        if (!is_few) words.push_back(std::string(key.name) + "=");
        for (std::string value; is_few && values >> value;)
            words.push_back(std::string(key.name) + "=" + value);
    }
    return words;
}

/// Enters what --compute or --config says of numbers. Throws UsageError if the other one has said
/// something else.
void enter_compute(std::map<std::string, std::string>& entries, const std::string& value) {
    const auto [at, is_new] = entries.try_emplace(std::string(compute_key), value);
    if (!is_new && at->second != value)
        throw UsageError("--compute and --config " + std::string(compute_key) +
                         " contradict each other: " + at->second + " and " + value);
}

}  // namespace

Option& add_threads(OptionList& options, int& threads) {
    return options.value("--intra", "N", threads, "Threads inside an operator; 0: one per core")
        .between(0, most_threads);
}

Option& add_thread_counts(OptionList& options, const std::string& name, std::vector<int>& counts,
                          int lowest, const std::string& help) {
    return options.value(name, "N,...", counts, help)
        .separated_by_commas()
        .between(lowest, most_threads);
}

Option& add_config(OptionList& options, std::map<std::string, std::string>& entries) {
    std::string keys;
    for (const ConfigKey& key : config_keys())
        keys += "\n" + std::string(key.name) + " (" + std::string(key.values) + ")";
    return options
        .take_all(
            "--config", "KEY=VALUE",
            [&entries](const std::vector<std::string>& texts) {
                std::map<std::string, std::string> given;
                for (const std::string& text : texts) {
                    const std::size_t equals = text.find('=');
                    given[text.substr(0, equals)] = text.substr(equals + 1);
                }
                for (const auto& [key, value] : given) {
                    if (key == compute_key) enter_compute(entries, value);
                    else entries[key] = value;
                }
            },
            "Session option by its name in ONNX Runtime; may be repeated:" + keys)
        .repeatable()
        .checked_by(config_problem)
        .suggest({.words = config_words()});
}

namespace {

/// All values of --compute.
std::vector<std::string> compute_words() {
    std::vector<std::string> words;
    for (const Compute compute : all_computes) words.emplace_back(name_of(compute));
    words.emplace_back(auto_compute);
    return words;
}

std::string compute_values() { return compute_names("|") + "|" + auto_compute; }

}  // namespace

Option& add_compute(OptionList& options, std::map<std::string, std::string>& entries) {
    return options
        .take(
            "--compute", compute_values(),
            [&entries](const std::string& name) { enter_compute(entries, name); },
            "Numbers that large weights of products are held in: as the model has them, which is "
            "usual, or rounded to 16 or 8 bits, which halves or quarters what is read of them (in "
            "int8 what they multiply is rounded too, and convolutions stay float); auto: what is "
            "fastest here and loses little, which is measured first")
        .one_of(compute_words());
}

Option& add_computes(OptionList& options, std::vector<std::string>& names) {
    return options
        .take_all(
            "--compute", compute_values() + ",...",
            [&names](const std::vector<std::string>& chosen) { names = chosen; },
            "Numbers that large weights of products are held in, each by itself; exact unless "
            "given; auto: what is fastest here and loses little, which is measured first. With "
            "--decode one of exact, fp16, bf16 and int8; without it not beside --vs; never beside "
            "--concurrency")
        .separated_by_commas()
        .one_of(compute_words());
}

void add_run_configuration(OptionList& options, RunConfiguration& configuration) {
    configuration.resources.threads = 0;
    add_threads(options, configuration.resources.threads);
    options
        .value("--inter", "N", configuration.resources.inter_threads,
               "Operators at the same time, in the parallel mode")
        .between(0, most_threads);
    options
        .take(
            "--execution", "sequential|parallel",
            [&configuration](const std::string& name) {
                configuration.resources.mode =
                    name == "parallel" ? ExecutionMode::parallel : ExecutionMode::sequential;
            },
            "One operator at a time, or branches side by side; sequential unless given")
        .one_of({"sequential", "parallel"});
    options.flag_off("--no-spinning", configuration.resources.spinning,
                     "Threads without work sleep at once");
}

}  // namespace lapidary::cli
