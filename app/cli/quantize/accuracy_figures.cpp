// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize/accuracy_figures.h"

#include <ostream>
#include <string>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "cli/output/json_output.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

bool has_boxes(const AccuracyCounts& counts) {
    return !counts.detections.expected.empty() || !counts.detections.found.empty();
}

}  // namespace

Json accuracy_json(const AccuracyCounts& counts) {
    const auto share = [](const ShareEstimate& estimate) {
        return Json{{"share", json_number(estimate.share)},
                    {"low", json_number(estimate.low)},
                    {"high", json_number(estimate.high)}};
    };
    Json json = {
        {"samples", counts.samples}, {"left_out", counts.left_out}, {"warnings", counts.warnings}};
    if (counts.rows > 0) {
        json["rows"] = counts.rows;
        json["top1"] = share(counts.top1_share());
        json["topk"] = share(counts.topk_share());
        json["k"] = counts.k;
        json["macro_f1"] = json_number(counts.macro_f1());
        json["mean_iou"] = json_number(counts.mean_iou());
    }
    if (counts.words > 0) {
        json["words"] = counts.words;
        json["word_error_rate"] = json_number(counts.word_error_rate());
        json["character_error_rate"] = json_number(counts.character_error_rate());
    }
    if (has_boxes(counts)) {
        std::uint64_t expected = 0;
        for (const auto& [label, count] : counts.detections.expected) expected += count;
        json["expected_boxes"] = expected;
        json["map"] = json_number(counts.detections.mean_average_precision());
        json["map50"] = json_number(counts.detections.mean_average_precision(0));
        json["map_by_class"] = Json::object();
        for (const auto& [label, count] : counts.detections.expected)
            json["map_by_class"][std::to_string(label)] =
                json_number(counts.detections.average_precision(label, 0));
    }
    if (counts.vectors > 0) json["mean_cosine"] = json_number(counts.mean_cosine());
    return json;
}

void print_accuracy(std::ostream& out, const AccuracyCounts& counts) {
    TextTable table({"", "share", "95 % interval", "right", "of"}, {0});
    const auto line = [&](const std::string& name, const ShareEstimate& share,
                          std::uint64_t right) {
        table.add({name, fmt::format("{:.4f}", share.share),
                   fmt::format("{:.4f} to {:.4f}", share.low, share.high), std::to_string(right),
                   std::to_string(counts.rows)});
    };
    if (counts.rows > 0) {
        line("top-1", counts.top1_share(), counts.top1);
        line(fmt::format("top-{}", counts.k), counts.topk_share(), counts.topk);
        table.print(out);
        out << fmt::format("F1 {:.4f}, IoU {:.4f}: means over the classes that have labels\n",
                           counts.macro_f1(), counts.mean_iou());
    }
    if (counts.words > 0)
        out << fmt::format("word error rate {:.4f} ({} of {}), of characters {:.4f}\n",
                           counts.word_error_rate(), counts.word_errors,
                           count_text(static_cast<std::int64_t>(counts.words), "word"),
                           counts.character_error_rate());
    if (has_boxes(counts)) {
        std::uint64_t expected = 0;
        for (const auto& [label, count] : counts.detections.expected) expected += count;
        out << fmt::format("mAP {:.4f} at overlaps from 0.5 to 0.95, {:.4f} at 0.5: {} expected\n",
                           counts.detections.mean_average_precision(),
                           counts.detections.mean_average_precision(0),
                           count_text(static_cast<std::int64_t>(expected), "box", "boxes"));
    }
    if (counts.vectors > 0)
        out << fmt::format("cosine {:.6f}: mean over {}\n", counts.mean_cosine(),
                           count_text(static_cast<std::int64_t>(counts.vectors), "vector"));
    out << counts.samples << (counts.samples == 1 ? " sample run" : " samples run");
    if (counts.left_out > 0) out << ", " << counts.left_out << " left out";
    out << '\n';
    for (const std::string& warning : counts.warnings) out << "note  " << plain(warning) << '\n';
}

}  // namespace lapidary::cli
