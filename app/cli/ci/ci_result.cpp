// SPDX-License-Identifier: Apache-2.0
#include "cli/ci/ci_result.h"

#include <algorithm>

#include "cli/exit_code.h"

namespace lapidary::cli {

std::string_view name_of(CiVerdict verdict) {
    switch (verdict) {
    case CiVerdict::kept: return "kept";
    case CiVerdict::reported: return "reported";
    case CiVerdict::unresolved: return "unresolved";
    case CiVerdict::broken: return "broken";
    case CiVerdict::worse: break;
    }
    return "worse";
}

std::string_view name_of(CiKind kind) {
    switch (kind) {
    case CiKind::model: return "model";
    case CiKind::baseline: return "baseline";
    case CiKind::guard: return "guard";
    case CiKind::reference: return "reference";
    case CiKind::size: return "size";
    case CiKind::time: return "time";
    case CiKind::memory: return "memory";
    case CiKind::accuracy: break;
    }
    return "accuracy";
}

std::string title_of(const CiCheck& check) {
    std::string title(name_of(check.kind));
    if (check.level) title.append(" at level ").append(name_of(*check.level));
    return title;
}

std::size_t count_of(const CiResult& result, CiVerdict verdict) {
    std::size_t count = 0;
    for (const CiModelResult& model : result.models)
        count +=
            static_cast<std::size_t>(std::ranges::count(model.checks, verdict, &CiCheck::verdict));
    return count;
}

CiVerdict worst_of(const CiResult& result) {
    CiVerdict worst = CiVerdict::reported;
    bool has_kept = false;
    for (const CiModelResult& model : result.models)
        for (const CiCheck& check : model.checks) {
            worst = std::max(worst, check.verdict);
            has_kept = has_kept || check.verdict == CiVerdict::kept;
        }
    return worst == CiVerdict::reported && has_kept ? CiVerdict::kept : worst;
}

int exit_code_of(const CiResult& result) {
    switch (worst_of(result)) {
    case CiVerdict::worse: return exit_check_failed;
    case CiVerdict::broken: return exit_bad_input;
    case CiVerdict::unresolved: return exit_unresolved;
    case CiVerdict::kept:
    case CiVerdict::reported: break;
    }
    return exit_fine;
}

}  // namespace lapidary::cli
