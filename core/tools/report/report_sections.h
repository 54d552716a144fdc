// SPDX-License-Identifier: Apache-2.0
// The parts of the page that need no script, so that they can be read, printed and searched without
// one.
#pragma once

#include <lapidary/report/html_report.h>

#include "report/html_writer.h"
#include <lapidary/proof/side_matching.h>

namespace lapidary {

/// The result in one sentence: of the comparison, else the measurement and the operators that take
/// most time.
std::string verdict_of(const ReportContent& content);

void write_summary_cards(html::Writer& page, const ReportContent& content);
void write_model_card(html::Writer& page, const Model& model);
/// Measured times in words, their distribution as a picture, and all figures.
void write_measurements(html::Writer& page, const ReportContent& content);
void write_comparison(html::Writer& page, const ReportContent& content, const Matching& matching);
/// The change from A's total time to B's, operator by operator.
void write_waterfall(html::Writer& page, const ReportContent& content, const Matching& matching);
void write_sweep(html::Writer& page, const SweepResult& sweep);
/// Advice: what is worth doing, not known, and done; of the rest only the number.
void write_advice(html::Writer& page, const ReportContent& content);
void write_passes(html::Writer& page, const ReportSide& side);

}  // namespace lapidary
