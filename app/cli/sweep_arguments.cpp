// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_arguments.h"

#include <algorithm>

#include "cli/argument_checks.h"
#include "cli/bench_arguments.h"
#include "cli/optimize_arguments.h"

namespace lapidary::cli {

void add_sweep_options(CLI::App& command, SweepCommandOptions& options, std::vector<std::string>& dimensions) {
    SweepSpace& space = options.space;
    space.intra = thread_choices();
    command.add_option("model", options.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
    add_channel_block(command, options.channel_block);
    add_levels(command, space.levels);
    command.add_option("--intra", space.intra, "Threads inside an operator; powers of two up to the cores unless given, 0: one per core")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::Range(0, 1024));
    command.add_option("--inter", space.inter, "Operators at the same time in parallel execution; one per core unless given")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::Range(1, 1024));
    command.add_option("--batch", space.batches, "Sizes of the batch dimension; as the inputs come unless given")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::PositiveNumber);
    command
        .add_option_function<std::vector<std::string>>(
            "--execution",
            [&space](const std::vector<std::string>& names) {
                space.modes.clear();
                for (const std::string& name : names) space.modes.push_back(name == "parallel" ? ExecutionMode::parallel : ExecutionMode::sequential);
            },
            "One operator at a time, or branches of the graph at the same time; sequential unless given")
        ->type_name("sequential|parallel,...")->delimiter(',')->allow_extra_args(false)->check(CLI::IsMember({"sequential", "parallel"}).description(""));
    command
        .add_option_function<std::vector<std::string>>(
            "--spinning",
            [&space](const std::vector<std::string>& names) {
                space.spinning.clear();
                for (const std::string& name : names) space.spinning.push_back(name == "on");
            },
            "Workers wait hot for the next piece of work of a run, or sleep; on unless given")
        ->type_name("on|off,...")->delimiter(',')->allow_extra_args(false)->check(CLI::IsMember({"on", "off"}).description(""));
    command.add_option("--seconds", options.sweeping.measuring.seconds, "Measuring time per setting at most, 1 unless given")->type_name("S")->check(CLI::PositiveNumber);
    command.add_option("--precision", options.sweeping.measuring.precision, "Stop early when medians are known to this share, 0.02 unless given")
        ->type_name("X")->check(CLI::PositiveNumber);
    command.add_option("--budget", options.sweeping.budget_seconds, "Time for everything; none unless given")->type_name("S")->check(CLI::PositiveNumber);
    command
        .add_option_function<std::string>(
            "--goal", [&options](const std::string& goal) { options.sweeping.goal = goal == "throughput" ? SweepGoal::throughput : SweepGoal::latency; },
            "What the recommendation is best at; latency unless given")
        ->type_name("latency|throughput")->check(CLI::IsMember({"latency", "throughput"}).description(""));
    command.add_option("--latency-cap", options.sweeping.latency_cap_ms, "Recommend nothing that takes longer")->type_name("MS")->check(CLI::PositiveNumber);
    command.add_option("--verify", options.verify, "Measure the best N once more, side by side")->type_name("N")->check(CLI::Range(2, 64));
    command.add_option("--dim", dimensions, "Size of a symbolic dimension; may be repeated")->type_name("NAME=N")->allow_extra_args(false);
    command.add_option("--seed", options.sweeping.seed, "Seed of the inputs, 1 unless given")->type_name("N")->check(is_count());
    command.footer(
        "Settings that differ in threads and spinning only are measured in turn, the others in random order, each for the time it\n"
        "needs to be known to 2 %. The recommendation is the fastest for the goal, or among those that do not differ from it\n"
        "beyond noise the one that takes the least from the machine. Ctrl-C keeps what is done.\n"
        "Examples:\n"
        "  lapidary-cli sweep net.onnx --intra 1,2,4 --spinning on,off\n"
        "  lapidary-cli sweep net.onnx --batch 1,2,4,8,16 --goal throughput --latency-cap 50 --budget 60");
}

}  // namespace lapidary::cli
