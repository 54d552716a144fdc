// SPDX-License-Identifier: Apache-2.0
#include "cli/ci/ci_limits.h"

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

#include "cli/ci/command_call.h"

namespace lapidary::cli {
namespace {

using Kind = LocatedJson::Kind;

constexpr const char* new_baseline = "it becomes the baseline";
constexpr double rounding = 1e-9;  // of changes in per cent

CiInterval interval_of(const LocatedJson& object, std::string_view name) {
    const LocatedJson& found = member_of(object, name, Kind::list);
    if (found.items.size() != 2) fail(ErrorCode::internal, "an interval without two ends");
    return {found.items[0].number, found.items[1].number};
}

std::string share_text(double share) { return fmt::format("{:.4f}", share); }

void set_unresolved(CiCheck& check, const CiReference& reference) {
    check.verdict = reference.is_update ? CiVerdict::reported : CiVerdict::unresolved;
    check.sentence = reference.is_update ? new_baseline : reference.why_none;
}

}  // namespace

CiCheck judge_growth(double bytes, const CiGrowth& limit, const CiReference& reference) {
    CiCheck check;
    check.unit = "bytes";
    check.now = bytes;
    check.then = reference.then;
    if (check.then && *check.then > 0) check.change = 100 * (bytes / *check.then - 1);
    check.sentence = bytes_text(bytes);
    if (check.change)
        check.sentence +=
            fmt::format(", {:+.2f} % against {}", *check.change, bytes_text(*check.then));
    if (limit.bytes) {
        check.limit = "at most " + bytes_text(*limit.bytes);
        check.verdict = bytes <= *limit.bytes ? CiVerdict::kept : CiVerdict::worse;
        check.sentence += fmt::format("; {} allowed", bytes_text(*limit.bytes));
    } else if (limit.per_cent) {
        check.limit = fmt::format("{:g} % larger", *limit.per_cent);
        if (!check.change || reference.is_update) {
            set_unresolved(check, reference);
            if (check.sentence.empty())
                check.sentence = "the baseline has no size above 0 to compare with";
            return check;
        }
        check.verdict =
            *check.change <= *limit.per_cent + rounding ? CiVerdict::kept : CiVerdict::worse;
        check.sentence += fmt::format("; {:g} % allowed", *limit.per_cent);
    }
    return check;
}

CiCheck judge_share(double share, const std::optional<CiInterval>& interval, const CiLimits& limits,
                    const CiReference& reference) {
    CiCheck check;
    check.unit = "share";
    check.now = share;
    check.interval = interval;
    check.then = reference.then;
    if (check.then) check.change = 100 * (share - *check.then);
    check.sentence = share_text(share);
    if (check.change)
        check.sentence +=
            fmt::format(", {:+.2f} points against {}", *check.change, share_text(*check.then));
    if (limits.least_accuracy) {
        check.limit = "at least " + share_text(*limits.least_accuracy);
        check.verdict = share >= *limits.least_accuracy ? CiVerdict::kept : CiVerdict::worse;
        check.sentence +=
            fmt::format("; at least {} asked for", share_text(*limits.least_accuracy));
    }
    if (!limits.accuracy_drop) return check;
    check.limit +=
        fmt::format("{}{:g} points less", check.limit.empty() ? "" : ", ", *limits.accuracy_drop);
    const std::string allowed = fmt::format("; {:g} points less allowed", *limits.accuracy_drop);
    if (check.verdict == CiVerdict::worse) {
        if (check.change && !reference.is_update) check.sentence += allowed;
        return check;
    }
    if (!check.change || reference.is_update) {
        const bool is_kept = check.verdict == CiVerdict::kept;
        set_unresolved(check, reference);
        if (is_kept && reference.is_update) check.verdict = CiVerdict::kept;
        return check;
    }
    check.verdict =
        *check.change >= -*limits.accuracy_drop - rounding ? CiVerdict::kept : CiVerdict::worse;
    check.sentence += allowed;
    return check;
}

CiCheck judge_time(const LocatedJson& configuration, const LocatedJson* held,
                   const std::optional<double>& most_per_cent, const CiReference& reference) {
    const LocatedJson& ours = member_of(configuration, "ours", Kind::object);
    CiCheck check;
    check.unit = "ms";
    check.now = number_of(ours, "median_ms");
    check.interval = interval_of(ours, "ci_ms");
    check.sentence = time_text(*check.now, check.interval->first, check.interval->second);
    if (most_per_cent) check.limit = fmt::format("{:g} % slower", *most_per_cent);
    const bool is_found = held && member_of(*held, "found", Kind::boolean).boolean;
    if (!is_found) {
        if (!most_per_cent) return check;
        set_unresolved(check, reference);
        if (held) check.sentence = "the baseline does not have this level";
        return check;
    }
    check.then = number_of(*held, "then_ms");
    check.change = number_of(*held, "change_per_cent");
    check.change_interval = interval_of(*held, "ci_per_cent");
    check.sentence +=
        fmt::format(", baseline {}: {:+.1f} % [{:+.1f}, {:+.1f}]", time_text(*check.then),
                    *check.change, check.change_interval->first, check.change_interval->second);
    if (!most_per_cent) return check;
    const std::string& verdict = member_of(*held, "verdict", Kind::text).text;
    check.verdict = verdict == "passes"  ? CiVerdict::kept
                    : verdict == "fails" ? CiVerdict::worse
                                         : CiVerdict::unresolved;
    check.sentence = fmt::format(
        "{}, baseline {}: {}", time_text(*check.now, check.interval->first, check.interval->second),
        time_text(*check.then), member_of(*held, "sentence", Kind::text).text);
    if (check.verdict == CiVerdict::unresolved)
        check.sentence += fmt::format(
            "; raise \"gate_seconds\" to measure for longer now, raise \"seconds\" and write the "
            "baseline anew where it is what is not known well, or measure both models in turn: "
            "lapidary-cli compare OLD NEW --max-regress {:g}",
            *most_per_cent);
    return check;
}

}  // namespace lapidary::cli
