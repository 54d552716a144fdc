// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions under which runs are made now, and which of the recorded figures were measured
// under the same conditions.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/tensor/runtime_value.h>

#include "workbench/text/recipe.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

struct RunFigures;

/// Sizes of the symbolic dimensions of a model's inputs, by name, defaults included.
using InputSizes = std::map<std::string, std::int64_t>;

struct RunConditions {
    InputSizes sizes;
    int threads = 1;  // intra-op threads
    QString cpu;      // of this computer; of a target its Machine::text()
    friend bool operator==(const RunConditions&, const RunConditions&) = default;
};

/// The conditions of runs of the model, or of a variant of it, from now on. Sizes that contradict
/// each other are left out.
RunConditions conditionsOf(const Model& opened, const RunSettings& settings);
/// The sizes that a run's inputs give the symbolic dimensions of the opened model.
InputSizes sizesOf(const Model& opened, const NamedValues& inputs);
/// Free dimensions of the model's inputs that are batches, and those that are lengths of texts,
/// recognized by the names that exporters use.
std::vector<std::string> batchNames(const Model& opened);
std::vector<std::string> sequenceNames(const Model& opened);
/// The settings with the user's usual sizes for those that have none.
RunSettings withUsualSizes(const Model& opened, RunSettings settings);
/// "batch 1 · sequence 8"; empty where nothing is symbolic. At most `most` sizes, then "…".
QString textOf(const InputSizes& sizes, std::size_t most = 4);

/// "level all · threads: 2 · batch 1 · sequence 128": the conditions of figures of runs where the
/// recipe is in force. A recipe that is more than a level is given by its name.
QString conditionsText(const Recipe& recipe, int threads, const InputSizes& sizes);

/// "sequence 8, generated inputs", "your inputs (cat.png)": the inputs of runs, for headlines.
QString inputsText(const InputSizes& sizes, const GivenInputs& given);

/// The newest figures of the variant that runs where the recipe is in force, under these
/// conditions. Measured ones come before profiled ones, unless a profiled run was made later and
/// was quicker. Null: there are none.
const RunFigures* newestUnder(const std::vector<RunFigures>& runs, const Recipe& recipe,
                              const RunConditions& conditions);

}  // namespace lapidary::app
