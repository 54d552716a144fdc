// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_arguments.h"

namespace lapidary::cli {

void add_bench_options(CLI::App& command, BenchCommandOptions& options, bool& json) {
    command.add_option("model", options.models, "ONNX model files, or sample:NAME")->required()->type_name("MODEL...");
    command.add_option("--vs", options.against, "Compare with ONNX Runtime, or with this engine itself to see what the method tells apart")
        ->type_name("onnxruntime|self")
        ->check(CLI::IsMember({"onnxruntime", "self"}).description(""));
    command.add_option("--onnxruntime", options.onnxruntime, "Its library, or a folder or Python interpreter that has it; searched for unless given")
        ->type_name("PATH");
    command
        .add_option_function<std::string>("--level", [&options](const std::string& name) { options.level = *level_from_name(name); }, "Of both engines; all unless given")
        ->type_name("disabled|basic|extended|all")
        ->check(CLI::IsMember({"disabled", "basic", "extended", "all"}).description(""));
    command.add_option("--intra", options.intra, "Threads inside an operator, each count by itself; 1 unless given")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::Range(1, 1024));
    command.add_option("--inter", options.inter, "Operators at the same time; 1 unless given")->type_name("N")->check(CLI::Range(1, 1024));
    command.add_option("--batch", options.batches, "Sizes of the inputs' first dimension where it is free, each by itself")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::PositiveNumber);
    command.add_option("--seconds", options.measuring.seconds, "Measuring time per configuration at most, 6 unless given")->type_name("S")->check(CLI::PositiveNumber);
    command.add_option("--precision", options.measuring.precision, "Stop early when the ratio is known to this share, 0.02 unless given")
        ->type_name("X")->check(CLI::PositiveNumber);
    command.add_option("--rtol", options.measuring.rtol, "Outputs may differ by this share of their largest magnitude, 0.001 unless given")
        ->type_name("X")->check(CLI::NonNegativeNumber);
    command.add_option("--atol", options.measuring.atol, "and by this much, 0.00001 unless given")->type_name("Y")->check(CLI::NonNegativeNumber);
    command.add_flag_callback("--no-memory", [&options] { options.memory = false; }, "Start no fresh processes for loading time and peak memory");
    command
        .add_option_function<std::string>(
            "--json",
            [&options, &json](const std::string& file) {
                json = file.empty();
                options.json_file = file;
            },
            "Print the result as JSON, or write it to a file ending in .json beside the table")
        ->type_name("[F.json]")
        ->expected(0, 1)
        ->check(CLI::Validator([](std::string& file) { return file.empty() || file.ends_with(".json") ? std::string() : "expected a file ending in .json"; }, ""));
    command.add_option("--fresh", options.fresh)->group("");
    command.add_option("--fresh-inputs", options.fresh_inputs)->group("");
    command.footer(
        "Both engines run in this process on the same inputs, in pairs of random order. A sample is the mean of a burst of runs\n"
        "of some milliseconds, after one unmeasured run when runs are short; between bursts all threads come to rest. A known\n"
        "piece of work is timed beside each: samples of a slow or busy machine are dropped and counted. Times are medians with\n"
        "their 95 % interval, the ratio is the median over pairs of ONNX Runtime's time by ours: above 1, this engine is\n"
        "faster. Loading, first run and peak memory are medians of fresh processes that do nothing else, five per engine in\n"
        "turn after an unmeasured one; with --no-memory they are those of this process. Exit code 1 when the outputs differ.\n"
        "Examples:\n"
        "  lapidary-cli bench sample:resnet50 net.onnx --vs onnxruntime --intra 1,2 --json result.json\n"
        "  lapidary-cli bench sample:bert-base --vs onnxruntime --dim batch=1 --dim sequence=128 --seconds 3 --no-memory\n"
        "  lapidary-cli bench sample:gpt2-small --vs onnxruntime --dim batch=1 --dim sequence=1 --dim past_sequence=128   (decode)\n"
        "  lapidary-cli bench sample:gpt2-small --vs onnxruntime --dim batch=1 --dim sequence=64 --dim past_sequence=0    (prefill)");
}

}  // namespace lapidary::cli
