// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <lapidary/error.h>
#include <lapidary/failure.h>
#include <lapidary/output_file.h>
#include <lapidary/session.h>

#include "cli/argument_checks.h"
#include "cli/bench_arguments.h"
#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/optimize_arguments.h"
#include "cli/printable_stream.h"
#include "cli/report_arguments.h"
#include "cli/sweep_arguments.h"
#include "cli/progress_line.h"
#include "cli/value_text.h"
#include "cli/trace_argument.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t most_error_characters = 8192;
constexpr const char* footer =
    "Examples:\n"
    "  lapidary-cli info model.onnx\n"
    "  lapidary-cli run model.onnx --dim batch=4 --seed 7 --outputs out.npz\n"
    "  lapidary-cli check model.onnx --inputs in.npz --expected out.npz\n"
    "  lapidary-cli profile model.onnx --runs 10 -o trace.json\n"
    "  lapidary-cli memory model.onnx --dim batch=8\n"
    "  lapidary-cli optimize model.onnx -o fast.onnx --level extended --guard --explain\n"
    "  lapidary-cli bisect model.onnx --level all\n"
    "  lapidary-cli bench resnet50.onnx --vs onnxruntime --intra 1,2\n"
    "  lapidary-cli report model.onnx -o report.html --against disabled\n"
    "  lapidary-cli compare old.onnx new.onnx --max-regress 3\n"
    "  lapidary-cli snippet model.onnx --language python --intra 4\n"
    "  lapidary-cli sweep resnet50.onnx --batch 1,8 --goal throughput\n"
    "  lapidary-cli sample resnet50 -o resnet50.onnx\n"
    "\n"
    "Exit codes: 0 fine, 1 a check found a difference, 2 wrong usage, 3 bad model or input file, or more\n"
    "than memory holds, 4 not supported, 5 cancelled (Ctrl-C once; twice ends at once), 6 a bug.\n"
    "Errors are one sentence on stderr; with --json they are one object there:\n"
    "  {\"error\": {\"code\": \"invalid_input\", \"message\": \"...\", \"where\": [\"file\", \"node\"]}}";

/// The options as CLI11 fills them, before they are made into the command's own.
struct RawInputs {
    std::vector<std::string> files, dimensions;
    std::vector<float> mean, stddev;
    std::string layout;
};

std::array<float, 3> three(const std::string& option, const std::vector<float>& values, float fallback) {
    if (values.empty()) return {fallback, fallback, fallback};
    if (values.size() == 1) return {values[0], values[0], values[0]};
    if (values.size() != 3)
        throw CLI::ValidationError(option, "expected one number or three, found " + std::to_string(values.size()));
    return {values[0], values[1], values[2]};
}

void finish_inputs(const RawInputs& raw, InputOptions& options) {
    for (const std::string& text : raw.files) {
        auto [name, file] = split_assignment("--input", text, false);
        options.files.emplace_back(std::move(name), std::move(file));
    }
    options.dimensions = parse_sizes("--dim", raw.dimensions);
    options.has_image_layout = !raw.layout.empty();
    options.image.layout = raw.layout == "nhwc" ? ImageOptions::Layout::nhwc : ImageOptions::Layout::nchw;
    options.image.mean = three("--mean", raw.mean, 0);
    options.image.stddev = three("--std", raw.stddev, 1);
    for (const float deviation : options.image.stddev)
        if (deviation == 0) throw CLI::ValidationError("--std", "expected numbers other than 0");
}

void add_json(CLI::App& command, bool& json) {
    command.add_flag("--json", json,
                     "Print the result as JSON, NaN and infinities as strings; errors as an object on stderr");
}

void add_input_options(CLI::App& command, InputOptions& options, RawInputs& raw) {
    command.add_option("--input", raw.files, "An input from .npy, .npz, .pb, .png or .jpg; may be repeated")
        ->type_name("NAME=FILE")->allow_extra_args(false);
    command.add_option("--inputs", options.archive, "Inputs by name from one archive")->type_name("F.npz");
    command.add_option("--seed", options.seed, "Seed of the inputs that are generated, 0 unless given")->type_name("N")->check(is_count());
    command.add_option("--dim", raw.dimensions, "Size of a symbolic dimension; may be repeated")
        ->type_name("NAME=N")->allow_extra_args(false);
    command.add_option("--image-layout", raw.layout, "Layout of image inputs; told from the shape unless given")
        ->type_name("nchw|nhwc")->check(CLI::IsMember({"nchw", "nhwc"}));
    command
        .add_option("--mean", raw.mean, "Subtracted from the channels 0..255 of an image, in the order of the tensor")
        ->type_name("a,b,c")
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_option("--std", raw.stddev, "Divides the channels after --mean")
        ->type_name("a,b,c")->delimiter(',')->allow_extra_args(false);
    command.add_flag("--bgr", options.image.bgr, "Channels of an image in the order blue, green, red");
}

void add_run_options(CLI::App& command, RunCommandOptions& options, RawInputs& raw) {
    command.add_option("model", options.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
    add_input_options(command, options.inputs, raw);
    command.add_option("--outputs", options.outputs, "Write the outputs to this archive; one output to a .npy")->type_name("F.npz");
    command.add_option("--intra", options.intra_threads, "Threads inside an operator; 0: one per core")
        ->type_name("N")->check(CLI::Range(0, 1024));
    std::string keys;
    for (const ConfigKey& key : config_keys()) keys += "\n" + std::string(key.name) + " (" + std::string(key.values) + ")";
    command
        .add_option_function<std::vector<std::string>>(
            "--config",
            [&options](const std::vector<std::string>& entries) {
                for (const std::string& entry : entries) {
                    const std::size_t equals = entry.find('=');
                    options.config[entry.substr(0, equals)] = entry.substr(equals + 1);
                }
            },
            "Session option by its name in ONNX Runtime; may be repeated:" + keys)
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->check(is_config_entry());
    add_level_options(command, options.level);
}

/// The parser with everything it fills in.
class CommandLine {
public:
    CommandLine() : app_("Runs, checks, profiles, optimizes and inspects ONNX models.", "lapidary-cli") {
        app_.set_version_flag("--version", std::string("lapidary-cli ") + LAPIDARY_VERSION);
        app_.require_subcommand(1);
        app_.footer(footer);
        info_command_ = app_.add_subcommand(
            "info", "Show inputs, outputs, operators, size, metadata and what is odd about a model");
        info_command_->add_option("model", info_.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
        add_channel_block(*info_command_, info_.channel_block);
        add_json(*info_command_, json_);

        run_command_ = app_.add_subcommand("run", "Run a model once and show its outputs");
        add_run_options(*run_command_, run_, run_raw_);
        add_json(*run_command_, json_);
        run_command_->footer(
            "Inputs that no file gives are generated from the seed: indices within the table they select from,\n"
            "masks of ones, sizes that fit each other. Image pixels are 0..255 before --mean and --std.\n"
            "Example: lapidary-cli run net.onnx --input data=cat.jpg --mean 123.7,116.3,103.5 --std 58.4,57.1,57.4");

        check_command_ = app_.add_subcommand(
            "check", "Validate a model against reference outputs, e.g. of the framework it was exported from");
        check_command_->add_option("model", check_.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
        auto* inputs = check_command_->add_option("--inputs", check_.inputs, "Inputs by name")->type_name("F.npz");
        auto* expected =
            check_command_->add_option("--expected", check_.expected, "Reference outputs by name")->type_name("F.npz");
        auto* folder = check_command_
                           ->add_option("--case", check_.case_folder,
                                        "An ONNX test_data_set_N folder with input_K.pb and output_K.pb")
                           ->type_name("DIR");
        inputs->needs(expected)->excludes(folder);
        expected->needs(inputs)->excludes(folder);
        add_tolerance(*check_command_, check_.rtol, check_.atol);
        check_command_->add_option("--intra", check_.intra_threads, "Threads inside an operator; 0: one per core")
            ->type_name("N")
            ->check(CLI::Range(0, 1024));
        add_level_options(*check_command_, check_.level);
        add_json(*check_command_, json_);
        check_command_->footer(
            "Use it to validate an export: run the original model in its framework, store inputs and outputs\n"
            "with numpy.savez(\"in.npz\", **{\"input name\": array}) and numpy.savez(\"out.npz\", ...), then\n"
            "  lapidary-cli check model.onnx --inputs in.npz --expected out.npz --rtol 1e-3 --atol 1e-5\n"
            "An element differs when |actual - expected| > atol + rtol * (|expected| + w * usual). `usual` is what the\n"
            "output's elements weigh: four times the median of those that are not 0, at most the largest; w is 0.1 for\n"
            "float32 and float64, 4 for float16, 16 for bfloat16 and float8. NaN equals NaN and an infinity itself.\n"
            "8-bit integers that span 16 values or more may be one step apart, other integers as far as atol; strings\n"
            "and booleans must be equal. compare, bench, bisect and the guard of optimize know the same rule. Per\n"
            "output the largest difference, its share of the largest element, the signal to noise ratio and the cosine\n"
            "are shown.\n"
            "Item i of a sequence output S is the array \"S[i]\"; a map M is \"M.keys\" and \"M.values\". Outputs\n"
            "without reference are listed and not checked. Exit code 1 when anything differs.");

        profile_command_ = app_.add_subcommand(
            "profile", "Measure where the time goes: verdict, operators, nodes, phases, memory; or show a trace.json");
        add_run_options(*profile_command_, profile_.run, profile_raw_);
        profile_command_->get_option("model")->description(
            "ONNX model file, sample:NAME, or a trace: of this program or ONNX Runtime's profile");
        auto* trace = profile_command_
                          ->add_option("-o,--output", profile_.trace, "Write a trace for chrome://tracing or Perfetto")
                          ->type_name("trace.json");
        profile_command_
            ->add_option_function<std::string>(
                "--format",
                [this](const std::string& name) {
                    profile_.format = name == "onnxruntime" ? TraceFormat::onnxruntime : TraceFormat::chrome;
                },
                "What -o writes: a Chrome trace with all that was recorded, unless given; or the list of events that "
                "ONNX Runtime's profiler writes")
            ->type_name("chrome|onnxruntime")
            ->check(CLI::IsMember({"chrome", "onnxruntime"}))
            ->needs(trace);
        profile_command_->add_option("--runs", profile_.runs, "Measured runs, 5 unless given")
            ->type_name("N")
            ->check(CLI::Range(1, 1'000'000));
        profile_command_->add_flag("--roofline", profile_.roofline,
                                   "Compare kernels with what this machine can do at most, which takes half a second to measure");
        profile_command_->add_option("--warmup", profile_.warmup, "Runs before measuring, 1 unless given")
            ->type_name("N")
            ->check(CLI::Range(0, 1'000'000));
        add_json(*profile_command_, json_);

        optimize_command_ = app_.add_subcommand("optimize", "Optimize a model, explain every rewrite, prove the result and write it");
        add_optimize_options(*optimize_command_, optimize_);
        add_json(*optimize_command_, json_);

        passes_command_ = app_.add_subcommand("passes", "List the optimization passes: level, providers, name in ONNX Runtime");
        add_json(*passes_command_, json_);

        bisect_command_ = app_.add_subcommand("bisect", "Find the rewrite that moves an output beyond tolerance and cut out its place");
        add_bisect_options(*bisect_command_, bisect_);
        add_json(*bisect_command_, json_);

        bench_command_ = app_.add_subcommand("bench", "Measure a model, alone or side by side with ONNX Runtime");
        add_bench_options(*bench_command_, bench_, json_);
        add_input_options(*bench_command_, bench_.inputs, bench_raw_);

        report_command_ = app_.add_subcommand("report", "Write one HTML file that shows model, graph, times and passes, alone or against another level");
        add_report_options(*report_command_, report_);
        add_input_options(*report_command_, report_.inputs, report_raw_);
        add_json(*report_command_, json_);

        compare_command_ = app_.add_subcommand("compare", "Measure two models or levels in turn: how far apart, where from, same outputs?");
        add_compare_options(*compare_command_, compare_);
        add_input_options(*compare_command_, compare_.inputs, compare_raw_);
        add_json(*compare_command_, json_);

        snippet_command_ = app_.add_subcommand("snippet", "Print a program that repeats settings in ONNX Runtime");
        add_snippet_options(*snippet_command_, snippet_);
        serve_command_ = app_.add_subcommand("serve", "Run jobs of another program: a line of JSON each way until the input ends");
        serve_command_->add_option("--memory-limit", serve_.memory_limit, "Memory that runs may take; beyond it they fail with an error. No limit unless given")
            ->type_name("BYTES")
            ->transform(CLI::AsSizeValue(false));
        serve_command_->add_option("--fresh", serve_.fresh)->group("");
        serve_command_->footer(
            "What the window runs models in. Requests are lines such as\n"
            "  {\"id\": 1, \"job\": \"profile\", \"model\": {\"file\": \"net.onnx\"}, \"settings\": {\"repetitions\": 10}}\n"
            "  {\"cancel\": 1}\n"
            "answers lines with the id and progress, state, result or error. Large results lie in shared memory.");

        sweep_command_ = app_.add_subcommand("sweep", "Find the fastest settings: threads, batch, execution mode, spinning");
        add_sweep_options(*sweep_command_, sweep_, sweep_dimensions_);
        add_json(*sweep_command_, json_);

        memory_command_ = app_.add_subcommand("memory", "Say what a run would hold in memory and why, without running: peak, who keeps it alive, what if");
        memory_command_->add_option("model", memory_.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
        memory_command_->add_option("--dim", memory_sizes_, "Size of a symbolic dimension; may be repeated")->type_name("NAME=N")->allow_extra_args(false);
        memory_command_->add_option("--intra", memory_.assumptions.threads, "Threads inside an operator; 0: one per core")
            ->type_name("N")->check(CLI::Range(0, 1024));
        memory_command_->add_flag("!--no-pattern", memory_.assumptions.plan, "Without a planned block (enable_mem_pattern 0)");
        memory_command_->add_flag("!--no-arena", memory_.assumptions.arena, "Each value from the heap (enable_cpu_mem_arena 0)");
        memory_command_->add_flag("!--no-in-place", memory_.assumptions.in_place, "No value in the bytes of another one");
        memory_command_->add_flag("!--no-fused-steps", memory_.assumptions.fused_steps, "Each node in a kernel of its own");
        memory_command_->add_option("--step", memory_.step, "List what is alive at this step instead of the peak")
            ->type_name("N")->check(is_count());
        memory_command_->add_option("--top", memory_.top, "Tensors to list, 20 unless given")->type_name("N")->check(is_count());
        add_level_options(*memory_command_, memory_.level);
        add_json(*memory_command_, json_);

        sample_command_ = app_.add_subcommand("sample", "Write one of the built-in architectures with random weights");
        auto* name = sample_command_->add_option("name", sample_.name, "Name of the sample")->type_name("NAME");
        auto* output =
            sample_command_->add_option("-o,--output", sample_.output, "Model file to write")->type_name("FILE");
        sample_command_->add_option("--seed", sample_.seed, "Seed of the weights, 1 unless given")->type_name("N")->check(is_count());
        auto* list = sample_command_->add_flag("--list", sample_.list, "List the samples");
        list->excludes(name)->excludes(output);
        add_json(*sample_command_, json_);
        add_examples();
        for (CLI::App* command : app_.get_subcommands([](CLI::App*) { return true; }))
            command->add_flag("-q,--quiet", quiet_, "No progress and no notes on stderr, errors alone");
    }

    void parse(int argc, const char* const* argv) {
        app_.parse(argc, argv);
        finish_inputs(run_raw_, run_.inputs);
        finish_inputs(profile_raw_, profile_.run.inputs);
        if (profile_command_->parsed() && is_trace(profile_.run.model))
            refuse_run_options(*profile_command_, profile_.run.model);
        finish_inputs(bench_raw_, bench_.inputs);
        finish_inputs(report_raw_, report_.inputs);
        finish_inputs(compare_raw_, compare_.inputs);
        if (report_command_->parsed() && report_.output.empty() && report_.tables.empty()) throw CLI::RequiredError("either -o F.html or --tables FOLDER,");
        sweep_.sweeping.dimensions = parse_sizes("--dim", sweep_dimensions_);
        memory_.assumptions.dimensions = parse_sizes("--dim", memory_sizes_);
        memory_.has_step = memory_command_->count("--step") != 0;
        if (check_command_->parsed() && check_.inputs.empty() && check_.case_folder.empty())
            throw CLI::RequiredError("either --inputs with --expected, or --case,");
        if (sample_command_->parsed() && !sample_.list && (sample_.name.empty() || sample_.output.empty()))
            throw CLI::RequiredError("NAME with -o FILE, or --list,");
    }

    int run(Terminal& terminal) {
        terminal.json = json_;
        terminal.quiet = quiet_;
        if (info_command_->parsed()) return run_info(info_, terminal);
        if (memory_command_->parsed()) return run_memory(memory_, terminal);
        if (run_command_->parsed()) return run_run(run_, terminal);
        if (check_command_->parsed()) return run_check(check_, terminal);
        if (profile_command_->parsed()) return run_profile(profile_, terminal);
        if (optimize_command_->parsed()) return run_optimize(optimize_, terminal);
        if (passes_command_->parsed()) return run_passes(terminal);
        if (bisect_command_->parsed()) return run_bisect(bisect_, terminal);
        if (bench_command_->parsed()) return run_bench(bench_, terminal);
        if (report_command_->parsed()) return run_report(report_, terminal);
        if (compare_command_->parsed()) return run_compare(compare_, terminal);
        if (snippet_command_->parsed()) return run_snippet(snippet_, terminal);
        if (sweep_command_->parsed()) return run_sweep(sweep_, terminal);
        if (serve_command_->parsed()) return run_serve(serve_, terminal);
        return run_sample(sample_, terminal);
    }

    CLI::App& app() { return app_; }

private:
    /// For the commands that have no footer of their own.
    void add_examples() {
        const std::pair<CLI::App*, const char*> examples[] = {
            {info_command_, "Examples:\n  lapidary-cli info net.onnx\n  lapidary-cli info net.onnx --json"},
            {profile_command_,
             "Examples:\n  lapidary-cli profile net.onnx --level all --runs 20 --roofline\n"
             "  lapidary-cli profile net.onnx --dim batch=4 -o trace.json\n"
             "  lapidary-cli profile net.onnx -o profile.json --format onnxruntime\n"
             "  lapidary-cli profile onnxruntime_profile_2024-05-01_12-00-00.json"},
            {passes_command_, "Example: lapidary-cli passes --json"},
            {memory_command_,
             "Examples:\n  lapidary-cli memory net.onnx --dim batch=8 --level all\n"
             "  lapidary-cli memory net.onnx --no-in-place --step 12"},
            {sample_command_, "Examples:\n  lapidary-cli sample --list\n  lapidary-cli sample resnet50 -o resnet50.onnx --seed 7"}};
        for (const auto& [command, text] : examples) command->footer(text);
    }

    CLI::App app_;
    CLI::App *info_command_, *run_command_, *check_command_, *profile_command_, *optimize_command_, *passes_command_, *bisect_command_, *bench_command_,
        *report_command_, *compare_command_, *snippet_command_, *sweep_command_, *sample_command_, *serve_command_, *memory_command_;
    bool json_ = false, quiet_ = false;
    InfoOptions info_;
    MemoryCommandOptions memory_;
    std::vector<std::string> memory_sizes_;
    RunCommandOptions run_;
    CheckOptions check_;
    ProfileOptions profile_;
    OptimizeCommandOptions optimize_;
    BisectCommandOptions bisect_;
    SampleOptions sample_;
    ServeCommandOptions serve_;
    BenchCommandOptions bench_;
    ReportCommandOptions report_;
    CompareCommandOptions compare_;
    SnippetCommandOptions snippet_;
    RawInputs run_raw_, profile_raw_, bench_raw_, report_raw_, compare_raw_;
    SweepCommandOptions sweep_;
    std::vector<std::string> sweep_dimensions_;
};

int exit_code_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_model:
        case ErrorCode::invalid_input:
        case ErrorCode::limit_exceeded:
        case ErrorCode::io_failure: return exit_bad_input;
        case ErrorCode::not_supported: return exit_not_supported;
        case ErrorCode::cancelled: return exit_cancelled;
        case ErrorCode::check_failed: return exit_check_failed;
        case ErrorCode::internal: break;
    }
    return exit_internal;
}

/// How errors are told.
class ErrorReport {
public:
    /// `colour`: the stream is a terminal that shows colours.
    ErrorReport(std::ostream& err, std::ostream& raw_err, bool json, bool colour)
        : err_(err), raw_err_(raw_err), json_(json), colour_(colour) {}

    int operator()(int exit_code, const Json& object, const std::string& sentence) const {
        if (json_) err_ << object.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
        else {
            err_.flush();
            raw_err_ << (colour_ ? "\x1b[31mlapidary-cli:\x1b[0m " : "lapidary-cli: ");
            err_ << plain(sentence, most_error_characters) << '\n';
        }
        return exit_code;
    }
    int usage(const std::string& message) const {
        return (*this)(exit_usage, {{"error", {{"code", "usage"}, {"message", message}, {"where", Json::array()}}}},
                       message + " (lapidary-cli --help shows the commands)");
    }

private:
    std::ostream &err_, &raw_err_;
    bool json_, colour_;
};

}  // namespace

int run_command_line(int argc, const char* const* argv, std::ostream& raw_out, std::ostream& raw_err,
                     const CancelToken& cancel, const TerminalFeatures& features) {
    bool json = false, quiet = false;  // known before parsing, for errors of parsing
    for (int i = 1; i < argc; ++i) {
        json = json || std::string_view(argv[i]) == "--json";
        quiet = quiet || std::string_view(argv[i]) == "--quiet" || std::string_view(argv[i]) == "-q";
    }
    std::optional<ProgressLine> progress;
    try {
        if (features.progress && !json && !quiet) progress.emplace(raw_err);
    } catch (const Error&) {  // the system refuses its thread: the command goes on without
    }
    const auto erase = [&progress] {
        if (progress) progress->erase();
    };
    PrintableBuffer out_buffer(raw_out, erase), err_buffer(raw_err, erase);
    std::ostream out(&out_buffer), err(&err_buffer);
    CommandLine line;
    Terminal terminal{out, err, cancel};
    terminal.progress_line = progress ? &*progress : nullptr;
    const InputProtection protection;
    const auto report = [&](auto&& tell) {
        erase();
        return tell(ErrorReport(err, raw_err, json, features.colour));
    };
    try {
        if (const std::string problem = unknown_command(line.app(), argc, argv); !problem.empty())
            return report([&](const ErrorReport& r) { return r.usage(problem); });
        line.parse(argc, argv);
        return line.run(terminal);
    } catch (const CLI::ExtrasError& e) {
        return report([&](const ErrorReport& r) { return r.usage(unknown_arguments(line.app(), e)); });
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return line.app().exit(e, out, err);  // --help, --version
        return report([&](const ErrorReport& r) { return r.usage(e.what()); });
    } catch (const UsageError& e) {
        return report([&](const ErrorReport& r) { return r.usage(e.what()); });
    } catch (...) {
        std::string doing = "the command";
        for (int i = 1; i < std::min(argc, 3); ++i) doing += " " + quote(argv[i], shown_characters);
        if (!terminal.stage.empty()) doing += ", at the stage " + quote(terminal.stage) + ",";
        const Error error = error_in_flight(doing);
        return report([&](const ErrorReport& r) { return r(exit_code_of(error.code()), json_error(error), error.what()); });
    }
}

}  // namespace lapidary::cli
