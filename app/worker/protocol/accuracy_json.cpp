// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/accuracy_json.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/json_members.h"

namespace lapidary::app {

using Json = nlohmann::json;

namespace {

Json expected_json(const DetectionCounts& detections) {
    Json json = Json::object();
    for (const auto& [label, count] : detections.expected) json[std::to_string(label)] = count;
    return json;
}

/// By class, three arrays of the same length: files of many boxes stay small.
Json found_json(const DetectionCounts& detections) {
    Json json = Json::object();
    for (const auto& [label, boxes] : detections.found) {
        Json scores = Json::array(), samples = Json::array(), thresholds = Json::array();
        for (const MatchedBox& box : boxes) {
            scores.push_back(number_json(box.score));
            samples.push_back(box.sample);
            thresholds.push_back(box.thresholds);
        }
        json[std::to_string(label)] = {
            {"scores", scores}, {"samples", samples}, {"thresholds", thresholds}};
    }
    return json;
}

std::int64_t class_number(const std::string& label) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
    if (error != std::errc() || end != label.data() + label.size())
        fail_input("counts of accuracy: " + quote(label) + " is no class");
    return number;
}

void read_detections(JsonMembers& members, DetectionCounts& detections) {
    for (const auto& [label, count] :
         members.get<std::map<std::string, std::uint64_t>>("expected_boxes", {}))
        detections.expected[class_number(label)] = count;
    for (const auto& [label, entry] : members.get<std::map<std::string, Json>>("found_boxes", {})) {
        JsonMembers arrays(entry, "found boxes");
        const auto scores = arrays.get<std::vector<double>>("scores");
        const auto samples = arrays.get<std::vector<std::uint64_t>>("samples");
        const auto thresholds = arrays.get<std::vector<std::uint16_t>>("thresholds");
        arrays.finish();
        if (samples.size() != scores.size() || thresholds.size() != scores.size())
            fail_input("counts of accuracy: found boxes of class " + quote(label) +
                       " have arrays of other lengths");
        std::vector<MatchedBox>& boxes = detections.found[class_number(label)];
        for (std::size_t i = 0; i < scores.size(); ++i)
            boxes.push_back({static_cast<float>(scores[i]), samples[i], thresholds[i]});
    }
}

}  // namespace

std::string accuracy_text(const AccuracyCounts& counts) {
    // A binding to all members: a new one has to be added before this compiles.
    const auto& [samples, left_out, rows, top1, topk, k, classes, cosine_sum, vectors, words,
                 word_errors, characters, character_errors, detections, out_of_range, warnings] =
        counts;
    Json by_class = Json::object();
    for (const auto& [label, found] : classes)
        by_class[std::to_string(label)] = {found.right, found.wrongly_found, found.missed};
    const Json json{{"samples", samples},
                    {"left_out", left_out},
                    {"rows", rows},
                    {"top1", top1},
                    {"topk", topk},
                    {"k", k},
                    {"classes", by_class},
                    {"cosine_sum", number_json(cosine_sum)},
                    {"vectors", vectors},
                    {"words", words},
                    {"word_errors", word_errors},
                    {"characters", characters},
                    {"character_errors", character_errors},
                    {"out_of_range", out_of_range},
                    {"expected_boxes", expected_json(detections)},
                    {"found_boxes", found_json(detections)},
                    {"warnings", warnings}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

AccuracyCounts parse_accuracy(std::string_view text) {
    const Json json = parse_json(text, "counts of accuracy");
    JsonMembers members(json, "counts of accuracy");
    AccuracyCounts counts;
    counts.samples = members.get<std::uint64_t>("samples");
    counts.left_out = members.get<std::uint64_t>("left_out");
    counts.rows = members.get<std::uint64_t>("rows");
    counts.top1 = members.get<std::uint64_t>("top1");
    counts.topk = members.get<std::uint64_t>("topk");
    counts.k = members.get<std::uint64_t>("k");
    for (const auto& [label, found] :
         members.get<std::map<std::string, std::vector<std::uint64_t>>>("classes")) {
        if (found.size() != 3)
            fail_input("counts of accuracy: class " + quote(label) + " needs three counts");
        counts.classes[class_number(label)] = {found[0], found[1], found[2]};
    }
    counts.cosine_sum = members.get<double>("cosine_sum");
    counts.vectors = members.get<std::uint64_t>("vectors");
    counts.words = members.get<std::uint64_t>("words", 0);
    counts.word_errors = members.get<std::uint64_t>("word_errors", 0);
    counts.characters = members.get<std::uint64_t>("characters", 0);
    counts.character_errors = members.get<std::uint64_t>("character_errors", 0);
    read_detections(members, counts.detections);
    counts.out_of_range = members.get<std::uint64_t>("out_of_range");
    counts.warnings = members.get<std::vector<std::string>>("warnings");
    members.finish();
    return counts;
}

}  // namespace lapidary::app
