// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tuning/tune_export.h"

#include <algorithm>
#include <locale>
#include <sstream>

#include <lapidary/internal/shown_text.h>

namespace lapidary::app {
namespace {

const char* name_of(CellState state) {
    switch (state) {
    case CellState::waiting: return "waiting";
    case CellState::running: return "running";
    case CellState::done: return "done";
    case CellState::failed: return "failed";
    case CellState::skipped: break;
    }
    return "skipped";
}

}  // namespace

std::string sweepCsv(const SweepResult& result) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(9);
    out << "level,intra,inter,execution,spinning,batch,state,median_ms,low_ms,high_ms,mean_ms,p90_"
           "ms,p99_ms,cpu_ms,per_"
           "second,first_ms,"
           "samples,recommended,equal,remark\n";
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const SweepCell& cell = result.cells[i];
        const RunConfiguration& c = cell.configuration;
        out << lapidary::name_of(c.level) << ',' << c.resources.threads << ','
            << c.resources.inter_threads << ','
            << (c.resources.mode == ExecutionMode::sequential ? "sequential" : "parallel") << ','
            << (c.resources.spinning ? "on" : "off") << ',' << c.batch << ',' << name_of(cell.state)
            << ',';
        if (cell.state == CellState::done) {
            const Measurement& m = cell.measurement;
            out << m.wall.median.median << ',' << m.wall.median.low << ',' << m.wall.median.high
                << ',' << m.wall.mean << ',' << m.wall.p90 << ',' << m.wall.p99 << ','
                << m.cpu_ms.median << ',' << m.per_second << ',' << m.first_ms << ','
                << m.wall.median.samples;
        } else {
            out << ",,,,,,,,,";
        }
        const bool equal = std::ranges::find(result.recommendation.equals, i) !=
                           result.recommendation.equals.end();
        out << ',' << (result.recommendation.cell == std::ptrdiff_t(i) ? "yes" : "no") << ','
            << (equal ? "yes" : "no") << ','
            << csv_field(cell.reason.empty() ? cell.measurement.wall.note : cell.reason) << '\n';
    }
    return out.str();
}

}  // namespace lapidary::app
