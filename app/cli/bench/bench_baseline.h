// SPDX-License-Identifier: Apache-2.0
// A saved result of bench that a new one is compared with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <map>
#include <optional>

#include <lapidary/bench/bench.h>

namespace lapidary::cli {

class Baseline {
public:
    /// Reads what bench --json wrote. Throws invalid_input for another format; io_failure; and,
    /// unless `any_machine`, UsageError for another machine, naming the difference.
    Baseline(const std::filesystem::path& file, bool any_machine);

    using Sizes = std::map<std::string, std::int64_t>;
    /// The saved measurement of that model, configuration and sizes of the inputs' dimensions;
    /// null: there is none. `loaded`: for results that were saved without sizes.
    const Measurement* find(const std::string& model, const RunConfiguration& configuration,
                            const Sizes& sizes, const Model& loaded) const;
    /// "level all, 1 thread, batch 1" of the first measurement of that model; empty: there is none.
    std::string conditions_of(const std::string& model, const Model& loaded) const;

private:
    struct Entry {
        std::string model;
        Measurement measurement;
        std::optional<Sizes> sizes;  // empty: the result was saved without sizes
    };
    Sizes sizes_of(const Entry& entry, const Model& loaded) const;

    Sizes asked_;  // sizes that the user had given when the result was saved
    std::vector<Entry> entries_;
};

}  // namespace lapidary::cli
