// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lapidary/base/error.h>

#include "kernels/dispatch.h"
#include "support/engine_decision.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

constexpr std::size_t most_varied_calls = 3;

bool is_random(const OpSchema& schema) {
    for (const char* part : {"Random", "Multinomial", "Bernoulli", "Dropout", "Sampling"})
        if (schema.name.find(part) != std::string::npos) return true;
    return false;
}

Tensor filled(DType dtype, const Shape& shape, std::int64_t number) {
    Tensor t(dtype, shape);
    dispatch<IntegerTypes>(dtype, [&]<typename T>() {
        std::ranges::fill(t.mutable_data<T>(), static_cast<T>(number));
    });
    return t;
}

/// Questions about one call and its varied forms.
class CallVariations {
public:
    CallVariations(const OperatorCall& call, std::string about, std::vector<EngineQuestion>& out,
                   std::string prefix = {}, bool knows_shapes = true)
        : call_(call), about_(std::move(about)), prefix_(std::move(prefix)), out_(out),
          knows_shapes_(knows_shapes) {}

    void ask_as_it_is() {
        ask(call_, "as it is", true);
        ask(call_, "shapes unknown", false);
    }
    /// What kernels that pack their weights meet.
    void ask_with_constants() {
        OperatorCall call = call_;
        for (std::size_t i = 1; i < call.inputs.size(); ++i)
            if (call.inputs[i]) call.constants.insert(i);
        if (call.constants.size() == call_.constants.size()) return;
        CallVariations variations(call, about_, out_, "constants, ");
        variations.ask_as_it_is();
        variations.ask_varied();
    }
    /// What a kernel finds out only when it runs.
    void ask_with_unknown_shapes() {
        CallVariations variations(call_, about_, out_, prefix_ + "shapes unknown, ", false);
        for (std::size_t i = 0; i < call_.inputs.size(); ++i) {
            if (!call_.inputs[i]) continue;
            variations.vary_shape(i);
            const DType dtype = call_.inputs[i]->dtype();
            if (is_integer(dtype) && bit_width(dtype) >= 8) variations.vary_numbers(i);
        }
    }
    void ask_varied() {
        ask_with_unknown_shapes();
        for (std::size_t i = 0; i < call_.inputs.size(); ++i) vary_input(i);
        for (const SchemaAttribute& a : call_.schema->attributes) {
            if (a.kind != "i") continue;
            for (const std::int64_t number : {0, 1, 2, -1, 2000}) {
                OperatorCall varied = call_;
                varied.set_attribute({a.name, number, {}, {}});
                ask(varied, fmt::format("{} = {}", a.name, number), true);
            }
        }
    }

private:
    void ask(const OperatorCall& call, std::string variation, bool static_shapes) {
        out_.push_back(
            {about_, prefix_ + variation, call, static_shapes && knows_shapes_, !knows_shapes_});
    }
    void vary_input(std::size_t i) {
        OperatorCall varied = call_;
        varied.inputs[i].reset();
        varied.constants.erase(i);
        ask(varied, fmt::format("input {} missing", i), true);
        if (!call_.inputs[i]) return;
        const Tensor& given = *call_.inputs[i];
        varied = call_;
        if (varied.constants.erase(i) == 0) varied.constants.insert(i);
        ask(varied,
            fmt::format("input {} {}", i, varied.constants.contains(i) ? "constant" : "computed"),
            true);
        vary_shape(i);
        for (const DType dtype :
             {DType::f32, DType::f16, DType::f64, DType::i64, DType::i32, DType::u8, DType::i8}) {
            if (dtype == given.dtype() || given.dtype() == DType::string) continue;
            varied = call_;
            varied.inputs[i] = ordinary_tensor(dtype, given.shape());
            ask(varied, fmt::format("input {} of {}", i, name_of(dtype)), true);
        }
    }

    void vary_shape(std::size_t i) {
        const Tensor& given = *call_.inputs[i];
        const std::size_t given_rank = given.shape().size();
        for (const std::size_t rank :
             std::vector<std::size_t>{0, 1, given_rank + 1, given_rank + 2}) {
            Shape shape(rank, 2);
            for (std::size_t k = 0; k < rank && k < given_rank; ++k)
                shape[rank - 1 - k] = given.shape()[given_rank - 1 - k];
            if (rank == given_rank) continue;
            OperatorCall varied = call_;
            varied.inputs[i] = ordinary_tensor(given.dtype(), shape);
            ask(varied, fmt::format("input {} of rank {}", i, rank), true);
        }
        for (std::size_t axis = 0; axis < given_rank; ++axis)
            for (const std::int64_t size : {std::int64_t{0}, given.shape()[axis] + 1}) {
                Shape shape = given.shape();
                shape[axis] = size;
                OperatorCall varied = call_;
                varied.inputs[i] = ordinary_tensor(given.dtype(), shape);
                ask(varied,
                    fmt::format("input {} with {} along {}", i, size == 0 ? "none" : "one more",
                                axis),
                    true);
            }
    }
    /// Lengths, positions and the like that are out of range.
    void vary_numbers(std::size_t i) {
        for (const std::int64_t number : {-2, -1, 0, 1, 3, 100}) {
            OperatorCall varied = call_;
            varied.inputs[i] = filled(call_.inputs[i]->dtype(), call_.inputs[i]->shape(), number);
            ask(varied, fmt::format("input {} all {}", i, number), true);
        }
    }

    const OperatorCall& call_;
    std::string about_, prefix_;
    std::vector<EngineQuestion>& out_;
    const bool knows_shapes_;
};

std::string without_digits(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
    return text;
}

/// Two answers that differ in sizes alone say the same, to the same thing done to another input,
/// constant or not.
std::pair<std::string, std::string> kind_of(const std::string& variation,
                                            const std::string& answer) {
    const std::string_view constants = "constants, ";
    const std::size_t begin = variation.starts_with(constants) ? constants.size() : 0;
    return {without_digits(variation.substr(begin, variation.find('=') - begin)),
            without_digits(answer.substr(0, answer.find("; memory")))};
}

bool is_by_fast_kernel(const std::string& answer) {
    return answer.find(" by ") != std::string::npos &&
           answer.find(" by reference.") == std::string::npos;
}

}  // namespace

std::vector<EngineQuestion> questions_of(const std::vector<OperatorCall>& calls) {
    std::vector<EngineQuestion> questions;
    std::map<std::string, int> keys;
    std::map<std::int64_t, std::size_t> varied;
    for (const OperatorCall& call : calls) {
        std::string about = call.describe();
        if (const int n = ++keys[about]; n > 1) about += fmt::format(" #{}", n);
        CallVariations variations(call, about, questions);
        variations.ask_as_it_is();
        if (++varied[call.schema->since_version] > most_varied_calls) continue;
        variations.ask_varied();
        variations.ask_with_constants();
    }
    return questions;
}

std::string answer_to(const EngineQuestion& question) {
    const NamedValues inputs = inputs_of_call(question.call);
    return decision_of(model_of_call(question.call, question.static_shapes), &inputs,
                       !is_random(*question.call.schema));
}

const std::map<std::string, std::vector<OperatorCall>>& calls_by_operator() {
    static const auto calls = [] {
        std::map<std::string, std::vector<OperatorCall>> found;
        for (OperatorCall& call : operator_calls())
            found[(call.schema->domain.empty() ? "" : call.schema->domain + ".") +
                  call.schema->name]
                .push_back(std::move(call));
        return found;
    }();
    return calls;
}

bool is_recording() { return std::getenv("LAPIDARY_WRITE_DECISIONS") != nullptr; }

Answers recorded_answers(const std::string& file) {
    std::ifstream in(fixtures_folder() / "decisions" / file);
    Answers answers;
    std::string about;
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(": ");
        if (!line.starts_with("  ")) about = line;
        else if (colon != std::string::npos)
            answers[about][line.substr(2, colon - 2)] = line.substr(colon + 2);
    }
    return answers;
}

void record_answers(const std::string& file, const Answers& answers) {
    std::ofstream out(fixtures_folder() / "decisions" / file);
    for (const auto& [about, variations] : answers) {
        out << about << '\n';
        for (const auto& [variation, answer] : variations)
            out << "  " << variation << ": " << answer << '\n';
    }
}

std::size_t check_operator_decisions(const std::string& op) {
    std::size_t compared = 0;
    const std::string file = "operators/" + op + ".txt";
    const Answers recorded = recorded_answers(file);
    Answers answers;
    std::set<std::pair<std::string, std::string>> said;
    for (const EngineQuestion& question : questions_of(calls_by_operator().at(op))) {
        const auto known = recorded.find(question.about);
        const bool is_known = known != recorded.end() && known->second.contains(question.variation);
        if (!is_recording() && !is_known) continue;
        const std::string answer = answer_to(question),
                          where = question.about + ", " + question.variation;
        if (!is_known && question.asks_fast_kernel && !is_by_fast_kernel(answer)) continue;
        EXPECT_EQ(answer.find("WRONG"), std::string::npos) << where << "\n  " << answer;
        EXPECT_EQ(answer.find("INTERNAL"), std::string::npos) << where << "\n  " << answer;
        ++compared;
        if (!is_recording()) EXPECT_EQ(answer, known->second.at(question.variation)) << where;
        else if (said.insert(kind_of(question.variation, answer)).second || is_known)
            answers[question.about][question.variation] = answer;
    }
    if (is_recording()) record_answers(file, answers);
    return compared;
}

std::size_t check_graph_decisions(std::size_t first, std::size_t step) {
    std::size_t compared = 0;
    static const std::vector<PassCase> cases = read_pass_cases(fixtures_folder() / "passes");
    for (std::size_t i = first; i < cases.size(); i += step) {
        const PassCase& c = cases[i];
        if (!c.runs || c.provider != "cpu" || c.block != 0) continue;
        const std::string file = "graphs/" + c.file.stem().string() + ".txt";
        Answers recorded = recorded_answers(file);
        for (const auto& [side, text] :
             {std::pair("before", c.before), std::pair("after", c.after)}) {
            if (text.empty() || (!is_recording() && !recorded[c.name].contains(side))) continue;
            std::string answer;
            try {
                answer = decision_of(model_of(text, c.opset));
            } catch (const Error& e) { answer = "error: " + e.message(); }
            EXPECT_EQ(answer.find("WRONG"), std::string::npos)
                << c.name << ", " << side << "\n  " << answer;
            ++compared;
            if (is_recording()) recorded[c.name][side] = answer;
            else EXPECT_EQ(answer, recorded[c.name][side]) << c.name << ", " << side;
        }
        if (is_recording()) record_answers(file, recorded);
    }
    return compared;
}

}  // namespace lapidary::test
