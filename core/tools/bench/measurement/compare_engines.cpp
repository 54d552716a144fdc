// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <lapidary/bench/bench.h>
#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>

namespace lapidary {

OutputDifference compare_engines(const NamedValues& ours, const NamedValues& theirs,
                                 const BenchOptions& options,
                                 const std::map<std::string, double>& further) {
    OutputDifference result;
    for (const auto& [name, value] : theirs) {
        const RuntimeValue* own = find(ours, name);
        // not handed out by the other engine
        if (!own || !own->is_tensor() || !value.is_tensor()) continue;
        Tolerance tolerance = same_result_within(options.rtol, options.atol);
        if (const auto more = further.find(name); more != further.end())
            tolerance.further = more->second;
        const Comparison found = compare(*own, value, tolerance);
        result.matches = result.matches && found.matches;
        result.largest[name] = found.max_abs;
        if (std::isfinite(found.max_abs))
            result.relative = std::max(result.relative, found.relative());
        if (!found.matches && result.reason.empty())
            result.reason = "output " + quote(name) + ": " + found.reason;
    }
    return result;
}

}  // namespace lapidary
