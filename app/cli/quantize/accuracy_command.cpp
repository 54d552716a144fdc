// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include <lapidary/proof/accuracy.h>
#include <lapidary/inputs/array_samples.h>
#include <lapidary/base/error.h>
#include <lapidary/proof/judge_labelled.h>
#include <lapidary/inputs/preprocessing.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/internal/text_file.h>

#include "cli/command.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/models/model_argument.h"
#include "cli/models/model_at_level.h"
#include "cli/options/input_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/options/target_option.h"
#include "cli/options/shard_option.h"
#include "cli/options/value_checks.h"
#include "cli/quantize/accuracy_figures.h"
#include "cli/quantize/quantize_text.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"
#include "worker/protocol/accuracy_json.h"

namespace lapidary::cli {
namespace {

constexpr std::uint64_t most_count_bytes = 64 << 20;
constexpr int most_top = 1'000'000;

constexpr const char* accuracy_notes = R"(
Samples come from a folder (pictures, .npz, .npy, .pb; one sample each) or from an .npz whose arrays hold one sample
behind the other; labels from a CSV of "file name,class" or of one class per line, from a .npy, or from an array of an
.npz (data.npz:labels). Detectors: --metric map with a CSV of "file name,class,left,top,right,bottom", one line a box,
in the coordinates of the model's boxes, a file name alone for a picture without boxes, gives the mean average
precision as COCO has it. The model's boxes are an output [boxes, 4] of left, top, right, bottom beside outputs of
scores and classes, or [boxes, 6] with both behind, of one picture a sample. Speech: --speech with a .tsv of file
names and texts gives word and character error rates. Labels of floats are vectors that outputs are compared with by
their cosine. Bytes and pictures for an input of floats become what model and labels show that it was trained on, or a
warning names what it may be; --mean and --std choose it. Intervals hold the true share with 95 % confidence. With
--against another model the two are compared on the same samples, which needs no labels. Millions of samples: --shard
0/4 --counts part0.json and so on, then accuracy --merge part*.json.)";

struct AccuracyCommandOptions {
    std::vector<std::string> paths;  // the model, or files of counts for `merge`
    std::filesystem::path data, labels, against, counts;
    std::map<std::string, std::string> arrays;
    ImageOptions pixels;
    TextOptions text;
    std::filesystem::path speech;  // tokens of the classes
    AccuracyOptions accuracy;
    bool merge = false;
    bool detects = false;  // labels are boxes
};

Json comparison_json(const QuantizedAccuracy& compared) {
    Json outputs = Json::array();
    for (const OutputAccuracy& output : compared.outputs)
        outputs.push_back({{"name", output.name},
                           {"sqnr_db", json_number(output.sqnr_db)},
                           {"cosine", json_number(output.cosine)},
                           {"max_abs", json_number(output.max_abs)},
                           {"rows", output.rows},
                           {"flips", output.flips}});
    return {{"samples", compared.samples},
            {"sqnr_db", json_number(compared.sqnr_db())},
            {"outputs", outputs},
            {"warnings", compared.warnings}};
}

void print_comparison(std::ostream& out, const QuantizedAccuracy& compared) {
    TextTable table({"output", "SQNR dB", "cosine", "max abs", "flips"}, {0});
    for (const OutputAccuracy& output : compared.outputs)
        table.add({plain(output.name),
                   std::isfinite(output.sqnr_db) ? fmt::format("{:.1f}", output.sqnr_db)
                   : output.sqnr_db > 0          ? "equal"
                                                 : "none",
                   fmt::format("{:.6f}", output.cosine), fmt::format("{:.3g}", output.max_abs),
                   output.rows > 0 ? fmt::format("{} of {}", output.flips, output.rows) : "-"});
    table.print(out);
    for (const std::string& warning : compared.warnings) out << "note  " << plain(warning) << '\n';
}

class AccuracyCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "How right a model is on labelled data: top-1, top-k, F1, mAP, cosine, with "
                    "intervals",
                .notes = accuracy_notes,
                .examples =
                    {"lapidary-cli accuracy net.onnx --data images --labels labels.csv --std 255",
                     "lapidary-cli accuracy net.onnx --data digits.npz --array x=test_x --labels "
                     "digits.npz:test_y --mean 127.5 --std 127.5",
                     "lapidary-cli accuracy detector.onnx --data images --labels boxes.csv "
                     "--metric map",
                     "lapidary-cli accuracy net.int8.onnx --data images --against net.onnx"},
                .program_example =
                    "lapidary-cli accuracy model.onnx --data images --labels labels.csv"};
    }

    void declare(OptionList& options) override {
        options
            .value("model", "MODEL...", options_.paths,
                   "ONNX file or sample:NAME; with --merge files of --counts")
            .required()
            .one_or_more()
            .suggest_files({"onnx", "json"});
        options.value("--data", "PATH", options_.data, "Samples: a folder, or an .npz of arrays")
            .suggest({.files = true, .folders = true, .extensions = {"npz"}});
        options
            .value("--labels", "PATH", options_.labels,
                   "Labels: .csv, .npy, or FILE.npz:ARRAY; with --speech .tsv or .txt")
            .suggest_files({"csv", "npy", "npz", "tsv", "txt"});
        options
            .take_all(
                "--array", "INPUT=ARRAY",
                [this](const std::vector<std::string>& texts) {
                    for (const std::string& text : texts)
                        options_.arrays.insert(split_assignment("--array", text, false));
                },
                "Which array of the .npz an input takes; may be repeated")
            .repeatable();
        add_pixel_options(options, options_.pixels);
        add_array_layout(options, options_.pixels);
        add_text_options(options, options_.text);
        options
            .value("--speech", "V.txt", options_.speech,
                   "Labels are text, outputs scores of letters or pieces per frame (CTC): the "
                   "tokens, one per line")
            .suggest_files({"txt"});
        options
            .take(
                "--metric", "auto|map",
                [this](const std::string& name) { options_.detects = name == "map"; },
                "map: labels are boxes, and mean average precision is what is measured; auto: by "
                "the labels")
            .one_of({"auto", "map"});
        options.value("--boxes", "NAME", options_.accuracy.boxes,
                      "Output of boxes; found by its shape unless given");
        options.value("--scores", "NAME", options_.accuracy.scores,
                      "Output of scores; found by its name unless given");
        options.value("--classes", "NAME", options_.accuracy.classes,
                      "Output of classes; found by its name unless given");
        options
            .value("--top", "K", options_.accuracy.k,
                   "Count labels among the K largest, 5 unless given")
            .between(1, most_top);
        options.value("--output", "NAME", options_.accuracy.output,
                      "Output that labels belong to; the first of floats unless given");
        options
            .value("--against", "MODEL", options_.against,
                   "Compare with this model too: SQNR, cosine, changed answers")
            .suggest_files({"onnx"});
        options.take(
            "--shard", "I/N",
            [this](const std::string& text) {
                std::tie(options_.accuracy.shard, options_.accuracy.shards) = shard_of(text);
            },
            "Run every Nth sample alone, from the Ith on");
        options.value("--counts", "F.json", options_.counts, "Write the counts, for --merge")
            .suggest_files({"json"});
        options.flag("--merge", options_.merge,
                     "Add the counts of files up in place of running a model");
        add_threads(options, options_.accuracy.threads);
        add_target(options);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.merge) return merged(terminal);
        if (options_.paths.size() != 1)
            throw UsageError("accuracy: expected one model, found " +
                             std::to_string(options_.paths.size()));
        if (options_.data.empty()) throw UsageError("accuracy: --data is needed");
        if (options_.labels.empty() && options_.against.empty())
            throw UsageError(
                "accuracy: --labels are needed, or a model to compare with (--against)");
        const Progress progress = terminal.progress();
        const auto model =
            std::make_shared<const Model>(load_model_argument(options_.paths[0], 0, progress));
        std::optional<Labels> known;
        if (!options_.labels.empty()) known = labels();
        const PreparedSamples prepared =
            prepare_samples(model, samples_of(*model, terminal.cancel), options_.pixels,
                            known ? &*known : nullptr, options_.accuracy.threads, progress);
        const SampleSourcePtr samples = prepared.samples;
        judgement_ = prepared.judgement;
        std::optional<AccuracyCounts> counts;
        std::optional<QuantizedAccuracy> compared;
        if (known) counts = measure_accuracy(model, *samples, *known, options_.accuracy, progress);
        if (!options_.against.empty()) {
            const auto other = std::make_shared<const Model>(
                load_model_argument(options_.against.string(), 0, progress));
            const SampleSourcePtr mine =
                options_.accuracy.shards > 1
                    ? every_nth(samples, options_.accuracy.shards, options_.accuracy.shard)
                    : samples;
            compared = evaluate_quantized(other, model, *mine, options_.accuracy.threads, progress);
        }
        if (counts && !options_.counts.empty()) save_counts(*counts);
        report(terminal, counts, compared);
        return exit_fine;
    }

private:
    Labels labels() {
        if (options_.detects) return load_boxes(options_.labels);
        if (options_.speech.empty()) return load_labels(options_.labels);
        options_.accuracy.tokens = load_lines(options_.speech, most_count_bytes);
        return load_texts(options_.labels);
    }

    SampleSourcePtr samples_of(const Model& model, const CancelToken& cancel) const {
        const bool is_archive =
            options_.data.extension() == ".npz" && !std::filesystem::is_directory(options_.data);
        if (!options_.text.vocabulary.empty())
            return text_samples(model, options_.data, options_.text);
        if (is_archive)
            return array_samples(model, options_.data, options_.arrays, options_.pixels, cancel);
        if (!options_.arrays.empty())
            throw UsageError("--array: belongs to an .npz of arrays, --data is none");
        return folder_samples(model, options_.data, options_.pixels, cancel);
    }

    /// With what is said of the preprocessing, which merging cannot know.
    void save_counts(AccuracyCounts counts) const {
        if (const std::string sentence = judgement_.sentence(true); !sentence.empty())
            counts.warnings.insert(counts.warnings.begin(), sentence);
        save_text(options_.counts, app::accuracy_text(counts));
    }

    int merged(Terminal& terminal) {
        std::optional<AccuracyCounts> sum;
        for (const std::string& path : options_.paths) try {
                const AccuracyCounts part = app::parse_accuracy(load_text(path, most_count_bytes));
                if (sum) sum->add(part);
                else sum = part;
            } catch (Error& error) { throw error.at(path); }
        if (!options_.counts.empty()) save_text(options_.counts, app::accuracy_text(*sum));
        report(terminal, sum, std::nullopt);
        return exit_fine;
    }

    /// Warnings about samples and answers; for merged counts only about answers.
    std::vector<std::string> data_warnings(const std::optional<AccuracyCounts>& counts) const {
        std::vector<std::string> warnings;
        if (const std::string sentence = judgement_.sentence(true); !sentence.empty())
            warnings.push_back(sentence);
        if (counts)
            if (const auto fault = float_model_fault(*counts)) warnings.push_back(*fault);
        return warnings;
    }

    void report(Terminal& terminal, const std::optional<AccuracyCounts>& counts,
                const std::optional<QuantizedAccuracy>& compared) const {
        if (terminal.json) {
            Json json = counts ? accuracy_json(*counts) : Json::object();
            if (!options_.merge) {
                json["level"] = name_of(default_run_level);
                json["threads"] = threads_of(options_.accuracy.threads);
            }
            if (compared) json["against"] = comparison_json(*compared);
            std::vector<std::string> warnings = data_warnings(counts);
            if (counts)
                warnings.insert(warnings.end(), counts->warnings.begin(), counts->warnings.end());
            if (counts || !warnings.empty()) json["warnings"] = warnings;
            if (!judgement_.candidates.empty())
                json["preprocessing"] = preprocessing_json(judgement_);
            return write_json(terminal.out, json);
        }
        const std::string sure = judgement_.is_warning ? std::string() : judgement_.sentence(true);
        for (const std::string& warning : data_warnings(counts))
            terminal.out << (warning == sure ? "note  " : "warning  ")
                         << plain(warning, most_warning_characters) << '\n';
        if (!options_.merge)
            print_conditions(terminal.out,
                             {default_run_level, threads_of(options_.accuracy.threads), 1, {}});
        if (counts) print_accuracy(terminal.out, *counts);
        if (compared) print_comparison(terminal.out, *compared);
    }

    AccuracyCommandOptions options_;
    PreprocessingJudgement judgement_;
};

}  // namespace

std::unique_ptr<Command> accuracy_command() { return std::make_unique<AccuracyCommand>(); }

}  // namespace lapidary::cli
