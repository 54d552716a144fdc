// SPDX-License-Identifier: Apache-2.0
// Values inside of a model: statistics of any number of them, computed while the model runs. A
// value is looked at when its node has run and is not kept, so that the run takes no more memory
// than one without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/exec/session_options.h>
#include <lapidary/graph/model.h>
#include <lapidary/graph/node_source.h>
#include <lapidary/inspect/tensor_slice.h>
#include <lapidary/report/tensor_statistics.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// Which values: those that any of the lists names.
struct ValueChoice {
    /// Names, or patterns: * stands for any text, ? for any character. A value of a body is named
    /// with or without the path of its body ("loop/body/h"). Functions are expanded: "h" is what
    /// each call of one calls "call/h". A name that nothing has is the end of others behind a
    /// slash.
    std::vector<std::string> values;
    std::vector<std::string> nodes;         // by name: what they write
    std::vector<std::string> scopes;        // what nodes write whose names begin with the scope
    std::optional<std::int64_t> iteration;  // of the innermost body; nothing: all of them
};

/// What part a value has in its graph.
enum class ValueRole : std::uint8_t { input, constant, inner, output };
/// "input", "constant", "inner", "output"
std::string_view name_of(ValueRole role);

/// A value of a run. Items of sequences and maps are values of their own: "s[0]", "m.values".
struct InspectedValue {
    std::string name;                         // of the value, in its graph
    std::string path;                         // of the body, as in ObservedGraph; empty: main
    std::vector<std::int64_t> iterations;     // as in ObservedGraph
    std::int64_t run = 0;                     // from 0; of constants 0
    ValueRole role = ValueRole::inner;        // in its graph
    std::string node, op;                     // that wrote it; empty: none did
    NodeSource source;                        // of that node
    std::string type;                         // "tensor f32[1,10]", "empty"
    DType dtype = DType::undefined;           // of a tensor
    Shape shape;                              // of a tensor
    std::optional<TensorStatistics> numbers;  // of a tensor of real numbers with elements
    RuntimeValue kept;  // a tensor, or the part of it that InspectOptions::slice names; empty: not

    /// "loop/body/h[3]": unique in its run.
    std::string full_name() const;
};

/// How a model is run and looked at.
struct InspectOptions {
    ValueChoice choice;  // of values
    /// Values inside of fused nodes exist only with SessionPasses::Set::none.
    SessionOptions session;
    int bins = 64;                     // of each histogram
    bool keeps = false;                // fills InspectedValue::kept
    std::optional<TensorSlice> slice;  // of what is kept; nothing: all of it
    /// In place of `keeps` and `slice`, where it is set: which part of a value is kept, now that
    /// its type and shape are known; nothing: none.
    std::function<std::optional<TensorSlice>(const InspectedValue& value)> part_of;
    /// Further values are counted, but not looked at: long loops have many.
    std::size_t most_values = 100'000;
};

/// The values of a run, in the order in which they came to be; constants first.
struct Inspection {
    std::vector<InspectedValue> values;  // each as it was in the run
    std::size_t left_out = 0;            // beyond InspectOptions::most_values
    int threads = 0;                     // that the run computed with
};

/// Runs the model once on the inputs, unless constants alone are chosen. Throws what compiling and
/// running it throws, and invalid_input with the nearest names for a name, a pattern or a scope
/// that nothing has.
Inspection inspect_values(const ModelPtr& model, const NamedValues& inputs,
                          const InspectOptions& options, const Progress& progress = {});

/// The same for several runs of one session, numbered from 0, each with the inputs that
/// `inputs_of` gives. Constants come once. InspectOptions::most_values holds for all runs together.
Inspection inspect_runs(const ModelPtr& model, int runs,
                        const std::function<NamedValues(int run)>& inputs_of,
                        const InspectOptions& options, const Progress& progress = {});

/// Runs a model in another engine and returns its outputs.
using EngineRun = std::function<NamedValues(const Model& model, const NamedValues& inputs)>;

/// The same in another engine, which has to be given a model with the values among its outputs. It
/// runs as often as is needed to have outputs of at most `slice_bytes` at a time. Values of bodies
/// are not reached. Throws as inspect_values().
Inspection inspect_values_in(const EngineRun& engine, const ModelPtr& model,
                             const NamedValues& inputs, const InspectOptions& options,
                             std::uint64_t slice_bytes, const Progress& progress = {});

/// Where a body is in the graph, as InspectedValue::path says it; nothing: not in this graph.
std::optional<std::string> path_of_body(const Graph& main, const Graph& body);

/// True where the text is what the pattern says: * stands for any text, ? for any character.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace lapidary
