// SPDX-License-Identifier: Apache-2.0
// The engine's decisions about a model, as text for fixtures: types or the error, fused nodes, the
// kernel of each step and why faster kernels declined, and which values share memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/tensor/runtime_value.h>

#include "support/operator_call.h"

namespace lapidary::test {

/// The decisions in one line. Compiles for one thread and AVX2, runs twice on the inputs (generated
/// where none are given) and once on the reference kernels: where outputs differ, the line says
/// "WRONG" and how. `compares` off: the operator's results are random.
std::string decision_of(const Model& model, const NamedValues* inputs = nullptr,
                        bool compares = true);

/// A tested call, and the two keys of its recorded answer in a fixture.
struct EngineQuestion {
    std::string about;      // first key: the original call
    std::string variation;  // second key: how it was changed
    OperatorCall call;
    bool static_shapes = true;
    // tests behaviour of a fast kernel at run time; skipped if the operator has none
    bool asks_fast_kernel = false;
};
/// The calls of one operator and variations of them: omitted inputs, other ranks and types, inputs
/// changed between constant and computed, inputs of unknown shape with unusual shapes or values out
/// of range, and integer attributes of 0, 1, 2 and -1.
std::vector<EngineQuestion> questions_of(const std::vector<OperatorCall>& calls);
std::string answer_to(const EngineQuestion& question);

/// Every call of operator_calls() by the operator's qualified name; made once.
const std::map<std::string, std::vector<OperatorCall>>& calls_by_operator();

/// Answers by call and change, of tests/fixtures/decisions/`file`. The file has a line for each
/// call, followed by indented lines "change: answer".
using Answers = std::map<std::string, std::map<std::string, std::string>>;
Answers recorded_answers(const std::string& file);
void record_answers(const std::string& file, const Answers& answers);
/// True if LAPIDARY_WRITE_DECISIONS is set: answers are written, not compared.
bool is_recording();

/// Compares all answers in the fixture of the operator; when recording, asks all questions and
/// writes the fixture. Returns the number of compared answers.
std::size_t check_operator_decisions(const std::string& op);
/// The same for the graphs of tests/fixtures/passes, before and after the passes: cases `first`,
/// first + step ...
std::size_t check_graph_decisions(std::size_t first, std::size_t step);
/// The same for the graphs of tests/fixtures/engine and their variations: with one value as another
/// output, one constant computed or of another shape or type, one operand omitted, one attribute or
/// operator changed.
std::size_t check_varied_graph_decisions(std::size_t first, std::size_t step);

}  // namespace lapidary::test
