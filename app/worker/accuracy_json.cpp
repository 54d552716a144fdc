// SPDX-License-Identifier: Apache-2.0
#include "worker/accuracy_json.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include <lapidary/error.h>
#include <lapidary/parse_json.h>

#include "worker/json_members.h"

namespace lapidary::app {

using Json = nlohmann::json;

std::string accuracy_text(const AccuracyCounts& counts) {
    // A binding to all members: a new one has to be added before this compiles.
    const auto& [samples, left_out, rows, top1, topk, k, classes, cosine_sum, vectors, words, word_errors,
                 characters, character_errors, out_of_range, warnings] = counts;
    Json by_class = Json::object();
    for (const auto& [label, found] : classes)
        by_class[std::to_string(label)] = {found.right, found.wrongly_found, found.missed};
    const Json json{{"samples", samples},  {"left_out", left_out},
                    {"rows", rows},        {"top1", top1},
                    {"topk", topk},        {"k", k},
                    {"classes", by_class}, {"cosine_sum", number_json(cosine_sum)},
                    {"vectors", vectors},  {"words", words},
                    {"word_errors", word_errors}, {"characters", characters},
                    {"character_errors", character_errors}, {"out_of_range", out_of_range},
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
    for (const auto& [label, found] : members.get<std::map<std::string, std::vector<std::uint64_t>>>("classes")) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
        if (error != std::errc() || end != label.data() + label.size() || found.size() != 3)
            fail_input("counts of accuracy: class " + quote(label) + " needs a number and three counts");
        counts.classes[number] = {found[0], found[1], found[2]};
    }
    counts.cosine_sum = members.get<double>("cosine_sum");
    counts.vectors = members.get<std::uint64_t>("vectors");
    counts.words = members.get<std::uint64_t>("words", 0);
    counts.word_errors = members.get<std::uint64_t>("word_errors", 0);
    counts.characters = members.get<std::uint64_t>("characters", 0);
    counts.character_errors = members.get<std::uint64_t>("character_errors", 0);
    counts.out_of_range = members.get<std::uint64_t>("out_of_range");
    counts.warnings = members.get<std::vector<std::string>>("warnings");
    members.finish();
    return counts;
}

}  // namespace lapidary::app
