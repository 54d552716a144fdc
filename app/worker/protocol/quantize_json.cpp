// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/quantize_json.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <lapidary/internal/measurement_tree.h>

#include "worker/protocol/hex_text.h"

namespace lapidary::app {
namespace {

// in the order of PixelKind
constexpr std::array<std::string_view, 3> pixel_kinds{"none", "bytes", "floats"};

Json options_json(const QuantizeOptions& options) { return quantization_json({options, {}}); }
QuantizeOptions read_options(const Json& json) { return read_quantization(json).options; }

Json estimate_json(const std::optional<MedianEstimate>& estimate) {
    return estimate ? json_tree(*estimate) : Json();
}
std::optional<MedianEstimate> read_estimate(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(from_json_tree<MedianEstimate>(json));
}

// Bindings to all members, here and below: a new one has to be added before this compiles.
Json trial_json(const QuantizeTrial& trial) {
    const auto& [options, sqnr_db, low_db, high_db, splits, bytes, nodes, rows, flips, ms, ratio,
                 failure] = trial;
    return {{"options", options_json(options)},
            {"sqnr_db", number_json(sqnr_db)},
            {"low_db", number_json(low_db)},
            {"high_db", number_json(high_db)},
            {"splits", splits},
            {"bytes", bytes},
            {"nodes", nodes},
            {"rows", rows},
            {"flips", flips},
            {"ms", estimate_json(ms)},
            {"ratio", estimate_json(ratio)},
            {"failure", failure}};
}

QuantizeTrial read_trial(const Json& json) {
    JsonMembers members(json, "trial");
    QuantizeTrial trial;
    trial.options = read_options(members.at("options"));
    trial.sqnr_db = members.get<double>("sqnr_db");
    trial.low_db = members.get<double>("low_db");
    trial.high_db = members.get<double>("high_db");
    trial.splits = members.get<int>("splits");
    trial.bytes = members.get<std::uint64_t>("bytes");
    trial.nodes = members.get<std::uint64_t>("nodes");
    trial.rows = members.get<std::uint64_t>("rows");
    trial.flips = members.get<std::uint64_t>("flips");
    trial.ms = read_estimate(members.at("ms"));
    trial.ratio = read_estimate(members.at("ratio"));
    trial.failure = members.get<std::string>("failure");
    members.finish();
    return trial;
}

Json node_json(const NodeDecision& decision) {
    const auto& [node, name, place, quantized, reason] = decision;
    return {{"node", node},
            {"name", name},
            {"place", place},
            {"quantized", quantized},
            {"reason", reason}};
}

NodeDecision read_node(const Json& json) {
    JsonMembers members(json, "node");
    NodeDecision decision{members.get<std::string>("node"), members.get<std::string>("name"),
                          members.get<std::string>("place"), members.get<bool>("quantized"),
                          members.get<std::string>("reason")};
    members.finish();
    return decision;
}

Json output_json(const OutputAccuracy& output) {
    const auto& [name, sqnr_db, cosine, max_abs, rows, flips] = output;
    return {{"name", name},
            {"sqnr_db", number_json(sqnr_db)},
            {"cosine", number_json(cosine)},
            {"max_abs", number_json(max_abs)},
            {"rows", rows},
            {"flips", flips}};
}

OutputAccuracy read_output(const Json& json) {
    JsonMembers members(json, "output");
    OutputAccuracy output{members.get<std::string>("name"), members.get<double>("sqnr_db"),
                          members.get<double>("cosine"),    members.get<double>("max_abs"),
                          members.get<std::size_t>("rows"), members.get<std::size_t>("flips")};
    members.finish();
    return output;
}

template <typename T, typename ToJson>
Json list_json(const std::vector<T>& items, ToJson to_json) {
    Json list = Json::array();
    for (const T& item : items) list.push_back(to_json(item));
    return list;
}

template <typename Read>
auto read_list(const Json& json, Read read) {
    std::vector<decltype(read(json))> items;
    for (const Json& item : json) items.push_back(read(item));
    return items;
}

Json range_json(const QuantizedRange& range) {
    const auto& [name, dtype, low, high, lowest, highest, scale, zero_point, saturated, histogram] =
        range;
    return {{"name", name},
            {"dtype", name_of(dtype)},
            {"low", number_json(low)},
            {"high", number_json(high)},
            {"lowest", number_json(lowest)},
            {"highest", number_json(highest)},
            {"scale", number_json(scale)},
            {"zero_point", zero_point},
            {"saturated", number_json(saturated)},
            {"histogram", histogram}};
}

QuantizedRange read_range(const Json& json) {
    JsonMembers members(json, "range");
    QuantizedRange range;
    range.name = members.get<std::string>("name");
    const auto dtype = members.get<std::string>("dtype");
    const auto known = dtype_from_name(dtype);
    if (!known) fail_input("range: \"dtype\" knows no " + quote(dtype));
    range.dtype = *known;
    range.low = float(members.get<double>("low"));
    range.high = float(members.get<double>("high"));
    range.lowest = float(members.get<double>("lowest"));
    range.highest = float(members.get<double>("highest"));
    range.scale = float(members.get<double>("scale"));
    range.zero_point = members.get<std::int32_t>("zero_point");
    range.saturated = members.get<double>("saturated");
    range.histogram = members.get<std::vector<std::uint64_t>>("histogram");
    members.finish();
    if (!range.histogram.empty() && range.histogram.size() != quantized_range_bins)
        fail_input("range: \"histogram\" has " + std::to_string(range.histogram.size()) + " bins");
    return range;
}

Json layer_json(const LayerAccuracy& layer) {
    const auto& [node, name, value, sqnr_db] = layer;
    return {{"node", node}, {"name", name}, {"value", value}, {"sqnr_db", number_json(sqnr_db)}};
}

LayerAccuracy read_layer(const Json& json) {
    JsonMembers members(json, "layer");
    LayerAccuracy layer{members.get<std::string>("node"), members.get<std::string>("name"),
                        members.get<std::string>("value"), members.get<double>("sqnr_db")};
    members.finish();
    return layer;
}

Json sensitivity_json(const Sensitivity& found) {
    const auto& [groups, curve, complete, untried] = found;
    return {{"groups", list_json(groups,
                                 [](const NodeSensitivity& group) {
                                     const auto& [nodes, names, alone_db, share] = group;
                                     return Json{{"nodes", nodes},
                                                 {"names", names},
                                                 {"alone_db", number_json(alone_db)},
                                                 {"share", number_json(share)}};
                                 })},
            {"curve", list_json(curve,
                                [](const SensitivityPoint& point) {
                                    const auto& [kept, predicted_db, measured_db] = point;
                                    return Json{{"kept", kept},
                                                {"predicted_db", number_json(predicted_db)},
                                                {"measured_db",
                                                 measured_db ? number_json(*measured_db) : Json()}};
                                })},
            {"complete", complete},
            {"untried", untried}};
}

Sensitivity read_sensitivity(const Json& json) {
    JsonMembers members(json, "sensitivity");
    Sensitivity found;
    found.groups = read_list(members.at("groups"), [](const Json& item) {
        JsonMembers group(item, "group");
        NodeSensitivity read{group.get<std::vector<std::string>>("nodes"),
                             group.get<std::vector<std::string>>("names"),
                             group.get<double>("alone_db"), group.get<double>("share")};
        group.finish();
        return read;
    });
    found.curve = read_list(members.at("curve"), [](const Json& item) {
        JsonMembers point(item, "point");
        SensitivityPoint read{point.get<std::size_t>("kept"), point.get<double>("predicted_db"),
                              std::nullopt};
        if (!point.at("measured_db").is_null()) read.measured_db = point.get<double>("measured_db");
        point.finish();
        return read;
    });
    found.complete = members.get<bool>("complete");
    found.untried = members.get<std::size_t>("untried");
    members.finish();
    return found;
}

Json looked_at_json(const LookedAtSample& sample) {
    const auto& [name, judges, inputs, picture, failure] = sample;
    Json json{{"name", name},
              {"judges", judges},
              {"failure", failure},
              {"inputs", list_json(inputs, [](const SampleInput& input) {
                   const auto& [input_name, type, low, high, mean] = input;
                   return Json{{"name", input_name},
                               {"type", type},
                               {"low", number_json(low)},
                               {"high", number_json(high)},
                               {"mean", number_json(mean)}};
               })}};
    if (picture)
        json["picture"] = {{"width", picture->width},
                           {"height", picture->height},
                           {"rgb_hex", hex_of(picture->rgb)}};
    return json;
}

LookedAtSample read_looked_at(const Json& json) {
    JsonMembers members(json, "sample");
    LookedAtSample sample;
    sample.name = members.get<std::string>("name");
    sample.judges = members.get<bool>("judges");
    sample.failure = members.get<std::string>("failure");
    sample.inputs = read_list(members.at("inputs"), [](const Json& item) {
        JsonMembers input(item, "input");
        SampleInput read{input.get<std::string>("name"), input.get<std::string>("type"),
                         input.get<double>("low"), input.get<double>("high"),
                         input.get<double>("mean")};
        input.finish();
        return read;
    });
    if (members.has("picture")) {
        JsonMembers picture(members.at("picture"), "picture");
        SamplePicture& read = sample.picture.emplace();
        read.width = picture.get<int>("width");
        read.height = picture.get<int>("height");
        read.rgb = bytes_of_hex(picture.get<std::string>("rgb_hex"), "picture: \"rgb_hex\"");
        picture.finish();
        if (read.width <= 0 || read.height <= 0 ||
            read.rgb.size() != std::size_t(read.width) * std::size_t(read.height) * 3)
            fail_input("picture: its size is not that of its pixels");
    }
    members.finish();
    return sample;
}

}  // namespace

Json to_json(const SampleChoice& choice) { return sample_choice_json(choice); }

Json to_json(const QuantizeJob& job) {
    const auto& [model, quantization, search, rank, inspect, both_modes, budget, measure, goal,
                 floor, threads, folder, labels, of_data] = job;
    return {{"model", to_json(model)},
            {"quantization", quantization_json(quantization)},
            {"search", search},
            {"rank", rank},
            {"inspect", inspect},
            {"both_modes", both_modes},
            {"budget_seconds", number_json(budget)},
            {"measure_seconds", number_json(measure)},
            {"goal", name_of(goal)},
            {"floor_measure", name_of(floor.measure)},
            {"floor", number_json(floor.bound)},
            {"threads", threads},
            {"folder_hex", hex_of(folder.string())},
            {"labels_hex", hex_of(labels.string())},
            {"of_data", of_data}};
}

QuantizeJob read_quantize_job(JsonMembers& members) {
    QuantizeJob job;
    job.quantization = read_quantization(members.at("quantization"));
    job.search = members.get<bool>("search");
    job.rank = members.get<bool>("rank");
    job.inspect = members.get<bool>("inspect");
    job.both_modes = members.get<bool>("both_modes");
    job.budget_seconds = members.get<double>("budget_seconds");
    job.measure_seconds = members.get<double>("measure_seconds");
    const auto goal = members.get<std::string>("goal");
    const auto known = quantize_goal_from_name(goal);
    if (!known) fail_input("\"goal\" must be accurate, fast or small, found " + quote(goal));
    job.goal = *known;
    const auto measure = members.get<std::string>("floor_measure");
    if (measure != "sqnr" && measure != "flips")
        fail_input("\"floor_measure\" must be sqnr or flips, found " + quote(measure));
    job.floor.measure =
        measure == "sqnr" ? AccuracyFloor::Measure::sqnr : AccuracyFloor::Measure::flips;
    job.floor.bound = members.get<double>("floor");
    job.threads = members.get<int>("threads");
    job.folder = bytes_of_hex(members.get<std::string>("folder_hex"), "\"folder_hex\"");
    job.labels = bytes_of_hex(members.get<std::string>("labels_hex"), "\"labels_hex\"");
    job.of_data = members.get<std::vector<std::string>>("of_data");
    return job;
}

Json to_json(const QuantizeRecord& record) {
    const auto& [trials, best, original_bytes, original_ms, learned, judged, generated, complete,
                 seconds, file, nodes, outputs, notes, warnings, usable, ranges, layers, labelled,
                 diagnosis, sensitivity] = record;
    Json json{{"trials", list_json(trials, trial_json)},
              {"best", std::int64_t(best)},
              {"original_bytes", original_bytes},
              {"original_ms", estimate_json(original_ms)},
              {"learned", learned},
              {"judged", judged},
              {"generated", generated},
              {"complete", complete},
              {"seconds", number_json(seconds)},
              {"file_hex", hex_of(file.string())},
              {"nodes", list_json(nodes, node_json)},
              {"outputs", list_json(outputs, output_json)},
              {"notes", notes},
              {"warnings", warnings},
              {"usable", usable},
              {"ranges", list_json(ranges, range_json)},
              {"layers", list_json(layers, layer_json)}};
    if (labelled)
        json["labelled"] = {{"rows", labelled->rows},
                            {"original", labelled->original},
                            {"quantized", labelled->quantized}};
    if (diagnosis)
        json["diagnosis"] = {{"weights_db", number_json(diagnosis->weights_db)},
                             {"activations_db", number_json(diagnosis->activations_db)},
                             {"both_db", number_json(diagnosis->both_db)}};
    if (sensitivity) json["sensitivity"] = sensitivity_json(*sensitivity);
    return json;
}

QuantizeRecord read_quantize_record(const Json& json) {
    JsonMembers members(json, "the record");
    QuantizeRecord record;
    record.trials = read_list(members.at("trials"), read_trial);
    record.best = std::ptrdiff_t(members.get<std::int64_t>("best"));
    record.original_bytes = members.get<std::uint64_t>("original_bytes");
    record.original_ms = read_estimate(members.at("original_ms"));
    record.learned = members.get<std::uint64_t>("learned");
    record.judged = members.get<std::uint64_t>("judged");
    record.generated = members.get<bool>("generated");
    record.complete = members.get<bool>("complete");
    record.seconds = members.get<double>("seconds");
    record.file = bytes_of_hex(members.get<std::string>("file_hex"), "\"file_hex\"");
    record.nodes = read_list(members.at("nodes"), read_node);
    record.outputs = read_list(members.at("outputs"), read_output);
    record.notes = members.get<std::vector<std::string>>("notes");
    record.warnings = members.get<std::vector<std::string>>("warnings");
    record.usable = members.get<bool>("usable");
    record.ranges = read_list(members.at("ranges"), read_range);
    record.layers = read_list(members.at("layers"), read_layer);
    if (members.has("labelled")) {
        JsonMembers labelled(members.at("labelled"), "labelled");
        record.labelled = {labelled.get<std::uint64_t>("rows"),
                           labelled.get<std::uint64_t>("original"),
                           labelled.get<std::uint64_t>("quantized")};
        labelled.finish();
    }
    if (members.has("diagnosis")) {
        JsonMembers diagnosis(members.at("diagnosis"), "diagnosis");
        record.diagnosis = {diagnosis.get<double>("weights_db"),
                            diagnosis.get<double>("activations_db"),
                            diagnosis.get<double>("both_db")};
        diagnosis.finish();
    }
    if (members.has("sensitivity"))
        record.sensitivity = read_sensitivity(members.at("sensitivity"));
    members.finish();
    if (record.best < -1 || record.best >= std::ptrdiff_t(record.trials.size()))
        fail_input("the record: \"best\" is none of its trials");
    return record;
}

Json to_json(const SampleLook& look) {
    const auto& [total, learned, judged, generated, samples, pixels, guess, float_answers, warnings,
                 notes] = look;
    Json json{{"total", total},
              {"learned", learned},
              {"judged", judged},
              {"generated", generated},
              {"samples", list_json(samples, looked_at_json)},
              {"pixels", pixel_kinds[std::size_t(pixels)]},
              {"float_answers", float_answers},
              {"warnings", warnings},
              {"notes", notes}};
    if (guess) json["guess"] = sample_choice_json({.images = *guess});
    return json;
}

SampleLook read_sample_look(const Json& json) {
    JsonMembers members(json, "the look");
    SampleLook look{members.get<std::uint64_t>("total"), members.get<std::uint64_t>("learned"),
                    members.get<std::uint64_t>("judged"), members.get<bool>("generated"),
                    read_list(members.at("samples"), read_looked_at)};
    const auto pixels = members.get<std::string>("pixels");
    const auto* const kind = std::ranges::find(pixel_kinds, pixels);
    if (kind == pixel_kinds.end()) fail_input("the look: \"pixels\" knows no " + quote(pixels));
    look.pixels = PixelKind(kind - pixel_kinds.begin());
    look.float_answers = members.get<std::string>("float_answers");
    look.warnings = members.get<std::vector<std::string>>("warnings");
    look.notes = members.get<std::vector<std::string>>("notes");
    if (members.has("guess")) look.guess = read_sample_choice(members.at("guess")).images;
    members.finish();
    return look;
}

}  // namespace lapidary::app
