// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>
#include <lapidary/inputs/run_conditions.h>
#include <lapidary/proof/choose_compute.h>

#include "cli/bench/bench_decode.h"
#include "cli/bench/bench_models.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

std::string configuration_text(const DecodingRow& row) {
    return text_of(RunConditions{row.level, row.threads, 1, {}}) + ", context " +
           std::to_string(row.context);
}

void add_cells(std::vector<std::string>& cells, const DecodingFigures& figures) {
    cells.push_back(ms_text(figures.first_token_ms));
    cells.push_back(fmt::format("{:.0f}", figures.prefill_tokens_per_second));
    cells.push_back(ms_text(figures.token_ms.median));
    cells.push_back(spread_text(figures.token_ms));
    cells.push_back(fmt::format("{:.1f}", figures.decode_tokens_per_second));
    cells.push_back(fmt::format("{:.0f} %", 100 * figures.share_of_roof));
    cells.push_back(figures.peak_mb ? fmt::format("{:.0f}", *figures.peak_mb) : "-");
}

std::string bytes_or_unknown(const std::optional<std::uint64_t>& bytes) {
    return bytes ? byte_text(static_cast<double>(*bytes)) : "not counted";
}

/// What the table has no room for, of one engine.
void print_details(std::ostream& out, const std::string& name, const DecodingFigures& figures) {
    out << fmt::format("    {}: loaded in {} ms, {}; caches {} ({}), activations {}\n", name,
                       ms_text(figures.load_ms), bytes_or_unknown(figures.loaded_bytes),
                       byte_text(static_cast<double>(figures.cache_bytes)),
                       figures.is_fixed ? "fixed" : "growing",
                       bytes_or_unknown(figures.activation_bytes));
    constexpr std::size_t first_tokens = 8;
    std::vector<double> first = figures.first_pass_ms;
    first.resize(std::min(first.size(), first_tokens));
    if (first.empty() || !(figures.token_ms.median > 0)) return;
    double sum = 0;
    for (const double ms : first) sum += ms;
    const double mean = sum / static_cast<double>(first.size());
    out << fmt::format(
        "    {}: first {} tokens after loading {} ms each, {:.2f} times the later "
        "ones; prompt again {} ms, first {:.2f} times as long\n",
        name, first.size(), ms_text(mean), mean / figures.token_ms.median,
        ms_text(figures.prefill_ms.median), figures.first_token_ms / figures.prefill_ms.median);
}

void print_row_details(std::ostream& out, const DecodingRow& row, const DecodingResult& result) {
    const DecodingMeasurement& m = row.measured;
    out << "  " << plain(row.model) << ", " << plain(configuration_text(row)) << '\n';
    out << fmt::format("    a token reads {} of weights and {} of caches; {:.1f} of {:.1f} GB/s\n",
                       byte_text(static_cast<double>(m.token_weight_bytes)),
                       byte_text(static_cast<double>(m.token_cache_bytes)), m.ours.gb_per_s,
                       m.roof_gb_per_s);
    print_details(out, "ours", m.ours);
    if (m.theirs) print_details(out, "theirs", *m.theirs);
    if (m.agreement)
        out << fmt::format("    outputs {}: {} of {} tokens alike, largest logits within {:.0e}\n",
                           m.agreement->matches ? "agree" : "DIFFER", m.agreement->equal,
                           m.agreement->choices, m.agreement->difference);
    if (m.ours.recorded) {
        const TokenTime& time = m.ours.recorded->time;
        const auto share = [&](double ms) {
            return time.wall_ms > 0 ? percent_text(ms / time.wall_ms) : "-";
        };
        out << fmt::format(
            "    a token of {} ms: products {}, attention {}, head {}, caches {}, other nodes {}, "
            "between nodes {}\n    {}\n",
            ms_text(time.wall_ms), share(time.products_ms), share(time.attention_ms),
            share(time.head_ms), share(time.cache_ms), share(time.rest_ms), share(time.overhead_ms),
            sentence_of(decoding_advice(*m.ours.recorded)));
    }
    if (row.rounds_nothing) out << "    " << nothing_rounded_text() << '\n';
    if (!m.ours.reason.empty()) out << "    caches grow: " << plain(m.ours.reason) << '\n';
    if (!m.quiet)
        out << "    busy: the machine had other work nearly all the time; nothing was dropped\n";
    if (!result.has_processes)
        out << "    measured in this process, whose memory holds more than the model\n";
}

Json row_json(const DecodingRow& row) {
    Json json = {{"model", row.model},
                 {"level", name_of(row.level)},
                 {"threads", row.threads},
                 {"intra", row.threads},
                 {"inter", 1}};
    if (!row.error.empty()) json["error"] = row.error;
    else json["decoding"] = json_from_text(to_json(row.measured), "the measurement");
    return json;
}

}  // namespace

void print_decoding(std::ostream& out, const DecodingResult& result) {
    out << machine_text();
    if (!result.against.empty()) out << "against  " << plain(result.against) << '\n';
    std::vector<std::string> header{"model", "configuration", "first ms", "prompt/s", "token ms",
                                    "+-",    "tokens/s",      "of roof",  "MB"};
    if (!result.against.empty())
        for (const char* name : {"their first", "prompt/s", "token ms", "+-", "tokens/s", "of roof",
                                 "MB", "ratio", "95 %", "prompt ratio"})
            header.emplace_back(name);
    TextTable table(header, {0, 1});
    for (const DecodingRow& row : result.rows) {
        if (!row.error.empty()) continue;
        const DecodingMeasurement& m = row.measured;
        std::vector<std::string> cells{plain(row.model), plain(configuration_text(row))};
        add_cells(cells, m.ours);
        if (m.theirs) {
            add_cells(cells, *m.theirs);
            cells.push_back(fmt::format("{:.3f}", m.ratio->median));
            cells.push_back(fmt::format("{:.3f}..{:.3f}", m.ratio->low, m.ratio->high));
            cells.push_back(fmt::format("{:.3f}", m.prefill_ratio->median));
        }
        table.add(std::move(cells));
    }
    table.print(out);
    for (const DecodingRow& row : result.rows) {
        if (row.error.empty()) print_row_details(out, row, result);
        else out << "  " << plain(row.model) << ": " << plain(row.error) << '\n';
    }
    out << "  first: from the prompt to its first token, right after loading; prompt/s: tokens of "
           "the prompt in later passes\n"
           "  of roof: bytes that a token reads by its time, as a share of what memory and caches "
           "give; MB: resident at its peak\n";
    if (!result.against.empty())
        out << "  ratio: their time of a token by ours, of pairs: above 1, ours is faster\n";
}

Json decoding_json(const BenchCommandOptions& options, const DecodingResult& result) {
    Json json = {{"machine", machine_json(options.against, result.version)},
                 {"options",
                  {{"against", options.against},
                   {"seconds", options.measuring.seconds},
                   {"precision", options.measuring.precision},
                   {"rtol", options.measuring.rtol},
                   {"seed", options.inputs.seed}}},
                 {"own_processes", result.has_processes},
                 {"configurations", Json::array()}};
    for (const DecodingRow& row : result.rows) json["configurations"].push_back(row_json(row));
    json["cancelled"] = result.cancelled;
    return json;
}

}  // namespace lapidary::cli
