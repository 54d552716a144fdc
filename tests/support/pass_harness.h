// SPDX-License-Identifier: Apache-2.0
// Fixtures of passes: a graph before, the passes, the graph expected after, the remarks. Both
// graphs are run and compared.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>

namespace lapidary::test {

/// One case of tests/fixtures/passes/<family>/<file>.graph. A file holds cases of this form:
///
///   # case: bias on the left
///   # passes: fuse_bias_gelu    only these passes run; or "# level: extended": all passes of the
///                               level. Nodes made by passes of level session are run too.
///   # enable: approximate_gelu  passes that are off by default (optional)
///   # opset: 17                 of the main graph (optional, default 17)
///   # provider: cuda            (optional, default cpu)
///   # block: 8                  channels of a block in NCHWc layout (optional, default: the CPU's)
///   # tolerance: 1e-3           rtol and atol of the comparison (optional, default 1e-4)
///   # dimension: seq = 5        size of a symbolic dimension when running (optional)
///   # not run                   the graph cannot run (optional; say why in a comment)
///   (x: f32[2,3]) -> (y)        the graph before
///   ...
///   # after                     the expected graph follows; or "# unchanged"
///   (x: f32[2,3]) -> (y)
///   ...
///   # applied: fuse_bias_gelu   one for each rewrite, in order (optional); "pass: remark"
///                               compares the remark too
///   # missed: fuse_bias_gelu: the bias has rank 2, needs 1
///                               every near miss, exactly (optional unless unchanged)
///   # missed at most: 0         most near misses (optional)
///
/// Graphs are compared by structure from the outputs up: operators, attributes, element types and
/// shapes of constants, contents of integer, bool and one-element constants. Contents of other
/// float constants are left to the run. The run is compared with that of the graph before; where
/// drop_rounding_casts applied, with that of the graph before held in float32.
struct PassCase {
    std::string name, before, after;
    std::vector<std::string> passes, enable, applied, missed;
    std::string level, provider = "cpu";
    std::int64_t opset = 17;
    int block = 0;
    double tolerance = 1e-4;
    std::map<std::string, std::int64_t> dimensions;
    bool unchanged = false, runs = true;
    int missed_at_most = -1;
    std::filesystem::path file;
    int line = 0;
};

/// Where a case stands. A process that runs one test of two thousand reads one case.
struct PassCasePlace {
    std::string name, file;  // of the case; the path
    int line = 0;
};

void PrintTo(const PassCase& c, std::ostream* out);
void PrintTo(const PassCasePlace& place, std::ostream* out);
/// All cases below the folder, in the order of their files.
std::vector<PassCase> read_pass_cases(const std::filesystem::path& folder);
/// The same ones unread.
std::vector<PassCasePlace> find_pass_cases(const std::filesystem::path& folder);
PassCase read_pass_case(const PassCasePlace& place);
/// Options with the passes, level, provider and so on of the case, and verify() after every pass.
OptimizeOptions options_of(const PassCase& c);
/// Checks everything that the case states, and also verify() after every pass, that optimizing
/// again changes nothing, and equal outputs with 1 and 2 threads. Returns what failed; empty:
/// nothing.
std::string check_pass_case(const PassCase& c);

/// A model of one graph in text form, types inferred; com.microsoft and the like imported.
Model model_of(std::string_view text, std::int64_t opset = 17);
/// Nodes from the outputs up with canonical names: equal text means the same computation structure.
std::string structure_of(const Graph& graph);
/// Runs both on the same generated inputs; returns how they differ, or empty.
std::string compare_runs(const Model& before, const Model& after, const Tolerance& tolerance,
                         int threads = 1,
                         const std::map<std::string, std::int64_t>& dimensions = {},
                         std::uint64_t seed = 1,
                         SessionPasses::Set passes = SessionPasses::Set::all);

}  // namespace lapidary::test
