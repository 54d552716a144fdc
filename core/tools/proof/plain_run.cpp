// SPDX-License-Identifier: Apache-2.0
#include "proof/plain_run.h"

#include <cmath>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

constexpr double most_run_ms = 500;

}  // namespace

void PlainRun::run() {
    if (run_ms_ > most_run_ms) {
        why_not_ = fmt::format("a run takes {:.0f} ms, plain kernels would take minutes", run_ms_);
        return;
    }
    progress_->step("run the original by plain kernels", -1);
    try {
        SessionOptions options;
        options.reference_kernels = true;
        Session session = Session::compile(ModelPtr(ModelPtr(), model_), options, *progress_);
        RunOptions running;
        running.cancel = progress_->cancel;
        outputs_ = session.run(*inputs_, running).outputs;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        why_not_ = error.what();
    }
}

std::optional<double> PlainRun::moves(const std::string& name, const RuntimeValue& fast) {
    if (!outputs_ && why_not_.empty()) run();
    const RuntimeValue* plain = outputs_ ? find(*outputs_, name) : nullptr;
    if (!plain) return std::nullopt;
    const double most = compare(*plain, fast, {0, 0}).max_abs;
    return std::isfinite(most) ? std::optional(most) : std::nullopt;
}

bool is_exact(const RuntimeValue& value) {
    if (value.is_tensor()) return is_integer(value.tensor().dtype());
    if (value.is_sequence())
        return !value.sequence().items.empty() && is_exact(value.sequence().items.front());
    return value.is_map() && is_integer(value.map().values.dtype());
}

bool may_be_rounding(const Comparison& comparison) {
    return comparison.mismatches > 0 && std::isfinite(comparison.max_abs) &&
           (comparison.sqnr_db >= 20 || comparison.relative() <= 0.02);
}

}  // namespace lapidary
