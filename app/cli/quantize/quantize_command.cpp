// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/export/release.h>
#include <lapidary/quantize/resumed_quantization.h>
#include <lapidary/internal/text_file.h>

#include "cli/command.h"
#include "cli/output/json_output.h"
#include "cli/models/model_argument.h"
#include "cli/options/input_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/options/value_checks.h"
#include "cli/quantize/quantize_steps.h"
#include "cli/quantize/quantize_text.h"
#include "cli/quantize/quantize_unjudged.h"
#include "cli/quantize/shared_search.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"
#include "worker/models/quantized_file.h"

namespace lapidary::cli {
namespace {

std::string share_problem(const std::string& text) {
    constexpr double most = 0.99;
    if (text == "auto") return {};
    char* end = nullptr;
    const double share = std::strtod(text.c_str(), &end);
    const bool fits = !text.empty() && *end == 0 && share >= 0 && share <= most;
    return fits ? std::string() : "expected auto or a share from 0 to 0.99, found " + quote(text);
}

std::string rotation_problem(const std::string& text) {
    return rotation_seed(text) ? std::string()
                               : "expected hadamard, or hadamard:SEED with a number from 1 on, "
                                 "found " +
                                     quote(text);
}

std::string floor_problem(const std::string& text) {
    try {
        accuracy_floor_from(text);
        return {};
    } catch (const Error& error) { return error.what(); }
}

DType signed_word_type(const std::string& name) {
    return *dtype_from_name(name[0] == 's' ? "i" + name.substr(1) : name);
}

void declare_mode(OptionList& options, QuantizeCommandOptions& chosen) {
    std::vector<std::string> words = mode_words();
    words.insert(words.begin(), "auto");
    options
        .take(
            "--mode", "MODE",
            [&chosen](const std::string& name) {
                chosen.automatic = name == "auto";
                if (!chosen.automatic) set_mode(chosen.quantize, name);
            },
            "dynamic or static: 8-bit products; weights4, weights8: weights in blocks; fp8, bf16: "
            "weights as small "
            "floats; fp16: products in float16; auto: --search in modes static and dynamic, then "
            "the best by "
            "accuracy, time and size together (6 dB, half the time and half the size count the "
            "same), before what is "
            "slower than float or saves less than 2 %. dynamic unless given")
        .one_of(words);
}

void declare_static_form(OptionList& options, QuantizeOptions& quantize) {
    options
        .take(
            "--format", "qdq|qoperator",
            [&quantize](const std::string& name) {
                quantize.static_form = *static_form_from_name(name);
            },
            "Static: pairs of QuantizeLinear and DequantizeLinear, or QLinearConv, QGemm ...; qdq "
            "unless given")
        .one_of({"qdq", "qoperator"});
    options
        .take(
            "--placement", "benefit|onnxruntime",
            [&quantize](const std::string& name) {
                quantize.placement = *static_placement_from_name(name);
            },
            "Static: quantize what is worth it, or all that quantize_static of ONNX Runtime does; "
            "benefit unless "
            "given")
        .one_of({"benefit", "onnxruntime"});
    options
        .take(
            "--weights", "s8|u8|s4|u4",
            [&quantize](const std::string& name) { quantize.weight = signed_word_type(name); },
            "Type of static weights, s8 unless given; of 4 bits products run in float")
        .one_of({"s8", "u8", "s4", "u4"});
    options
        .take(
            "--act", "u8|s8|u16|s16",
            [&quantize](const std::string& name) { quantize.activation = signed_word_type(name); },
            "Type of static activations, u8 unless given")
        .one_of({"u8", "s8", "u16", "s16"});
}

void declare_scales(OptionList& options, QuantizeOptions& quantize) {
    options.flag("--symmetric-act", quantize.symmetric_activation,
                 "Ranges of static activations about 0");
    options.flag("--symmetric-weights", quantize.symmetric_weight,
                 "Dynamic: weights of MatMul and Gemm have no zero points, as other weights");
    options.flag_off("--asymmetric-weights", quantize.symmetric_weight,
                     "Dynamic: weights of MatMul and Gemm have zero points, one for each scale, as "
                     "they do unless "
                     "--symmetric-weights is given");
    options.flag_off("--per-tensor", quantize.per_channel,
                     "One scale per weight, not one per channel");
    options.flag("--safe-without-vnni", quantize.reduced_range,
                 "Weights of 7 bits, which no x86 CPU without VNNI saturates on");
    options.flag("--fused", quantize.fused_operators,
                 "Dynamic products as DynamicQuantizeMatMul of ONNX Runtime");
}

void declare_blocks(OptionList& options, QuantizeOptions& quantize) {
    options
        .take(
            "--block", "N",
            [&quantize](const std::string& rows) { quantize.block = std::stoi(rows); },
            "Rows of a block of weights4 and weights8, 32 unless given")
        .one_of({"16", "32", "64", "128", "256"});
    options.flag("--symmetric-blocks", quantize.symmetric_blocks, "Blocks without zero points");
    options
        .take(
            "--block-form", "nbits|dequantize",
            [&quantize](const std::string& name) {
                quantize.block_form =
                    name == "nbits" ? BlockForm::matmul_nbits : BlockForm::dequantize;
            },
            "MatMulNBits of ONNX Runtime, or DequantizeLinear of opset 21; nbits unless given")
        .one_of({"nbits", "dequantize"});
    options.flag("--fit-blocks", quantize.fitted_blocks,
                 "Search the scale and zero point of each block for the least error, weighted by "
                 "the inputs that samples show, in place of the extremes that ONNX Runtime takes");
    options
        .take(
            "--bits", "B",
            [&quantize](const std::string& bits) {
                quantize.bits_per_weight = std::stod(bits);
                quantize.fitted_blocks = true;
            },
            "Bits that a weight of weights4 and weights8 takes on average at most, scales and "
            "zero points included, such as 4.5: each weight gets the bits (4 or 8) and the block "
            "that pay most for the outputs of samples; with --fit-blocks")
        .between(4.0, 16.0);
}

void declare_modes(OptionList& options, QuantizeCommandOptions& chosen) {
    declare_mode(options, chosen);
    declare_static_form(options, chosen.quantize);
    declare_scales(options, chosen.quantize);
    declare_blocks(options, chosen.quantize);
}

void declare_samples(OptionList& options, QuantizeCommandOptions& chosen) {
    options
        .value("--data", "PATH", chosen.data,
               "Sample inputs: a folder of .npz, .npy or .pb files, of pictures or of .wav sounds, "
               "one .npz, .npy or "
               "FILE.npz:ARRAY of many samples, or with --vocabulary a file of text; generated "
               "unless given")
        .suggest({.files = true, .folders = true, .extensions = {"npz", "npy", "txt"}});
    add_pixel_options(options, chosen.images);
    add_array_layout(options, chosen.images);
    add_text_options(options, chosen.text);
    options
        .take(
            "--samples", "N",
            [&chosen](const std::string& count) {
                chosen.quantize.calibration.most_samples = std::stoull(count);
            },
            "Look at no more samples than so many; 0: all")
        .checked_by(count_problem);
    options.flag("--every-sample", chosen.every_sample,
                 "Look at all samples, though ranges have settled before");
    options
        .value("--generate", "N", chosen.generated,
               "Samples to generate where there is no --data, 16 unless given")
        .between(1, 100000);
    options.value("--seed", "N", chosen.seed, "Seed of generated samples, 0 unless given")
        .checked_by(count_problem);
}

void declare_improvements(OptionList& options, QuantizeCommandOptions& chosen) {
    QuantizeOptions& quantize = chosen.quantize;
    options
        .take(
            "--range", "mse|minmax|percentile|entropy",
            [&quantize](const std::string& name) {
                quantize.range = *range_method_from_name(name);
            },
            "How ranges of static activations are chosen, mse unless given")
        .one_of({"mse", "minmax", "percentile", "entropy"});
    options
        .value("--percentile", "P", quantize.percentile,
               "Elements that --range percentile keeps, 99.999 unless given")
        .between(50.0, 100.0);
    options
        .value("--headroom", "SHARE", quantize.range_headroom,
               "Make ranges of static activations wider by this share, such as 0.25: where values "
               "beyond those of the "
               "samples are to come")
        .between(0.0, 1.0);
    options.flag("--equalize", quantize.equalize,
                 "Let neighbouring weights share their spread (cross-layer equalization)");
    options
        .take(
            "--smooth", "A|auto",
            [&quantize](const std::string& share) {
                quantize.smoothing_by_input = share == "auto";
                quantize.smoothing = quantize.smoothing_by_input ? 0 : std::stod(share);
            },
            "Share of the spread of inputs that weights of products take over (SmoothQuant), such "
            "as 0.5; auto: one "
            "for each input, by the error to expect")
        .checked_by(share_problem);
    options
        .take(
            "--rotate", "hadamard[:SEED]",
            [&quantize](const std::string& text) { quantize.rotation = *rotation_seed(text); },
            "Blocks: spread large channels of a decoder's residual stream over all by a Hadamard "
            "matrix with random signs, which the weights on both sides take up; where that cannot "
            "be done a note says why. SEED is 1 unless given")
        .checked_by(rotation_problem);
    options.flag("--compensate", quantize.compensated_rounding,
                 "Let weights make up for the rounding of others (as GPTQ does)");
    options.flag_off("--no-bias-correction", quantize.bias_correction,
                     "Round each weight to the nearest, and leave static biases as they are");
    options.flag_off("--keep-masks", quantize.bound_masks,
                     "Leave constants of masks (-1e4 and less in front of a Softmax) as they are, "
                     "though static ranges "
                     "or float16 have to hold them");
}

/// Nodes that are an exception, and how the result is judged.
void declare_choices(OptionList& options, QuantizeCommandOptions& chosen) {
    QuantizeOptions& quantize = chosen.quantize;
    options
        .value("--keep-float", "PATTERN", quantize.keep_float,
               "Node name or operator to leave as it is, * for any characters; may be repeated")
        .repeatable();
    options
        .value("--weights-of", "PATTERN=TYPE", quantize.weights_of,
               "Type of the weights of these nodes or operators (s8, u8, s4, u4), static, or bits "
               "of their blocks; may "
               "be repeated")
        .repeatable();
    options
        .value("--weights-alone", "PATTERN", quantize.weights_alone,
               "Node or operator whose weight is stored in 8 bits and whose product runs in float, "
               "dynamic or static; "
               "may be repeated")
        .repeatable();
    options.flag("--as-asked", chosen.as_asked,
                 "Leave it at the switches given, however far off outputs are; else where they "
                 "come out below 20 dB "
                 "(10 with weights of 4 bits), or many answers change, those of --search are tried "
                 "by themselves, then "
                 "the most sensitive nodes stay float");
    options.flag(
        "--unjudged", chosen.unjudged,
        "Write the file and run nothing, so that nothing is said of accuracy and time: for "
        "models that memory has no room for; weights are read, rounded and written one at "
        "a time, others than by rounding need --data and runs");
    options.flag(
        "--search", chosen.search,
        "Try these switches too, and keep what comes out best on samples that gave no ranges");
    options.flag("--pareto", chosen.pareto,
                 "Try recipes as --search does and print those that no other beats in size, time "
                 "and SQNR at once");
    options.flag("--diagnose", chosen.diagnose,
                 "Say whether weights or activations cost the accuracy");
    options.flag("--sensitivity", chosen.sensitivity,
                 "Rank the nodes by what each costs when quantized alone, and what keeping the "
                 "worst float would give");
    options
        .value("--budget", "S", chosen.budget,
               "Seconds that --search, and ranking nodes, may take each, 60 unless given; 0: until "
               "all are tried")
        .not_negative();
}

constexpr const char* quantize_notes = R"(
Bytes and pictures for an input of floats become what model and labels show that it was trained on; where nothing shows
it, a warning names what it may be. --mean and --std choose it. With --labels the float model's own right answers are
shown before anything is quantized.
Four of five samples give ranges, the fifth says how far outputs are off: SQNR (signal to noise, dB: 30 is good,
20 visible), cosine, and flips (positions of the largest element along
axis 1, of three dimensions along the last, that changed). With generated samples
these say little. The verdict is on the file as it reads back, at level disabled and at level all; the worse one
counts. Exit code 1 when the floor was not reached: that of --floor, else 20 dB (10 with weights of 4 bits).)";

class QuantizeCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Quantize a model to 16, 8 or 4 bits and say what that costs in accuracy",
            .notes = quantize_notes,
            .examples =
                {"lapidary-cli quantize net.onnx -o net.int8.onnx",
                 "lapidary-cli quantize net.onnx -o net.int8.onnx --mode auto --data samples",
                 "lapidary-cli quantize net.onnx -o net.int8.onnx --mode static --data samples "
                 "--search",
                 "lapidary-cli quantize net.onnx -o net.int4.onnx --mode weights4 --data samples "
                 "--compensate",
                 "lapidary-cli quantize net.onnx -o net.fp16.onnx --mode fp16 --report fp16.html",
                 "lapidary-cli quantize net.onnx -o net.int8.onnx --mode static --data samples "
                 "--snippet "
                 "quantize.py"},
            .program_example =
                "lapidary-cli quantize model.onnx -o small.onnx --mode static --data samples"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        Option& output =
            add_output(options, "OUT.onnx", options_.output, {"onnx"}, "File to write");
        options.flag("--overwrite", options_.saving.overwrite_source, "OUT may be the model itself")
            .needs(output);
        declare_modes(options, options_);
        declare_samples(options, options_);
        declare_improvements(options, options_);
        declare_choices(options, options_);
        declare_shared_search(options, options_.shared);
        options
            .take(
                "--floor", "FLOOR",
                [this](const std::string& text) { options_.floor = accuracy_floor_from(text); },
                "To reach: dB of SQNR (30, sqnr=30), at most so many changed answers (flips=0.5%), "
                "or so much of "
                "top-1 lost (top1=-1%, with --labels); where it is missed the most sensitive nodes "
                "stay float until "
                "it is reached; exit code 1 where none of that reaches it, the best is written all "
                "the same")
            .checked_by(floor_problem);
        add_threads(options, options_.quantize.calibration.threads);
        options.flag("--in-onnxruntime", options_.in_onnxruntime,
                     "Time float and quantized model in ONNX Runtime too, as found on this machine "
                     "(LAPIDARY_ONNXRUNTIME names one)");
        options
            .value("--labels", "PATH", options_.labels,
                   "Labels of the samples (.csv, .npy, FILE.npz:ARRAY): top-1 of both models on "
                   "those that judge")
            .suggest_files({"csv", "npy", "npz"});
        options.flag("--explain", options_.explain, "Say of every node why it is quantized or not");
        options.flag("--layers", options_.layers,
                     "SQNR of what each node gives, and warnings of ranges, pairs and kernels");
        options
            .value("--report", "R.html", options_.report,
                   "Write a page that needs no network: sentence, outputs, recipes, layers, "
                   "ranges, nodes")
            .suggest_files({"html"});
        Option& snippet =
            options
                .value(
                    "--snippet", "PROGRAM.py", options_.snippet,
                    "Write a Python program that does the same with ONNX Runtime's own tools, and "
                    "says what they do otherwise")
                .suggest_files({"py"});
        add_release(options, options_.release,
                    "Write what this release of ONNX Runtime reads, or name the node that keeps it "
                    "from that; known are " +
                        known_releases_text() + "; --snippet is for it too, " +
                        quantize_snippet_versions().front() + " unless given");
        add_release_of_place(options, options_.release).needs(snippet);
        add_json(options, json);
    }

    int run(Terminal& terminal) override;

private:
    /// Throws UsageError and input errors for options that contradict each other.
    void check(bool is_itself, bool is_json) const;
    /// What --unjudged does: no more than one weight is in memory.
    int run_unjudged(Terminal& terminal, const Model& model, const SampleSource* samples);
    /// Writes the requested files. Messages about saving become notes of the outcome.
    void write(const Model& model, QuantizeOutcome& outcome) const;

    QuantizeCommandOptions options_;
};

void QuantizeCommand::check(bool is_itself, bool is_json) const {
    if (is_itself && !options_.saving.overwrite_source)
        fail_input(quote(options_.output.string(), 4096) +
                   " is the model itself: choose another file, or allow it with --overwrite");
    if (options_.data.empty() && !options_.labels.empty())
        throw UsageError("--labels: belong to samples of --data, and there is none");
    if (options_.floor && options_.floor->measure == AccuracyFloor::Measure::top1 &&
        options_.labels.empty())
        throw UsageError("--floor top1: needs --labels of the samples");
    if (options_.unjudged) check_unjudged(options_, is_json);
    check_shared_search(options_, is_json);
}

void QuantizeCommand::write(const Model& model, QuantizeOutcome& outcome) const {
    if (!options_.output.empty()) {
        for (const std::string& note :
             save_model(outcome.result.model, options_.output, options_.saving))
            add_note(outcome.result.notes, note);
        if (!options_.search && keeps_weights(options_.quantize))
            remove_kept_weights(kept_weights_folder(options_.output));
    }
    if (!options_.report.empty())
        save_quantize_report(report_of(options_, outcome), options_.report);
    if (!options_.snippet.empty())
        save_text(
            options_.snippet,
            quantize_snippet(model, snippet_settings(options_, chosen_options(options_, outcome),
                                                     outcome.result.nodes)));
}

int QuantizeCommand::run_unjudged(Terminal& terminal, const Model& model,
                                  const SampleSource* samples) {
    QuantizeOutcome outcome = quantize_unjudged(options_, model, samples, terminal.progress());
    write(model, outcome);
    print_unjudged(terminal.out, options_, outcome);
    return exit_fine;
}

int QuantizeCommand::run(Terminal& terminal) {
    const Progress progress = terminal.progress();
    if (options_.every_sample) options_.quantize.calibration.settled_samples = 0;
    options_.release.settle(terminal);
    const std::optional<int> release = options_.release.minor();
    const auto model =
        std::make_shared<const Model>(load_model_argument(options_.model.string(), 0, progress));
    std::error_code ignored;
    const bool is_itself = std::filesystem::equivalent(options_.model, options_.output, ignored);
    check(is_itself, terminal.json);
    const SampleSourcePtr samples = quantize_samples(options_, model, terminal.cancel);
    check_output_files({is_itself ? std::filesystem::path() : options_.output, options_.report,
                        options_.snippet, options_.shared.trials});
    if (!options_.snippet.empty())
        check_quantize_snippet(snippet_settings(options_, options_.quantize, {}));
    if (options_.unjudged)
        return run_unjudged(terminal, *model, options_.data.empty() ? nullptr : samples.get());
    options_.search = options_.search || options_.pareto || options_.automatic;
    const std::optional<Labels> labels =
        options_.labels.empty() ? std::nullopt : std::optional(load_labels(options_.labels));
    const Labels* const known = labels ? &*labels : nullptr;
    const PreparedSamples prepared = prepare_samples(
        model, samples, options_.images, known, options_.quantize.calibration.threads, progress);
    options_.images = prepared.images;
    if (!options_.shared.trials.empty()) return try_shared(options_, model, prepared, terminal);
    const SayLine say = [&terminal](const std::string& line) { terminal.note(line); };
    QuantizeOutcome outcome = quantize_in_steps(options_, model, prepared, known, say, progress);
    if (options_.automatic) options_.quantize.mode = outcome.trials[outcome.best].options.mode;
    if (release)
        for (const std::string& note : fit_release(outcome.result.model, *release, progress))
            add_note(outcome.result.notes, note);
    app::stamp_quantization(outcome.result.model, chosen_options(options_, outcome));
    // The model is written before the report, and also after a cancel, so that the user gets the
    // best so far.
    write(*model, outcome);
    if (progress.cancel.is_cancelled())
        terminal.note("cancelled; the best so far is what was written");
    const auto value = options_.floor ? value_now(*options_.floor, outcome) : std::nullopt;
    const bool reached = options_.floor ? value && options_.floor->is_reached(*value)
                                        : verdict_of(options_, outcome).is_usable;
    if (terminal.json) {
        Json json = quantize_json(options_, outcome);
        json["floor_reached"] = reached;
        write_json(terminal.out, json);
    } else {
        print_quantized(terminal.out, options_, outcome);
        if (!reached && options_.floor)
            terminal.out << fmt::format("the floor of {} was not reached\n",
                                        options_.floor->text_of(options_.floor->bound));
        for (const std::filesystem::path& file :
             {options_.output, options_.report, options_.snippet})
            if (!file.empty()) terminal.out << "wrote " << plain(file.string()) << '\n';
    }
    return reached ? exit_fine : exit_check_failed;
}

}  // namespace

std::unique_ptr<Command> quantize_command() { return std::make_unique<QuantizeCommand>(); }

}  // namespace lapidary::cli
