// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_arguments.h"

#include "cli/argument_checks.h"
#include "cli/optimize_arguments.h"

namespace lapidary::cli {

void add_levels(CLI::App& command, std::vector<Level>& levels) {
    command
        .add_option_function<std::vector<std::string>>(
            "--level",
            [&levels](const std::vector<std::string>& names) {
                levels.clear();
                for (const std::string& name : names) levels.push_back(*level_from_name(name));
            },
            "Levels of optimization, each by itself; all unless given")
        ->type_name("disabled|basic|extended|all,...")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(is_level());
}

void add_bench_options(CLI::App& command, BenchCommandOptions& options, bool& json) {
    command.add_option("model", options.models, "ONNX model files, or sample:NAME")->required()->type_name("MODEL...");
    add_channel_block(command, options.channel_block);
    command.add_option("--vs", options.against, "Compare with ONNX Runtime, or with this engine itself to see what the method tells apart")
        ->type_name("onnxruntime|self")
        ->check(CLI::IsMember({"onnxruntime", "self"}).description(""));
    command.add_option("--onnxruntime", options.onnxruntime, "Its library, or a folder or Python interpreter that has it; searched for unless given")
        ->type_name("PATH");
    add_levels(command, options.levels);
    command.add_option("--intra", options.intra, "Threads inside an operator, each count by itself; 1 unless given")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::Range(1, 1024));
    command.add_option("--inter", options.inter, "Operators at the same time, each count by itself; 1 unless given")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::Range(1, 1024));
    command.add_option("--execution", options.execution, "One operator at a time, or branches of the graph at the same time; as --inter says unless given")
        ->type_name("sequential|parallel")->check(CLI::IsMember({"sequential", "parallel"}).description(""));
    command.add_option("--batch", options.batches, "Sizes of the inputs' first dimension where it is free, each by itself")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::PositiveNumber);
    command.add_option("--seconds", options.measuring.seconds, "Measuring time per configuration at most, 10 unless given")->type_name("S")->check(CLI::PositiveNumber);
    command.add_option("--precision", options.measuring.precision, "Stop early when medians (with --vs: the ratio) are known to this share, 0.02 unless given")
        ->type_name("X")->check(CLI::PositiveNumber);
    command.add_option("--runs", options.runs, "Exactly so many measured runs of each instead")->type_name("N")->check(CLI::Range(1, 100'000'000));
    add_tolerance(command, options.measuring.rtol, options.measuring.atol);
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
    command.add_option("--csv", options.csv_file, "Write the result as a table too")
        ->type_name("F.csv")
        ->check(CLI::Validator([](std::string& file) { return file.ends_with(".csv") ? std::string() : "expected a file ending in .csv"; }, ""));
    command.add_option("--baseline", options.baseline, "Compare with a result that --json saved on this machine")->type_name("F.json");
    command.add_option("--max-regress", options.max_regress, "Exit code 1 when one is significantly slower than the baseline, by more than so many per cent")
        ->type_name("P")->check(CLI::NonNegativeNumber)->transform([](std::string text) { return text.ends_with('%') ? text.substr(0, text.size() - 1) : text; });
    command.add_flag("--any-machine", options.any_machine, "Take a baseline of another machine");
    command.add_option("--concurrency", options.concurrency, "Instead: the latency and throughput of so many callers at a time, with requests grouped and not")
        ->type_name("N,...")->delimiter(',')->allow_extra_args(false)->check(CLI::Range(1, 1024));
    command.add_option("--max-batch", options.max_batch, "Requests in a group, 8 unless given")->type_name("B")->check(CLI::Range(1, 65536));
    command.add_option("--max-delay", options.max_delay_ms, "A request waits as long for others, 2 ms unless given")->type_name("MS")->check(CLI::Range(0.0, 60000.0));
    command.add_option("--slow-last", options.slow_down)->group("");
    command.add_option("--fresh", options.fresh)->group("");
    command.add_option("--fresh-inputs", options.fresh_inputs)->group("");
    command.footer(
        "All configurations of all models run in turn, in rounds of random order, until each median is known to 2 % or time is\n"
        "up; MODELS and counts may be repeated to see what the method tells apart. A sample is the median of a burst of runs\n"
        "of some milliseconds, after one unmeasured run when runs are short; between bursts all threads come to rest. A known\n"
        "piece of work is timed beside each: samples of a slow or busy machine are dropped and counted. The interval of a\n"
        "median holds what another measurement would find with 95 % confidence: it counts neighbouring samples for as many as\n"
        "they are worth and adds 3 % for what moves from one start of a process to the next. Percentiles are of single runs.\n"
        "With --vs both engines run in this process on the same inputs, in pairs of random order; the ratio is the median over\n"
        "pairs of ONNX Runtime's time by ours: above 1, this engine is faster. Exit code 1 when the outputs differ. Loading,\n"
        "first run and peak memory are medians of fresh processes that do nothing else, five per engine in turn after an\n"
        "unmeasured one; with --no-memory they are those of this process.\n"
        "Examples:\n"
        "  lapidary-cli bench sample:resnet50 net.onnx --vs onnxruntime --intra 1,2 --json result.json\n"
        "  lapidary-cli bench net.onnx --level disabled,all --intra 1,2 --batch 1,8 --csv table.csv\n"
        "  lapidary-cli bench net.onnx --baseline saved.json --max-regress 5%\n"
        "  lapidary-cli bench net.onnx --concurrency 1,4,16 --max-batch 8 --max-delay 2\n"
        "  lapidary-cli bench sample:bert-base --vs onnxruntime --dim batch=1 --dim sequence=128 --seconds 3 --no-memory\n"
        "  lapidary-cli bench sample:gpt2-small --vs onnxruntime --dim batch=1 --dim sequence=1 --dim past_sequence=128   (decode)\n"
        "  lapidary-cli bench sample:gpt2-small --vs onnxruntime --dim batch=1 --dim sequence=64 --dim past_sequence=0    (prefill)");
}

}  // namespace lapidary::cli
