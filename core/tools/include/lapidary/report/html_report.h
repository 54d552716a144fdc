// SPDX-License-Identifier: Apache-2.0
// One HTML file that shows a model, its variants, runs and comparisons, without any other file or
// server.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/advice/advice.h>
#include <lapidary/bench/bench.h>
#include <lapidary/proof/compare.h>
#include <lapidary/cost/cost_rollback.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/profile/profile.h>
#include <lapidary/inputs/run_conditions.h>
#include <lapidary/bench/sweep.h>

namespace lapidary {

/// One side of the report. What is absent is left out of the page.
struct ReportSide {
    std::string name;  // of the variant
    ModelPtr model;    // null: there is none
    /// The graph that the session ran, which the profile refers to. Null: `model`.
    ModelPtr executed;
    std::shared_ptr<const PipelineReport> passes;
    std::shared_ptr<const Profile> profile;
    /// of the plan of the profiled run; empty: not known
    std::vector<StepInfo> steps;
    std::optional<Measurement> measurement;
    std::optional<ProcessMemory> process;  // of the runs; absent: not known
    std::string command;                   // command line that repeats the measurement
};

/// Contents of the page. What is absent is left out.
struct ReportContent {
    std::string title, notes;                  // notes: plain text of the user
    ModelPtr original;                         // that the sides were made from; null: unknown
    std::vector<ReportSide> sides;             // one, or A and B
    std::optional<Difference> difference;      // of B against A
    std::vector<OutputComparison> outputs;     // of B against A, on the same inputs
    std::shared_ptr<const SweepResult> sweep;  // null: there was none
    std::vector<Advice> advice;                // of advise(), about the last side
    MachineInfo machine;                       // where everything was measured
    /// Threads and sizes of the inputs, the same for both sides. The level is in each side's
    /// passes.
    RunConditions conditions;
    std::string written_by;  // "Lapidary 0.1.0"
};

/// The page draws at most some thousand boxes, table rows and timeline bars of each side, and says
/// what it leaves out; save_report_tables() writes everything. Texts of models and users are
/// escaped.
void write_html_report(const ReportContent& content, std::ostream& out);
/// Atomic.
void save_html_report(const ReportContent& content, const std::filesystem::path& path);

/// The tables of the report as files in a folder that is made where needed: nodes.csv,
/// operators.csv, measurements.csv, differences.csv, operator_differences.csv, outputs.csv,
/// passes.csv (those that have rows), and report.json with everything. Each is atomic. Throws
/// io_failure.
void save_report_tables(const ReportContent& content, const std::filesystem::path& folder);

}  // namespace lapidary
