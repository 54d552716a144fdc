// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/job_json.h"

#include <array>

#include <lapidary/internal/measurement_tree.h>

#include "worker/protocol/hex_text.h"
#include "worker/protocol/json_members.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {
namespace {

constexpr std::array all_codes{
    ErrorCode::invalid_model,  ErrorCode::invalid_input, ErrorCode::not_supported,
    ErrorCode::limit_exceeded, ErrorCode::cancelled,     ErrorCode::io_failure,
    ErrorCode::process_ended,  ErrorCode::check_failed,  ErrorCode::internal};

bool is_utf8(const std::string& text) {
    try {
        Json(text).dump();
        return true;
    } catch (const Json::exception&) { return false; }
}

}  // namespace

Json to_json(const ModelSource& source) {
    const auto& [file, sample, file_bytes, file_modified, recipe, model, channel_block, quantized] =
        source;
    Json json = Json::object();
    if (!file.empty()) {
        const std::string path = file.string();
        if (is_utf8(path)) json["file"] = path;
        else json["file_hex"] = hex_of(path);
        json["bytes"] = file_bytes;
        json["modified"] = file_modified;
        if (channel_block != 0) json["channel_block"] = channel_block;
    } else {
        json["sample"] = sample;
    }
    if (recipe) json["recipe"] = recipe_json(*recipe);
    if (!quantized.empty()) json["quantized_hex"] = hex_of(quantized.string());
    return json;
}

ModelSource read_model_source(const Json& json) {
    JsonMembers members(json, "model");
    ModelSource source;
    if (members.has("sample")) source.sample = members.get<std::string>("sample");
    else if (members.has("file_hex"))
        source.file = bytes_of_hex(members.get<std::string>("file_hex"), "model: \"file_hex\"");
    else source.file = members.get<std::string>("file");
    source.file_bytes = members.get<std::uint64_t>("bytes", 0);
    source.file_modified = members.get<std::int64_t>("modified", 0);
    source.channel_block = members.get<std::int64_t>("channel_block", 0);
    if (members.has("recipe")) source.recipe = read_recipe(members.at("recipe"));
    if (members.has("quantized_hex"))
        source.quantized =
            bytes_of_hex(members.get<std::string>("quantized_hex"), "model: \"quantized_hex\"");
    members.finish();
    if (!source.in_other_process()) fail_input("model needs a file or a sample");
    return source;
}

Json to_json(const RunSettings& settings) {
    const auto& [threads, repetitions, warmups, seed, dimensions, config, given] = settings;
    Json json{{"threads", threads}, {"repetitions", repetitions}, {"warmups", warmups},
              {"seed", seed},       {"dimensions", dimensions},   {"config", config}};
    if (!(given == GivenInputs())) json["given"] = to_json(given);
    return json;
}

RunSettings read_run_settings(const Json& json) {
    JsonMembers members(json, "settings");
    const auto bounded = [&](const char* name, int fallback, int low, int high) {
        const int value = members.get<int>(name, fallback);
        if (value < low || value > high)
            fail_input("settings \"" + std::string(name) + "\" must be from " +
                       std::to_string(low) + " to " + std::to_string(high) + ", found " +
                       std::to_string(value));
        return value;
    };
    const RunSettings usual;
    RunSettings settings;
    settings.threads = bounded("threads", usual.threads, 0, most_run_threads);
    settings.repetitions = bounded("repetitions", usual.repetitions, 1, most_repetitions);
    settings.warmups = bounded("warmups", usual.warmups, 0, most_warmups);
    settings.seed = members.get<std::uint64_t>("seed", usual.seed);
    settings.dimensions = members.get<std::map<std::string, std::int64_t>>("dimensions", {});
    settings.config = members.get<std::map<std::string, std::string>>("config", {});
    if (members.has("given")) settings.given = read_given_inputs(members.at("given"));
    members.finish();
    return settings;
}

Json to_json(const GivenInputs& given) {
    const auto& [files, text, vocabulary, expected] = given;
    return {{"files", files}, {"text", text}, {"vocabulary", vocabulary}, {"expected", expected}};
}

GivenInputs read_given_inputs(const Json& json) {
    JsonMembers members(json, "the given inputs");
    GivenInputs given;
    given.files = members.get<std::map<std::string, std::string>>("files", {});
    given.text = members.get<std::string>("text", "");
    given.vocabulary = members.get<std::string>("vocabulary", "");
    given.expected = members.get<std::string>("expected", "");
    members.finish();
    return given;
}

Json to_json(const OutputCheck& check) {
    Json verdicts = Json::array();
    for (const auto& [name, type, comparison] : check.verdicts) {
        const std::vector<OutputComparison> one{{name, comparison}};
        verdicts.push_back({{"type", type}, {"comparison", to_json(one)}});
    }
    return {{"verdicts", std::move(verdicts)}, {"unchecked", check.unchecked}};
}

OutputCheck read_output_check(const Json& json) {
    JsonMembers members(json, "the check");
    OutputCheck check;
    for (const Json& item : members.at("verdicts")) {
        JsonMembers verdict(item, "a verdict");
        std::vector<OutputComparison> one = read_outputs(verdict.at("comparison"));
        if (one.size() != 1) fail_input("a verdict has to hold one comparison");
        check.verdicts.push_back(
            {one.front().name, verdict.get<std::string>("type"), one.front().comparison});
        verdict.finish();
    }
    check.unchecked = members.get<std::vector<std::string>>("unchecked", {});
    members.finish();
    return check;
}

Json to_json(const MeasureJob& job) {
    const auto& [candidates, options, dimensions, seed, given, memory] = job;
    Json list = Json::array();
    for (const auto& [model, configuration] : candidates)
        list.push_back({{"model", to_json(model)}, {"configuration", json_tree(configuration)}});
    Json json{{"candidates", std::move(list)},
              {"options", json_tree(options)},
              {"dimensions", dimensions},
              {"seed", seed},
              {"memory", memory}};
    if (!(given == GivenInputs())) json["given"] = to_json(given);
    return json;
}

Json to_json(const SweepJob& job) {
    const auto& [model, recipe, space, options, given, verify, found] = job;
    Json json{{"model", to_json(model)},
              {"recipe", recipe_json(recipe)},
              {"options", json_tree(options)}};
    if (!(given == GivenInputs())) json["given"] = to_json(given);
    if (verify.empty()) {
        json["space"] = json_tree(space);
    } else {
        json["verify"] = verify;
        json["found"] = json_tree(found);
    }
    return json;
}

Json to_json(const std::vector<OutputComparison>& outputs) {
    Json list = Json::array();
    for (const auto& [name, comparison] : outputs) {
        const auto& [matches, reason, elements, mismatches, max_abs, max_rel, magnitude, sqnr_db,
                     cosine] = comparison;
        list.push_back({{"output", name},
                        {"matches", matches},
                        {"reason", reason},
                        {"elements", elements},
                        {"mismatches", mismatches},
                        {"max_abs", number_json(max_abs)},
                        {"max_rel", number_json(max_rel)},
                        {"magnitude", number_json(magnitude)},
                        {"sqnr_db", number_json(sqnr_db)},
                        {"cosine", number_json(cosine)}});
    }
    return list;
}

std::vector<OutputComparison> read_outputs(const Json& json) {
    std::vector<OutputComparison> outputs;
    for (const Json& item : json) {
        JsonMembers members(item, "output");
        auto& [name, c] = outputs.emplace_back();
        name = members.get<std::string>("output");
        c.matches = members.get<bool>("matches");
        c.reason = members.get<std::string>("reason");
        c.elements = members.get<std::int64_t>("elements");
        c.mismatches = members.get<std::int64_t>("mismatches");
        c.max_abs = members.get<double>("max_abs");
        c.max_rel = members.get<double>("max_rel");
        c.magnitude = members.get<double>("magnitude");
        c.sqnr_db = members.get<double>("sqnr_db");
        c.cosine = members.get<double>("cosine");
        members.finish();
    }
    return outputs;
}

Json to_json(const Error& error) {
    return {
        {"code", name_of(error.code())}, {"message", error.message()}, {"where", error.where()}};
}

Error read_error(const Json& json) {
    JsonMembers members(json, "error");
    const auto name = members.get<std::string>("code");
    ErrorCode code = ErrorCode::internal;
    for (const ErrorCode known : all_codes)
        if (name_of(known) == name) code = known;
    Error error(code, members.get<std::string>("message"));
    const auto where = members.get<std::vector<std::string>>("where", {});
    for (std::size_t i = where.size(); i-- > 0;) error.at(where[i]);
    return error;
}

std::string line_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lapidary::app
