// SPDX-License-Identifier: Apache-2.0
#include <lapidary/export/passport.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/export/requirement.h>

#include "base/files/checksum.h"
#include "graph/traversal.h"
#include "ops/channel_block.h"
#include "passes/layout/unblock_layout.h"

namespace lapidary {
namespace {

constexpr std::string_view edits_key = "lapidary.edits", edits_after_key = "lapidary.edits_after";

struct Entry {
    std::string_view key;
    std::string Passport::*text;
};
constexpr std::array<Entry, 13> entries_of_file{{
    {"lapidary.engine", &Passport::engine},
    {"lapidary.level", &Passport::level},
    {"lapidary.passes", &Passport::passes},
    {"lapidary.options", &Passport::options},
    {edits_key, &Passport::edits},
    {edits_after_key, &Passport::edits_after},
    {"lapidary.target", &Passport::target},
    {"lapidary.needs", &Passport::needs},
    {"lapidary.source", &Passport::source},
    {"lapidary.source_sha256", &Passport::source_sha256},
    {"lapidary.source_data_sha256", &Passport::data_sha256},
    {layout_key, &Passport::layout},
    {channel_block_key, &Passport::channel_block},
}};

/// In the order in which the passes first ran.
std::string applied_passes(const PipelineReport& report) {
    std::vector<std::pair<std::string, std::size_t>> counts;
    for (const PassRun& run : report.passes) {
        if (run.applied == 0) continue;
        const auto known =
            std::ranges::find(counts, run.pass, &std::pair<std::string, std::size_t>::first);
        if (known == counts.end()) counts.emplace_back(run.pass, run.applied);
        else known->second += run.applied;
    }
    std::string text;
    for (const auto& [pass, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", pass, count);
    return text;
}

/// Members in alphabetical order, without those that have their default.
std::string options_text(const ExportOptions& options) {
    const OptimizeOptions &given = options.optimize, usual;
    nlohmann::json json = nlohmann::json::object();
    const auto add = [&](const char* name, const auto& value, const auto& ordinary) {
        if (value != ordinary) json[name] = value;
    };
    add("disabled_passes", given.disabled_passes, usual.disabled_passes);
    add("enabled_passes", given.enabled_passes, usual.enabled_passes);
    add("only_passes", given.only_passes, usual.only_passes);
    add("dimensions", given.free_dimensions, usual.free_dimensions);
    add("outputs", given.keep_outputs, usual.keep_outputs);
    add("provider", given.provider, usual.provider);
    add("channel_block", given.channel_block, usual.channel_block);
    for (const RuleText& rules : given.rules)  // by name; the rules that applied are passes
        json["rules"].push_back(std::filesystem::path(rules.file).filename().string());
    if (given.stop_after) json["stop_after"] = *given.stop_after;
    if (options.static_batch) json["static_batch"] = *options.static_batch;
    if (options.opset) json["opset"] = *options.opset;
    if (options.release) json["release"] = fmt::format("1.{}", *options.release);
    return json.empty() ? std::string()
                        : json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string_view without_provider(std::string_view layout) {
    return layout.starts_with("cpu ") ? layout.substr(4) : layout;
}

void add_source(Passport& passport, const Model& source, std::vector<std::string>& notes,
                const Progress& progress) {
    passport.source = source.path.empty() ? source.graph.name() : source.path.filename().string();
    if (source.path.empty()) return;
    const auto digest = [&](const std::vector<std::filesystem::path>& files,
                            std::uint64_t bytes) -> std::string {
        try {
            FileDigest known = sha256_of_files(files, progress.cancel);
            if (known.bytes == bytes || bytes == 0) return std::move(known.sha256);
            notes.push_back(
                fmt::format("the SHA-256 of {} is not in the file's passport: it had {} bytes when "
                            "it was read and has {} now",
                            files.front().filename().string(), bytes, known.bytes));
        } catch (const Error& error) {
            if (error.code() != ErrorCode::io_failure) throw;
            notes.push_back("the SHA-256 of the source is not in the file's passport: " +
                            std::string(error.what()));
        }
        return {};
    };
    passport.source_sha256 = digest({source.path}, source.file_bytes);
    if (!source.external_files.empty()) passport.data_sha256 = digest(source.external_files, 0);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Passport::entries() const {
    std::vector<std::pair<std::string, std::string>> list;
    for (const Entry& entry : entries_of_file)
        if (const std::string& text = this->*entry.text; !text.empty())
            list.emplace_back(entry.key, text);
    return list;
}

bool is_passport_key(std::string_view key) {
    return std::ranges::find(entries_of_file, key, &Entry::key) != entries_of_file.end();
}

std::optional<Passport> passport_of(const Model& model) {
    Passport passport;
    bool any = false;
    for (const auto& [key, value] : model.metadata) {
        const auto entry = std::ranges::find(entries_of_file, key, &Entry::key);
        if (entry == entries_of_file.end()) continue;
        passport.*entry->text = value;
        any = true;
    }
    return any ? std::optional(passport) : std::nullopt;
}

void stamp_passport(ExportResult& result, const Model& source, const ExportOptions& options,
                    const Progress& progress) {
    Model& model = result.model;
    Passport passport;
    if (const auto there = passport_of(model)) {
        passport.layout = there->layout;
        passport.channel_block = there->channel_block;
    }
    passport.engine = std::string("Lapidary ") + LAPIDARY_VERSION;
    passport.level = name_of(result.report.level);
    passport.passes = applied_passes(result.report);
    passport.options = options_text(options);
    passport.target = options.target ? info_of(*options.target).name : "none";
    passport.needs = requirement_of(model).sentence;
    progress.step("check sum of the source");
    add_source(passport, source, result.notes, progress);
    std::erase_if(model.metadata, [](const auto& entry) { return is_passport_key(entry.first); });
    for (auto& entry : passport.entries()) model.metadata.push_back(std::move(entry));
}

void stamp_edits(Model& model, const std::string& script) {
    if (!script.empty()) model.metadata.emplace_back(edits_key, script);
}

void stamp_edits_after(Model& model, const std::string& script) {
    if (!script.empty()) model.metadata.emplace_back(edits_after_key, script);
}

std::string foreign_layout(const Model& model) {
    if (!channel_block_problem(model).empty()) return {};
    const std::int64_t block = channel_block_of(model);
    if (block == 0 || block == cpu_channel_block()) return {};
    const auto passport = passport_of(model);
    const std::string made_for = passport && !passport->layout.empty()
                                     ? std::string(without_provider(passport->layout))
                                     : "another CPU";
    return fmt::format("laid out for {} (blocks of {} channels), this CPU has {} (blocks of {})",
                       made_for, block, cpu_vector_instructions(), cpu_channel_block());
}

std::string fit_layout(Model& model, const Progress& progress) {
    const std::string foreign = foreign_layout(model);
    if (foreign.empty()) return {};
    const auto passport = passport_of(model);
    Model fitted = model;
    try {
        unblock_layout(fitted);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_supported) throw;
        fail_unsupported("the model is " + foreign +
                         ", and cannot be re-blocked: " + error.message());
    }
    OptimizeOptions layout;
    layout.level = Level::all;
    layout.only_passes = {"block_channels"};
    layout.near_misses = false;
    fitted = optimize(fitted, layout, progress).model;
    model = std::move(fitted);
    const std::string made_for = passport && !passport->layout.empty()
                                     ? std::string(without_provider(passport->layout))
                                     : "another CPU";
    return fmt::format("laid out for {}, re-blocked for {}", made_for, cpu_vector_instructions());
}

}  // namespace lapidary
