// SPDX-License-Identifier: Apache-2.0
// Caches that stay on a device between the runs that a command measures (--resident).
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <lapidary/inputs/cache_pairs.h>
#include <lapidary/exec/session.h>

#include "cli/run/growing_caches.h"
#include "cli/output/json_output.h"
#include "cli/options/option_list.h"

namespace lapidary::cli {

/// `wanted`: "auto", or pairs OUT=IN; empty: nothing stays.
void add_resident(OptionList& options, std::vector<std::string>& wanted);

struct ResidentCaches {
    std::vector<CachePair> pairs;
    std::vector<NotResident> not_resident;  // of the newest run
    CopiedBytes copied;                     // likewise
    GrowingCaches growing;                  // measured beside those runs

    /// Throws invalid_input for text that is no pair, for names that the model does not have, and
    /// where "auto" finds none.
    static ResidentCaches of(const Model& model, const std::vector<std::string>& wanted);
    bool is_wanted() const { return !pairs.empty(); }
    /// What runs are given beside `options`, to which caches and names of outputs go: all other
    /// inputs. Every run then begins with the caches that were given.
    NamedValues keep(Session& session, const NamedValues& inputs, RunOptions& options) const;
    /// Keeps the result's values on devices, and copies the outputs that stayed there to the host,
    /// to be written or compared.
    void take(RunResult& result);

    Json json() const;
    void print(std::ostream& out) const;
};

}  // namespace lapidary::cli
