// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/internal/output_file.h>

#include "cli/bench/bench_alone.h"
#include "cli/bench/bench_fresh.h"
#include "cli/bench/bench_options.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/model_options.h"
#include "cli/options/session_options.h"
#include "cli/options/size_options.h"
#include "cli/options/target_option.h"
#include "cli/options/value_checks.h"

namespace lapidary::cli {
namespace {

/// Without a choice there is one thread per core. --execution and --inter both choose the execution
/// mode; they must not contradict each other.
BenchCommandOptions with_execution(BenchCommandOptions options) {
    if (options.intra.empty()) options.intra = {machine_info().cores};
    const bool has_one = std::ranges::find(options.inter, 1) != options.inter.end();
    const bool has_more = std::ranges::any_of(options.inter, [](int inter) { return inter > 1; });
    if (options.execution == "parallel") {
        if (has_one && !has_more) options.inter = {std::max(2, machine_info().cores)};
        else if (has_one)
            fail_input("--inter 1 runs one operator at a time, which is not --execution parallel");
    }
    if (options.execution == "sequential" && has_more)
        fail_input(
            "--inter of more than 1 runs operators at the same time, which is not --execution "
            "sequential");
    return options;
}

void check_computes(const BenchCommandOptions& options) {
    if (options.computes == std::vector<std::string>{"exact"}) return;
    const bool has_auto =
        std::ranges::find(options.computes, auto_compute) != options.computes.end();
    if (options.decode && (options.computes.size() > 1 || has_auto))
        throw UsageError("--decode takes one --compute of " + compute_names_or());
    if (!options.decode && !options.against.empty())
        throw UsageError(
            "--compute goes with --vs for --decode alone: measure --compute exact,fp16 without "
            "--vs");
    if (!options.concurrency.empty())
        throw UsageError("--concurrency measures a server with exact weights: leave out --compute");
    if (has_auto && !options.baseline.empty())
        throw UsageError(
            "--compute auto chooses anew each time, and a --baseline is of one choice: name it");
}

constexpr const char* bench_notes = R"(
All configurations of all models run in turn, in rounds of random order, until each median is known to 2 % or time is
up; MODELS and counts may be repeated to see what the method can distinguish. A sample is the median of a burst of runs
of some milliseconds, after one unmeasured run when runs are short; between bursts all threads come to rest. A known
piece of work is timed beside each: samples of a slow or busy machine are dropped and counted. The interval of a
median holds what another measurement would find with 95 % confidence: it counts neighbouring samples for as many as
they are worth and adds 3 % for what moves from one start of a process to the next. Percentiles are of single runs.
With --vs both engines run in this process on the same inputs, in pairs of random order; the ratio is the median over
pairs of the other engine's time by ours: above 1, this engine is faster. Exit code 1 when the outputs differ. OpenVINO
and PyTorch run in a Python process. OpenVINO has the inputs' sizes and computes in 32-bit floats; PyTorch runs what
torch.compile makes of the model, up to level basic operator by operator. Loading,
first run and MB are medians of fresh processes that do nothing else, five per engine in turn after an unmeasured one;
with --no-memory they are those of this process. MB is resident memory at its peak, pages of files included.
With --decode each engine runs in a process of its own for each context: the same prompt, then the same tokens, in
passes over and over. The first pass, which is a program's first answer, stands for itself; medians are of later ones.
With --vs the engines take turns by bursts of eight tokens; the token after the other engine ran is not counted.
Bandwidth is bytes of weights and caches that a token reads by its time; its roof is reading as many bytes again and
again. Exit code 1 when the largest logits of both engines differ beyond --rtol. With --compute weights of this engine
are rounded, and not those of the engine that --vs names: --vs self then shows what rounding wins and moves.
Alone, --compute exact,fp16,bf16,int8 measures each and says what rounding costs on the inputs; auto says what it chose.
With --max-regress a configuration keeps the limit when the whole 95 % interval of the change lies within it, and breaks
it (exit code 1) when all of it lies beyond. Until one of both is so, measuring goes on for twice as long each time, up
to --gate-seconds; what is not decided by then, or is not in the baseline, is exit code 7. A baseline that is itself not
known well enough, or a limit of less than what starts of a program differ by (3 %), cannot be resolved by any time.)";

class BenchCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Measure a model, alone or side by side with ONNX Runtime",
                .notes = bench_notes,
                .examples =
                    {"lapidary-cli bench sample:resnet50 net.onnx --vs onnxruntime --intra 1,2 "
                     "--json result.json",
                     "lapidary-cli bench net.onnx --level disabled,all --intra 1,2 --batch 1,8 "
                     "--csv table.csv",
                     "lapidary-cli bench sample:bert-base --compute exact,fp16,int8",
                     "lapidary-cli bench net.onnx --baseline saved.json --max-regress 5%",
                     "lapidary-cli bench net.onnx --concurrency 1,4,16 --max-batch 8 --max-delay 2",
                     "lapidary-cli bench sample:bert-base --vs onnxruntime --dim batch=1 --dim "
                     "sequence=128 --seconds 3 "
                     "--no-memory",
                     "lapidary-cli bench sample:gpt2-small --vs onnxruntime --dim batch=1 --dim "
                     "sequence=1 "
                     "--dim past_sequence=128   (decode)",
                     "lapidary-cli bench sample:gpt2-small --vs onnxruntime --dim batch=1 --dim "
                     "sequence=64 "
                     "--dim past_sequence=0    (prefill)",
                     "lapidary-cli bench sample:llama-160m --decode --context 128,1024 --vs "
                     "onnxruntime"},
                .program_example = "lapidary-cli bench resnet50.onnx --vs onnxruntime --intra 1,2"};
    }

    void declare(OptionList& options) override {
        options.value("model", "MODEL...", options_.models, "ONNX model files, or sample:NAME")
            .required()
            .one_or_more()
            .suggest(model_suggestions());
        add_channel_block(options, options_.channel_block);
        declare_configurations(options);
        declare_measuring(options);
        declare_results(options);
        declare_concurrency(options);
        declare_decoding(options);
        options.value("--slow-last", "SHARE", options_.slow_down, "").hidden();
        options.value("--fresh", "ENGINE", options_.fresh, "").hidden();
        options.value("--fresh-inputs", "DIR", options_.fresh_inputs, "").hidden();
        add_input_options(options, options_.inputs);
        add_target(options);
    }

    int run(Terminal& terminal) override {
        if (!options_.fresh.empty()) return run_fresh(options_, terminal);
        if (!options_.decode_engine.empty()) return run_decoder_process(options_, terminal);
        const BenchCommandOptions benching = with_execution(options_);
        for (const std::string& model : benching.models) protect_input(model);
        protect_input(benching.baseline);
        protect_input(benching.onnxruntime);
        protect_input(benching.peer);
        check_output_files({benching.json_file, benching.csv_file});
        if (benching.max_regress && benching.baseline.empty())
            fail_input("--max-regress needs --baseline with the saved result to compare with");
        if (benching.max_regress && (!benching.against.empty() || !benching.concurrency.empty()))
            fail_input(
                "--max-regress holds a model measured alone against --baseline: leave out --vs and "
                "--concurrency");
        if (options_.decode && !options_.rules.empty())
            throw UsageError("--rules: --decode measures a decoder without rules; leave out one");
        check_computes(benching);
        if (benching.decode) return run_decode(benching, terminal);
        if (!benching.concurrency.empty()) return run_concurrency(benching, terminal);
        return benching.against.empty() ? run_alone(benching, terminal)
                                        : run_versus(benching, terminal);
    }

private:
    void declare_configurations(OptionList& options) {
        options
            .value("--vs", "ENGINE", options_.against,
                   "Compare with onnxruntime, openvino, pytorch, with --decode llama.cpp or "
                   "onnxruntime-genai, or with self to see what the method can distinguish")
            .one_of(
                {"onnxruntime", "openvino", "pytorch", "llama.cpp", "onnxruntime-genai", "self"});
        options
            .value("--onnxruntime", "PATH", options_.onnxruntime,
                   "Its library, or a folder or Python interpreter that has it; searched for "
                   "unless given")
            .suggest_files();
        options
            .value("--peer", "PATH", options_.peer,
                   "A Python interpreter or virtual environment that has OpenVINO, PyTorch, "
                   "llama.cpp or onnxruntime-genai; searched for unless given")
            .suggest_files();
        add_levels(options, options_.levels);
        add_rules(options, options_.rules);
        add_session_passes(options, options_.session_passes);
        add_thread_counts(
            options, "--intra", options_.intra, 1,
            "Threads inside an operator, each count by itself; one per core unless given");
        add_thread_counts(options, "--inter", options_.inter, 1,
                          "Operators at the same time, each count by itself; 1 unless given");
        options
            .value("--execution", "sequential|parallel", options_.execution,
                   "One operator at a time, or branches of the graph at the same time; as --inter "
                   "says unless given")
            .one_of({"sequential", "parallel"});
        add_computes(options, options_.computes);
        add_batches(options, options_.batches,
                    "Sizes of the inputs' first dimension where it is free, each by itself; 1 "
                    "unless given");
    }

    void declare_measuring(OptionList& options) {
        BenchOptions& measuring = options_.measuring;
        add_seconds(options, measuring.seconds,
                    "Measuring time per configuration at most, 10 unless given");
        add_precision(options, measuring.precision,
                      "Stop early when medians (with --vs: the ratio) are known to this share, "
                      "0.02 unless given");
        options.value("--runs", "N", options_.runs, "Exactly so many measured runs of each instead")
            .between(1, 100'000'000);
        add_tolerance(options, measuring.rtol, measuring.atol);
        options.flag_off("--no-memory", options_.memory,
                         "Start no fresh processes for loading time and resident memory");
    }

    void declare_results(OptionList& options) {
        options
            .take(
                "--json", "[F.json]",
                [this](const std::string& file) {
                    json = file.empty();
                    options_.json_file = file;
                },
                "Print the result as JSON, or write it to a file ending in .json beside the table")
            .with_optional_value()
            .checked_by([](const std::string& file) {
                return file.empty() ? std::string() : extension_problem(file, ".json");
            })
            .suggest_files({"json"});
        options.value("--csv", "F.csv", options_.csv_file, "Write the result as a table too")
            .checked_by([](const std::string& file) { return extension_problem(file, ".csv"); })
            .suggest_files({"csv"});
        options
            .value("--baseline", "F.json", options_.baseline,
                   "Compare with a result that --json saved on this machine")
            .suggest_files({"json"});
        options
            .value("--max-regress", "P", options_.max_regress,
                   "Exit code 0 when all are at most so many per cent slower than the baseline, 1 "
                   "when one is slower "
                   "than that, 7 when the measurement cannot decide")
            .not_negative()
            .changed_by([](std::string text) {
                return text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
            });
        add_gate_seconds(options, options_.gate_seconds);
        options.flag("--any-machine", options_.any_machine, "Take a baseline of another machine");
    }

    void declare_concurrency(OptionList& options) {
        add_thread_counts(options, "--concurrency", options_.concurrency, 1,
                          "Instead: the latency and throughput of so many callers at a time, with "
                          "requests grouped "
                          "and not");
        options.value("--max-batch", "B", options_.max_batch, "Requests in a group, 8 unless given")
            .between(1, 65536);
        options
            .value("--max-delay", "MS", options_.max_delay_ms,
                   "A request waits as long for others, 2 ms unless given")
            .between(0.0, 60000.0);
    }

    void declare_decoding(OptionList& options) {
        Option& decode = options.flag("--decode", options_.decode,
                                      "Instead: a decoder token by token, with caches of keys and "
                                      "values that stay");
        options
            .value("--context", "N,...", options_.contexts,
                   "With --decode: tokens of the prompt, each count by itself; 128 and 1024 unless "
                   "given, as far as the model has positions")
            .separated_by_commas()
            .positive()
            .needs(decode);
        options
            .value("--new-tokens", "N", options_.new_tokens,
                   "With --decode: tokens behind the prompt, 32 unless given")
            .between(1, 1'000'000)
            .needs(decode);
        options
            .take(
                "--caches", "KIND",
                [this](const std::string& kind) {
                    options_.caches = kind == "fixed"     ? CacheStorage::fixed
                                      : kind == "growing" ? CacheStorage::growing
                                                          : CacheStorage::automatic;
                },
                "With --decode: how keys and values are kept, as generate --caches; auto unless "
                "given")
            .one_of({"auto", "fixed", "growing"})
            .needs(decode);
        options.value("--decode-engine", "ENGINE", options_.decode_engine, "").hidden();
    }

    BenchCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> bench_command() { return std::make_unique<BenchCommand>(); }

}  // namespace lapidary::cli
