// SPDX-License-Identifier: Apache-2.0
// What the engine makes of a model, as text that a fixture can hold: types or the sentence of the
// refusal, what was fused, which kernel each step got and why better ones passed it over, how the
// memory plan lays values over each other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/tensor/runtime_value.h>

#include "support/operator_call.h"

namespace lapidary::test {

/// One line. Compiles for one thread and AVX2, runs twice on the inputs (generated where none are
/// given) and once on the reference kernels: where outputs differ, the line says "WRONG" and how.
/// `compares` off: the operator's results are random.
std::string decision_of(const Model& model, const NamedValues* inputs = nullptr,
                        bool compares = true);

/// A question to the engine, and the two keys under which a fixture holds its answer.
struct EngineQuestion {
    std::string about;  // the call as it was found
    std::string bend;   // what was done to it
    OperatorCall call;
    bool static_shapes = true;
    // how a fast kernel does at run time: of no interest where there is none
    bool asks_fast_kernel = false;
};
/// The calls of one operator and what becomes of them when inputs go missing, have another rank or
/// type, change between constant and computed, when inputs of unknown shape turn out to have
/// another one or numbers out of range, and when integer attributes are 0, 1, 2 or -1.
std::vector<EngineQuestion> questions_of(const std::vector<OperatorCall>& calls);
std::string answer_to(const EngineQuestion& question);

/// Every call of operator_calls() by the operator's qualified name; made once.
const std::map<std::string, std::vector<OperatorCall>>& calls_by_operator();

/// Answers by what was done to what, of tests/fixtures/decisions/`file`: a line for what they are
/// about, one indented for each "what was done: answer".
using Answers = std::map<std::string, std::map<std::string, std::string>>;
Answers recorded_answers(const std::string& file);
void record_answers(const std::string& file, const Answers& answers);
/// LAPIDARY_WRITE_DECISIONS is in the environment: answers are written, not compared.
bool is_recording();

/// Asks what the fixture of the operator holds answers to (when recording: everything, and writes
/// what is new about it). Returns how many answers were compared.
std::size_t check_operator_decisions(const std::string& op);
/// The same of the graphs of tests/fixtures/passes, before and after: cases `first`, first + step
/// ...
std::size_t check_graph_decisions(std::size_t first, std::size_t step);
/// The same of the graphs of tests/fixtures/engine and of their forms with one value handed out,
/// one constant computed, of another shape or type, one operand missing, one attribute or operator
/// changed.
std::size_t check_bent_graph_decisions(std::size_t first, std::size_t step);

}  // namespace lapidary::test
