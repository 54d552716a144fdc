// SPDX-License-Identifier: Apache-2.0
#include "passes/pass_list.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <lapidary/passes/device_passes.h>
#include <lapidary/passes/user_rules.h>
#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "base/at.h"

namespace lapidary {

namespace passes {
#define LAPIDARY_PASS(order, name, level, providers, state, ort, summary) PassBody name();
#define LAPIDARY_SESSION_PASS(group, order, name, providers, state, ort, summary) PassBody name();
#include "passes/pass_list.inc"
#undef LAPIDARY_SESSION_PASS
#undef LAPIDARY_PASS
}  // namespace passes

namespace {

constexpr bool on = true;
[[maybe_unused]] constexpr bool off = false;

std::vector<std::string_view> split(std::string_view list, char separator) {
    std::vector<std::string_view> out;
    while (!list.empty()) {
        const std::size_t at = list.find(separator);
        if (at != 0) out.push_back(list.substr(0, at));
        list = at == std::string_view::npos ? std::string_view() : list.substr(at + 1);
    }
    return out;
}

/// ORT's two transformers that only hold rules: naming one names all of them.
std::string_view rules_of_container(std::string_view name) {
    if (name == "Level1_RuleBasedTransformer")
        return "EliminateIdentity,EliminateSlice,UnsqueezeElimination,EliminateDropout,"
               "ExpandElimination,"
               "CastElimination,CastChainElimination,"
               "PreShapeNodeElimination,NoopElimination,DivMulFusion,FuseReluClip,GemmSumFusion,"
               "GemmTransposeFusion,"
               "NotWhereFusion,ConvAddFusion,"
               "ConvMulFusion,ConvBNFusion,Pad_Fusion,MatMul_BatchNormalization_Fusion,"
               "LabelEncoderFusion";
    if (name == "Level2_RuleBasedTransformer")
        return "ClipQuantRewrite,ReluQuantRewrite,GemmTransposeFusion";
    return name;
}

/// ORT also names what it runs at several levels with the level: GeluFusionL2.
std::string_view without_level(std::string_view name) {
    const bool has_level =
        name.size() > 2 && name[name.size() - 2] == 'L' && name.back() >= '1' && name.back() <= '4';
    return has_level ? name.substr(0, name.size() - 2) : name;
}

bool answers_to(const PassInfo& info, std::string_view name) {
    if (info.name == name) return true;
    name = without_level(name);
    const auto wanted = split(rules_of_container(name), ',');
    return std::ranges::any_of(split(info.ort_names, ','), [&](std::string_view own) {
        return std::ranges::find(wanted, own) != wanted.end();
    });
}

std::string nearest_passes(std::string_view name, std::span<const PassEntry> entries) {
    std::vector<std::string> known;
    for (const PassEntry& entry : entries) {
        known.emplace_back(entry.info.name);
        for (std::string_view ort : split(entry.info.ort_names, ',')) known.emplace_back(ort);
    }
    std::string text;
    for (const std::string& near : nearest_names(name, known))
        text += (text.empty() ? "" : ", ") + quote(near);
    return text;
}

/// Names of rules are left out where `entries` has no rules: they mean nothing to sessions.
void collect(const std::vector<std::string>& names, std::span<const PassEntry> entries,
             std::set<std::string_view>& out) {
    const bool has_rules = std::ranges::any_of(
        entries, [](const PassEntry& e) { return e.info.level == Level::user; });
    for (const std::string& name : names) {
        if (!has_rules && name.starts_with(user_pass_prefix)) continue;
        bool found = false;
        for (const PassEntry& entry : entries) {
            if (!answers_to(entry.info, name)) continue;
            out.insert(entry.info.name);
            found = true;
        }
        if (!found)
            fail_input("there is no pass named " + quote(name) + "; the nearest are " +
                       nearest_passes(name, entries));
    }
}

}  // namespace

std::span<const PassEntry> pass_entries() {
    static const std::vector<PassEntry> entries = [] {
        std::vector<PassEntry> list{
#define LAPIDARY_PASS(order, name, level, providers, state, ort, summary) \
    PassEntry{PassInfo{#name, Level::level, order, providers, state, ort, summary}, &passes::name},
#define LAPIDARY_SESSION_PASS(group, order, name, providers, state, ort, summary)     \
    PassEntry{PassInfo{#name, Level::session, order, providers, state, ort, summary}, \
              &passes::name, PassGroup::group},
#include "passes/pass_list.inc"
#undef LAPIDARY_SESSION_PASS
#undef LAPIDARY_PASS
        };
        std::ranges::stable_sort(list, [](const PassEntry& a, const PassEntry& b) {
            return std::tuple(a.info.level, a.group, a.info.order) <
                   std::tuple(b.info.level, b.group, b.info.order);
        });
        return list;
    }();
    return entries;
}

std::span<const PassInfo> all_passes() {
    static const std::vector<PassInfo> infos = [] {
        std::vector<PassInfo> list;
        for (const PassEntry& e : pass_entries()) list.push_back(e.info);
        return list;
    }();
    return infos;
}

std::vector<const PassInfo*> find_passes(std::string_view name) {
    std::vector<const PassInfo*> out;
    for (const PassInfo& p : all_passes())
        if (answers_to(p, name)) out.push_back(&p);
    return out;
}

std::string_view name_of(Level level) {
    constexpr std::string_view names[] = {"disabled", "basic",   "extended",
                                          "all",      "session", "user"};
    return at(names, level);
}

std::string_view name_of(SessionPasses::Set set) {
    constexpr std::string_view names[] = {"none", "preparing", "all"};
    return at(names, set);
}

SessionPasses::Set session_passes_at(Level level) {
    return session_passes_for(std::nullopt, level);
}

SessionPasses::Set session_passes_for(std::optional<bool> choice, Level level) {
    return choice.value_or(level >= Level::extended) ? SessionPasses::Set::all
                                                     : SessionPasses::Set::preparing;
}

std::optional<Level> level_from_name(std::string_view name) {
    // ORT: GraphOptimizationLevel, and the levels of its graph transformers. Its layout belongs to
    // our last level.
    constexpr std::pair<std::string_view, Level> others[] = {
        {"ORT_DISABLE_ALL", Level::disabled},
        {"ORT_ENABLE_BASIC", Level::basic},
        {"ORT_ENABLE_EXTENDED", Level::extended},
        {"ORT_ENABLE_LAYOUT", Level::all},
        {"ORT_ENABLE_ALL", Level::all},
        {"Level1", Level::basic},
        {"Level2", Level::extended},
        {"Level3", Level::all}};
    for (const auto& [other, level] : others)
        if (other == name) return level;
    for (Level level : {Level::disabled, Level::basic, Level::extended, Level::all})
        if (name_of(level) == name) return level;
    return std::nullopt;
}

std::span<const PassEntry> session_entries() {
    const std::span<const PassEntry> all = pass_entries();
    const auto first =
        std::ranges::find(all, Level::session, [](const PassEntry& e) { return e.info.level; });
    return all.subspan(static_cast<std::size_t>(first - all.begin()));
}

std::vector<std::string> skipped_passes(const OptimizeOptions& options) {
    return skipped_passes(options, pass_entries());
}

std::vector<std::string> skipped_passes(const OptimizeOptions& options,
                                        std::span<const PassEntry> entries) {
    std::set<std::string_view> disabled, enabled, only;
    collect(options.disabled_passes, entries, disabled);
    collect(options.enabled_passes, entries, enabled);
    collect(options.only_passes, entries, only);
    std::vector<std::string> out;
    for (const PassEntry& entry : entries) {
        const PassInfo& p = entry.info;
        const auto providers = split(p.providers, ' ');
        const auto is_listed = [&](std::string_view name) {
            return std::ranges::find(providers, name) != providers.end();
        };
        const bool meant = p.providers == "all" || is_listed(options.provider) ||
                           (is_for_devices(options.provider) && is_listed(device_passes));
        std::string why;
        if (disabled.contains(p.name)) why = "switched off";
        else if (p.level == Level::session && options.session_passes == SessionPasses::Set::none)
            why = "sessions run it on their own copy of the model";
        else if (!options.only_passes.empty())
            why = only.contains(p.name) ? "" : "not among the passes asked for";
        else if (entry.group == PassGroup::fuse &&
                 options.session_passes != SessionPasses::Set::all)
            why = "fuses nodes, which sessions do from level extended on";
        else if (p.level == Level::session && meant) why = "";
        else if (p.level == Level::user) why = "";
        else if (p.level != Level::session && p.level > options.level)
            why = "belongs to level " + std::string(name_of(p.level));
        else if (!p.on_by_default && !enabled.contains(p.name)) why = "off by default";
        else if (!meant && !enabled.contains(p.name))
            why =
                "meant for the provider " + std::string(p.providers) + ", not " + options.provider;
        out.push_back(std::move(why));
    }
    return out;
}

}  // namespace lapidary
