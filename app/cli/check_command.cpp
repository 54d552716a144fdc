// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include <lapidary/compare.h>
#include <lapidary/model_io.h>
#include <lapidary/odd_inputs.h>
#include <lapidary/repeated_run.h>

#include "cli/command.h"
#include "cli/comparison_text.h"
#include "cli/json_output.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/provider_options.h"
#include "cli/options/session_options.h"
#include "cli/usage_error.h"
#include "cli/value_archive.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

struct CheckOptions {
    std::filesystem::path model;
    std::filesystem::path inputs, expected;  // two .npz archives, or
    std::filesystem::path case_folder;       // a test_data_set_N folder
    double rtol = 1e-3, atol = 1e-5;
    int intra_threads = 0;
    ProviderOptions providers;
    LevelOptions level;
};

struct Verdict {
    std::string name;   // output, or array of an output
    std::string type;
    Comparison comparison;
};

struct CheckResult {
    std::vector<Verdict> verdicts;
    std::vector<std::string> unchecked;  // outputs without reference
    bool passes() const {
        for (const Verdict& v : verdicts)
            if (!v.comparison.matches) return false;
        return true;
    }
};

/// References as arrays by name, as numpy stores them.
NamedValues flattened(const NamedValues& values) {
    NamedValues arrays;
    for (const auto& [name, value] : values)
        for (auto& array : flatten(name, value)) arrays.push_back(std::move(array));
    return arrays;
}

/// What a file with reference arrays can say about a value: NumPy lacks some element types.
RuntimeValue comparable(const RuntimeValue& actual, const RuntimeValue& expected) {
    if (!actual.is_tensor() || !expected.is_tensor() || actual.tensor().dtype() == expected.tensor().dtype())
        return actual;
    return widen_for_numpy(actual.tensor());
}

CheckResult compare_all(const NamedValues& outputs, const NamedValues& expected_values, const Tolerance& tolerance) {
    CheckResult result;
    std::set<std::string> used;
    const NamedValues expected = flattened(expected_values);
    for (const auto& [output, value] : outputs) {
        const NamedValues arrays = flatten(output, value);
        bool has_reference = false;
        for (const auto& [name, reference] : expected) {
            if (!belongs_to(name, output) || used.contains(name)) continue;
            // "a[0]" belongs to the output called "a[0]" before it is an item of "a"
            if (name != output && find(outputs, name)) continue;
            used.insert(name);
            has_reference = true;
            if (const RuntimeValue* actual = find(arrays, name)) {
                const RuntimeValue fair = comparable(*actual, reference);
                result.verdicts.push_back({name, actual->describe(), compare(fair, reference, tolerance)});
            } else {
                Comparison missing;
                missing.reason = "the model made " + value.describe() + ", the reference has " + reference.describe();
                result.verdicts.push_back({name, value.describe(), missing});
            }
        }
        if (!has_reference) {
            result.unchecked.push_back(output);
            continue;
        }
        for (const auto& [name, actual] : arrays) {
            if (find(expected, name)) continue;
            Comparison extra;
            extra.reason = "the model made " + actual.describe() + ", the reference has none";
            result.verdicts.push_back({name, actual.describe(), extra});
        }
    }
    for (const auto& [name, value] : expected)
        if (!used.contains(name)) {
            std::string list;
            for (const auto& output : outputs) list += (list.empty() ? "" : ", ") + quote(output.first);
            fail_input("reference " + quote(name) + " belongs to no output, the outputs are " + list);
        }
    if (result.verdicts.empty()) fail_input("the reference holds no output of the model");
    return result;
}

Json check_json(const CheckOptions& options, const CheckResult& result) {
    Json json = {{"file", options.model.string()},
                 {"passes", result.passes()},
                 {"rtol", options.rtol},
                 {"atol", options.atol},
                 {"outputs", Json::array()}};
    for (const Verdict& v : result.verdicts) {
        Json output = comparison_json(v.comparison);
        output["name"] = v.name;
        output["type"] = v.type;
        json["outputs"].push_back(std::move(output));
    }
    json["unchecked"] = result.unchecked;
    return json;
}

void print_check(std::ostream& out, const CheckOptions& options, const CheckResult& result) {
    std::vector<std::string> titles{"output", "type"};
    titles.insert(titles.end(), comparison_columns().begin(), comparison_columns().end());
    TextTable table(titles, {0, 1, titles.size() - 1});
    std::size_t failed = 0;
    for (const Verdict& v : result.verdicts) {
        failed += !v.comparison.matches;
        std::vector<std::string> row{plain(v.name), plain(v.type)};
        std::ranges::move(comparison_cells(v.comparison), std::back_inserter(row));
        table.add(std::move(row));
    }
    table.print(out, "");
    for (const Verdict& v : result.verdicts)
        if (!v.comparison.matches) out << plain(v.name) << ": " << plain(v.comparison.reason) << '\n';
    for (const std::string& name : result.unchecked)
        out << plain(name) << ": not checked, the reference holds nothing for it\n";
    out << fmt::format("{}: {} of {} outputs agree (rtol {:g}, atol {:g})\n", failed ? "FAILED" : "PASSED",
                       result.verdicts.size() - failed, result.verdicts.size(), options.rtol, options.atol);
}

constexpr const char* check_notes = R"(
Use it to validate an export: run the original model in its framework, store inputs and outputs
with numpy.savez("in.npz", **{"input name": array}) and numpy.savez("out.npz", ...), then
  lapidary-cli check model.onnx --inputs in.npz --expected out.npz --rtol 1e-3 --atol 1e-5
An element differs when |actual - expected| > atol + rtol * (|expected| + w * usual). `usual` is what the
output's elements weigh: four times the median of those that are not 0, at most the largest; w is 0.1 for
float32 and float64, 4 for float16, 16 for bfloat16 and float8. NaN equals NaN and an infinity itself.
8-bit integers that span 16 values or more may be one step apart, other integers as far as atol; strings
and booleans must be equal. compare, bench, bisect and the guard of optimize know the same rule. Per
output the largest difference, its share of the largest element, the signal to noise ratio and the cosine
are shown.
Item i of a sequence output S is the array "S[i]"; a map M is "M.keys" and "M.values". Outputs
without reference are listed and not checked. Exit code 1 when anything differs.)";

class CheckCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Validate a model against reference outputs, e.g. of the framework it was exported from",
            .notes = check_notes,
            .program_example = "lapidary-cli check model.onnx --inputs in.npz --expected out.npz"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        Option& inputs = add_input_archive(options, options_.inputs, "Inputs by name");
        Option& expected = options.value("--expected", "F.npz", options_.expected, "Reference outputs by name")
                               .suggest_files({"npz"});
        Option& folder = options
                             .value("--case", "DIR", options_.case_folder,
                                    "An ONNX test_data_set_N folder with input_K.pb and output_K.pb")
                             .suggest_folders();
        inputs.needs(expected).excludes(folder);
        expected.needs(inputs).excludes(folder);
        add_tolerance(options, options_.rtol, options_.atol);
        add_threads(options, options_.intra_threads);
        add_provider_options(options, options_.providers);
        add_level_options(options, options_.level);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.inputs.empty() && options_.case_folder.empty())
            throw UsageError("either --inputs with --expected, or --case, is required");
        const Progress progress = terminal.progress();
        const LoadedModel loaded = load_at_level(options_.model, options_.level, progress);
        terminal.note(loaded.layout_note);
        const ModelPtr& model = loaded.model;
        TestCase test;
        if (options_.case_folder.empty()) {
            test.inputs = load_input_archive(*model, options_.inputs);
            test.expected = load_npz(options_.expected);
        } else {
            test = load_test_case(*model, options_.case_folder);
        }
        SessionOptions session_options;
        session_options.session_passes = loaded.session_passes;
        session_options.intra_threads = options_.intra_threads;
        options_.providers.apply(session_options);
        Session session = Session::compile(model, session_options, progress);
        std::vector<NamedValues> others{changed_inputs(test.inputs)};
        for (OddInputs& odd : odd_inputs(*model, test.inputs)) others.push_back(std::move(odd.inputs));
        const RepeatedRun run = run_repeatedly(session, test.inputs, others, terminal.cancel);
        const Tolerance tolerance{options_.rtol, options_.atol, true};
        CheckResult result = compare_all(run.first, test.expected, tolerance);
        // Where only a later run is wrong, its figures tell.
        if (CheckResult later = compare_all(run.last, test.expected, tolerance); result.passes() && !later.passes())
            result = std::move(later);
        if (terminal.json) {
            Json json = check_json(options_, result);
            if (loaded.report) json["level"] = name_of(loaded.report->level);
            write_json(terminal.out, json);
        }
        else {
            if (loaded.report) terminal.out << "level  " << level_text(*loaded.report) << '\n';
            print_check(terminal.out, options_, result);
        }
        return result.passes() ? exit_fine : exit_check_failed;
    }

private:
    CheckOptions options_;
};

}  // namespace

std::unique_ptr<Command> check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace lapidary::cli
