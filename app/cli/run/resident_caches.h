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
    std::vector<NotResident> not_resident;  // of the last run
    CopiedBytes copied;                     // likewise
    GrowingCaches growing;                  // measured beside those runs

    /// Throws invalid_input for text that is not a pair, for names that the model does not have,
    /// and if "auto" finds none.
    static ResidentCaches of(const Model& model, const std::vector<std::string>& wanted);
    bool is_wanted() const { return !pairs.empty(); }
    /// Puts the caches and the names of outputs into `options` and returns the other inputs. Every
    /// run then starts with the given caches.
    NamedValues keep(Session& session, const NamedValues& inputs, RunOptions& options) const;
    /// Keeps the result's caches on devices, and copies outputs that stayed there to the host, so
    /// that they can be written or compared.
    void take(RunResult& result);

    Json json() const;
    void print(std::ostream& out) const;
};

}  // namespace lapidary::cli
