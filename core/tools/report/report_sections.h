// SPDX-License-Identifier: Apache-2.0
// The parts of the page that need no script: they are read, printed and searched as they stand.
#pragma once

#include <lapidary/report/html_report.h>

#include "report/html_writer.h"
#include <lapidary/proof/side_matching.h>

namespace lapidary {

/// The answer in one sentence: what the comparison found, else the measurement and where the time
/// goes.
std::string verdict_of(const ReportContent& content);

void write_summary_cards(html::Writer& page, const ReportContent& content);
void write_model_card(html::Writer& page, const Model& model);
/// Measured times in words, their distribution as a picture, and all figures.
void write_measurements(html::Writer& page, const ReportContent& content);
void write_comparison(html::Writer& page, const ReportContent& content, const Matching& matching);
/// What the change of time is made of, operator by operator, from A's total to B's.
void write_waterfall(html::Writer& page, const ReportContent& content, const Matching& matching);
void write_sweep(html::Writer& page, const SweepResult& sweep);
/// What is worth doing, what is not known and what is done; the rest by its number.
void write_advice(html::Writer& page, const ReportContent& content);
void write_passes(html::Writer& page, const ReportSide& side);

}  // namespace lapidary
