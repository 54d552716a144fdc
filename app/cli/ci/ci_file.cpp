// SPDX-License-Identifier: Apache-2.0
#include "cli/ci/ci_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/located_json.h>
#include <lapidary/internal/nearest_name.h>
#include <lapidary/internal/text_file.h>

#include "cli/bench/bench_models.h"
#include "cli/models/model_argument.h"

namespace lapidary::cli {
namespace {

using Kind = LocatedJson::Kind;

constexpr std::uint64_t most_ci_bytes = 4 << 20;
constexpr int most_ci_threads = 1024;
constexpr double most_whole_number = 9007199254740992;  // that a double has exactly
constexpr double most_ci_limit_bytes = 1e18;

std::string_view kind_name(Kind kind) {
    switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return "true or false";
    case Kind::number: return "a number";
    case Kind::text: return "a text";
    case Kind::list: return "a list";
    case Kind::object: break;
    }
    return "an object";
}

/// Reads values of one file, and refuses what does not fit with file and line.
class CiReader {
public:
    explicit CiReader(const std::filesystem::path& path)
        : path_(path.string()), folder_(path.parent_path()) {}

    [[noreturn]] void refuse(const LocatedJson& at, const std::string& reason) const {
        fail_input(fmt::format("{}, line {}: {}", path_, at.line, reason));
    }

    /// Refuses another kind, and members that are not among `known`, or are there twice.
    void expect_object(const LocatedJson& value, const std::string& what,
                       const std::vector<std::string>& known) const {
        expect(value, Kind::object, what);
        for (std::size_t i = 0; i < value.names.size(); ++i) {
            const std::string& name = value.names[i];
            if (std::ranges::find(known, name) == known.end())
                refuse(value.items[i], fmt::format("{} has no member {}{}", what, quote(name),
                                                   did_you_mean(name, known)));
        }
        refuse_twins(value);
    }

    /// An object with members of any name, each of them once.
    void expect_names(const LocatedJson& value, const std::string& what) const {
        expect(value, Kind::object, what);
        refuse_twins(value);
    }

    void expect(const LocatedJson& value, Kind kind, const std::string& what) const {
        if (!value.is(kind))
            refuse(value, fmt::format("{}: expected {}, found {}", what, kind_name(kind),
                                      kind_name(value.kind)));
    }

    std::string text(const LocatedJson& value, const std::string& what) const {
        expect(value, Kind::text, what);
        if (value.text.empty()) refuse(value, what + ": expected a text, found an empty one");
        return value.text;
    }

    double number(const LocatedJson& value, const std::string& what, double least,
                  double most) const {
        expect(value, Kind::number, what);
        if (!(value.number >= least && value.number <= most))
            refuse(value, fmt::format("{}: expected a number from {} to {}, found {}", what, least,
                                      most, value.number));
        return value.number;
    }

    std::int64_t whole(const LocatedJson& value, const std::string& what, double least,
                       double most) const {
        const double found = number(value, what, least, most);
        if (found != std::floor(found))
            refuse(value, fmt::format("{}: expected a whole number, found {}", what, found));
        return static_cast<std::int64_t>(found);
    }

    /// "5%", "5 %" or 5.
    double per_cent(const LocatedJson& value, const std::string& what) const {
        double found = value.number;
        if (!value.is(Kind::number)) {
            const auto parsed = amount(text(value, what));
            if (!parsed || (parsed->second != "%" && !parsed->second.empty()))
                refuse(value, fmt::format("{}: expected per cent such as \"5%\", found {}", what,
                                          quote(value.text)));
            found = parsed->first;
        }
        if (!(found >= 0 && std::isfinite(found)))
            refuse(value, what + ": expected at least 0 per cent");
        return found;
    }

    /// "5%", or "200 MB" (1e6 bytes), "200MiB".
    CiGrowth growth(const LocatedJson& value, const std::string& what) const {
        const auto parsed = amount(text(value, what));
        if (parsed && parsed->second == "%" && parsed->first >= 0)
            return {.per_cent = parsed->first};
        static const std::map<std::string, double> units{{"B", 1},
                                                         {"kB", 1e3},
                                                         {"KB", 1e3},
                                                         {"MB", 1e6},
                                                         {"GB", 1e9},
                                                         {"KiB", 1024.0},
                                                         {"MiB", 1024.0 * 1024},
                                                         {"GiB", 1024.0 * 1024 * 1024}};
        const auto unit = parsed ? units.find(parsed->second) : units.end();
        if (unit == units.end() || !(parsed->first >= 0))
            refuse(value, fmt::format("{}: expected a growth such as \"5%\", or a size such as "
                                      "\"200 MB\", found {}",
                                      what, quote(value.text)));
        const double bytes = parsed->first * unit->second;
        if (bytes > most_ci_limit_bytes)
            refuse(value, fmt::format("{}: expected at most a billion GB, found {}", what,
                                      quote(value.text)));
        return {.bytes = bytes};
    }

    /// A path relative to the file's folder.
    std::filesystem::path path(const LocatedJson& value, const std::string& what) const {
        return folder_ / text(value, what);
    }

    const std::filesystem::path& folder() const { return folder_; }

private:
    void refuse_twins(const LocatedJson& object) const {
        std::set<std::string> met;
        for (std::size_t i = 0; i < object.names.size(); ++i)
            if (!met.insert(object.names[i]).second)
                refuse(object.items[i],
                       fmt::format("the member {} is there twice", quote(object.names[i])));
    }

    /// A number and the unit behind it.
    static std::optional<std::pair<double, std::string>> amount(const std::string& text) {
        double found = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
        if (error != std::errc() || !std::isfinite(found)) return {};
        std::string unit(end, text.data() + text.size());
        unit.erase(0, unit.find_first_not_of(' ') == std::string::npos
                          ? unit.size()
                          : unit.find_first_not_of(' '));
        return std::pair(found, unit);
    }

    std::string path_;
    std::filesystem::path folder_;
};

void read_ci_limits(const CiReader& reader, const LocatedJson& value, CiLimits& limits) {
    reader.expect_object(value, "limits",
                         {"slower", "memory", "size", "accuracy", "accuracy_drop"});
    if (const auto* found = value.find("slower"))
        limits.slower_per_cent = reader.per_cent(*found, "slower");
    if (const auto* found = value.find("memory")) limits.memory = reader.growth(*found, "memory");
    if (const auto* found = value.find("size")) limits.size = reader.growth(*found, "size");
    if (const auto* found = value.find("accuracy"))
        limits.least_accuracy = reader.number(*found, "accuracy", 0, 1);
    if (const auto* found = value.find("accuracy_drop"))
        limits.accuracy_drop = reader.per_cent(*found, "accuracy_drop");
}

/// A number, or a list of them: "127.5", "1,2,3", with all their digits.
std::string read_channels(const CiReader& reader, const LocatedJson& value,
                          const std::string& what) {
    if (!value.is(Kind::list)) return fmt::format("{}", reader.number(value, what, -1e9, 1e9));
    std::string joined;
    for (const LocatedJson& item : value.items)
        joined +=
            fmt::format("{}{}", joined.empty() ? "" : ",", reader.number(item, what, -1e9, 1e9));
    if (joined.empty()) reader.refuse(value, what + ": expected numbers, found an empty list");
    return joined;
}

CiAccuracy read_ci_accuracy(const CiReader& reader, const LocatedJson& value) {
    reader.expect_object(value, "accuracy", {"data", "labels", "metric", "mean", "std", "arrays"});
    CiAccuracy accuracy;
    const LocatedJson* data = value.find("data");
    const LocatedJson* labels = value.find("labels");
    if (!data || !labels) reader.refuse(value, "accuracy needs \"data\" and \"labels\"");
    accuracy.data = reader.path(*data, "data");
    accuracy.labels = reader.path(*labels, "labels").string();
    if (const auto* metric = value.find("metric")) {
        accuracy.metric = reader.text(*metric, "metric");
        const auto& known = accuracy_metrics();
        if (std::ranges::find(known, accuracy.metric) == known.end())
            reader.refuse(
                *metric,
                fmt::format("there is no metric {}{}; known are {}", quote(accuracy.metric),
                            did_you_mean(accuracy.metric, known), fmt::join(known, ", ")));
    }
    if (const auto* mean = value.find("mean")) accuracy.mean = read_channels(reader, *mean, "mean");
    if (const auto* deviation = value.find("std"))
        accuracy.deviation = read_channels(reader, *deviation, "std");
    if (const auto* arrays = value.find("arrays")) {
        reader.expect_names(*arrays, "arrays");
        for (std::size_t i = 0; i < arrays->names.size(); ++i)
            accuracy.arrays[arrays->names[i]] = reader.text(arrays->items[i], "arrays");
    }
    return accuracy;
}

CiRecorded read_ci_reference(const CiReader& reader, const LocatedJson& value) {
    reader.expect_object(value, "reference", {"inputs", "expected"});
    const LocatedJson* inputs = value.find("inputs");
    const LocatedJson* expected = value.find("expected");
    if (!inputs || !expected) reader.refuse(value, "reference needs \"inputs\" and \"expected\"");
    return {reader.path(*inputs, "inputs"), reader.path(*expected, "expected")};
}

std::vector<Level> read_ci_levels(const CiReader& reader, const LocatedJson& value) {
    static const std::vector<std::string> known{"disabled", "basic", "extended", "all"};
    reader.expect(value, Kind::list, "levels");
    std::vector<Level> levels;
    for (const LocatedJson& item : value.items) {
        const std::string name = reader.text(item, "levels");
        const std::optional<Level> level = level_from_name(name);
        if (!level || *level > Level::all)
            reader.refuse(item, fmt::format("there is no level {}{}; known are {}", quote(name),
                                            did_you_mean(name, known), fmt::join(known, ", ")));
        if (std::ranges::find(levels, *level) != levels.end())
            reader.refuse(item, fmt::format("the level {} is there twice", quote(name)));
        levels.push_back(*level);
    }
    if (levels.empty()) reader.refuse(value, "levels: expected at least one, found none");
    return levels;
}

const std::vector<std::string> model_members{
    "levels", "threads", "dimensions",   "inputs",    "rules",    "rtol",  "atol",
    "seeds",  "seconds", "gate_seconds", "reference", "accuracy", "limits"};

/// Members that a model and "defaults" share. What is not there stays as it is.
void read_ci_settings(const CiReader& reader, const LocatedJson& value, CiModel& model) {
    if (const auto* levels = value.find("levels")) model.levels = read_ci_levels(reader, *levels);
    if (const auto* threads = value.find("threads"))
        model.threads = static_cast<int>(reader.whole(*threads, "threads", 1, most_ci_threads));
    if (const auto* dimensions = value.find("dimensions")) {
        reader.expect_names(*dimensions, "dimensions");
        for (std::size_t i = 0; i < dimensions->names.size(); ++i)
            model.dimensions[dimensions->names[i]] =
                reader.whole(dimensions->items[i], "dimensions", 0, most_whole_number);
    }
    if (const auto* inputs = value.find("inputs")) model.inputs = reader.path(*inputs, "inputs");
    if (const auto* rules = value.find("rules")) {
        reader.expect(*rules, Kind::list, "rules");
        model.rules.clear();
        for (const LocatedJson& item : rules->items)
            model.rules.push_back(reader.path(item, "rules"));
    }
    if (const auto* found = value.find("rtol")) model.rtol = reader.number(*found, "rtol", 0, 1e9);
    if (const auto* found = value.find("atol")) model.atol = reader.number(*found, "atol", 0, 1e9);
    if (const auto* found = value.find("seeds"))
        model.seeds = static_cast<int>(reader.whole(*found, "seeds", 1, 1000));
    if (const auto* found = value.find("seconds"))
        model.seconds = reader.number(*found, "seconds", 0.01, 86400);
    if (const auto* found = value.find("gate_seconds"))
        model.gate_seconds = reader.number(*found, "gate_seconds", 0.01, 86400);
    if (const auto* found = value.find("reference"))
        model.reference = read_ci_reference(reader, *found);
    if (const auto* found = value.find("accuracy"))
        model.accuracy = read_ci_accuracy(reader, *found);
    if (const auto* limits = value.find("limits")) read_ci_limits(reader, *limits, model.limits);
}

/// Refuses a limit of a figure that is not measured.
void check_ci_limits(const CiReader& reader, const LocatedJson& value, const CiModel& model) {
    const bool needs_data = model.limits.least_accuracy || model.limits.accuracy_drop;
    if (needs_data && !model.accuracy)
        reader.refuse(value, fmt::format("{} has a limit of accuracy, and no \"accuracy\" with "
                                         "\"data\" and \"labels\" to measure it on",
                                         quote(model.name)));
}

/// Whether it can be the name of a file on any system.
bool is_file_name(const std::string& name) {
    return !name.empty() && name.front() != '.' && name.size() <= 100 &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '-';
           });
}

CiModel read_ci_model(const CiReader& reader, const LocatedJson& value, CiModel model) {
    std::vector<std::string> known = model_members;
    known.insert(known.begin(), {"model", "name"});
    reader.expect_object(value, "a model", known);
    const LocatedJson* argument = value.find("model");
    if (!argument) reader.refuse(value, "a model needs \"model\", its file or sample:NAME");
    model.argument = reader.text(*argument, "model");
    model.name = model_name(model.argument);
    if (sample_of(model.argument).empty())
        model.argument = (reader.folder() / model.argument).string();
    // the commands that ci runs would take it for an option
    if (model.argument.starts_with('-')) model.argument.insert(0, "./");
    const LocatedJson* name = value.find("name");
    if (name) model.name = reader.text(*name, "name");
    if (!is_file_name(model.name))
        reader.refuse(name ? *name : *argument,
                      fmt::format("{} is no name for a baseline: give a \"name\" of letters, "
                                  "digits, \".\", \"_\" and \"-\"",
                                  quote(model.name)));
    read_ci_settings(reader, value, model);
    check_ci_limits(reader, value, model);
    return model;
}

}  // namespace

const std::vector<std::string>& accuracy_metrics() {
    static const std::vector<std::string> metrics{"top1",     "topk", "macro_f1",
                                                  "mean_iou", "map",  "mean_cosine"};
    return metrics;
}

CiFile load_ci_file(const std::filesystem::path& path) {
    const LocatedJson json = parse_located_json(load_text(path, most_ci_bytes), path.string());
    const CiReader reader(path);
    reader.expect_object(json, "the file", {"baselines", "defaults", "models"});
    CiFile file;
    file.path = path;
    const LocatedJson* baselines = json.find("baselines");
    file.baselines =
        baselines ? reader.path(*baselines, "baselines") : reader.folder() / "ci-baselines";
    CiModel usual;
    if (const auto* defaults = json.find("defaults")) {
        reader.expect_object(*defaults, "defaults", model_members);
        read_ci_settings(reader, *defaults, usual);
    }
    const LocatedJson* models = json.find("models");
    if (!models) reader.refuse(json, "the file needs \"models\", a list");
    reader.expect(*models, Kind::list, "models");
    if (models->items.empty()) reader.refuse(*models, "models: expected at least one, found none");
    std::set<std::string> names;
    for (const LocatedJson& value : models->items) {
        file.models.push_back(read_ci_model(reader, value, usual));
        if (!names.insert(file.models.back().name).second)
            reader.refuse(value, fmt::format("two models have the name {}: give one another "
                                             "\"name\"",
                                             quote(file.models.back().name)));
    }
    return file;
}

}  // namespace lapidary::cli
