// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/compare.h>
#include <lapidary/model_io.h>
#include <lapidary/odd_inputs.h>
#include <lapidary/repeated_run.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/comparison_text.h"
#include "cli/json_output.h"
#include "cli/value_archive.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

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

}  // namespace

int run_check(const CheckOptions& options, Terminal& terminal) {
    const Progress progress = terminal.progress();
    const LoadedModel loaded = load_at_level(options.model, options.level, progress);
    terminal.note(loaded.layout_note);
    const ModelPtr& model = loaded.model;
    TestCase test;
    if (options.case_folder.empty()) {
        test.inputs = load_input_archive(*model, options.inputs);
        test.expected = load_npz(options.expected);
    } else {
        test = load_test_case(*model, options.case_folder);
    }
    SessionOptions session_options;
    session_options.intra_threads = options.intra_threads;
    Session session = Session::compile(model, session_options, progress);
    std::vector<NamedValues> others{changed_inputs(test.inputs)};
    for (OddInputs& odd : odd_inputs(*model, test.inputs)) others.push_back(std::move(odd.inputs));
    const RepeatedRun run = run_repeatedly(session, test.inputs, others, terminal.cancel);
    const Tolerance tolerance{options.rtol, options.atol, true};
    CheckResult result = compare_all(run.first, test.expected, tolerance);
    // Where only a later run is wrong, its figures tell.
    if (CheckResult later = compare_all(run.last, test.expected, tolerance); result.passes() && !later.passes())
        result = std::move(later);
    if (terminal.json) {
        Json json = check_json(options, result);
        if (loaded.report) json["level"] = name_of(loaded.report->level);
        write_json(terminal.out, json);
    }
    else {
        if (loaded.report) terminal.out << "level  " << level_text(*loaded.report) << '\n';
        print_check(terminal.out, options, result);
    }
    return result.passes() ? exit_fine : exit_check_failed;
}

}  // namespace lapidary::cli
