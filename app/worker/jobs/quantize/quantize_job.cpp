// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/quantize/quantize_job.h"

#include "worker/jobs/job_kind.h"
#include "worker/jobs/quantize/quantize_run.h"

namespace lapidary {

template <>
struct EnumNames<app::QuantizeGoal> {
    using enum app::QuantizeGoal;
    static constexpr std::array values{accurate, fast, small};
};
template <>
struct EnumNames<AccuracyFloor::Measure> {
    using enum AccuracyFloor::Measure;
    static constexpr std::array values{sqnr, flips};
};
template <>
struct Members<AccuracyFloor> {
    using T = AccuracyFloor;
    static constexpr auto list =
        members<T>(member<&T::measure>("measure"), member<&T::bound>("bound"));
};
template <>
struct Members<app::QuantizeJob> {
    using T = app::QuantizeJob;
    static constexpr auto list = members<T>(
        member<&T::model>("model").required(), member<&T::quantization>("quantization").required(),
        member<&T::search>("search"), member<&T::rank>("rank"), member<&T::inspect>("inspect"),
        member<&T::both_modes>("both_modes"), member<&T::budget_seconds>("budget_seconds"),
        member<&T::measure_seconds>("measure_seconds"), member<&T::goal>("goal"),
        member<&T::floor>("floor"), member<&T::threads>("threads"),
        member<&T::folder>("folder").required(), member<&T::labels>("labels"),
        member<&T::data_warnings>("of_data"));
};
template <>
struct Members<app::QuantizeTrial> {
    using T = app::QuantizeTrial;
    static constexpr auto list = members<T>(
        member<&T::options>("options"), member<&T::sqnr_db>("sqnr_db"),
        member<&T::low_db>("low_db"), member<&T::high_db>("high_db"), member<&T::splits>("splits"),
        member<&T::bytes>("bytes"), member<&T::nodes>("nodes"), member<&T::rows>("rows"),
        member<&T::flips>("flips"), member<&T::ms>("ms"), member<&T::ratio>("ratio"),
        member<&T::failure>("failure"));
};
template <>
struct Members<app::LabelledAnswers> {
    using T = app::LabelledAnswers;
    static constexpr auto list =
        members<T>(member<&T::rows>("rows"), member<&T::original>("original"),
                   member<&T::quantized>("quantized"));
};
template <>
struct Members<OutputAccuracy> {
    using T = OutputAccuracy;
    static constexpr auto list = members<T>(
        member<&T::name>("name"), member<&T::sqnr_db>("sqnr_db"), member<&T::cosine>("cosine"),
        member<&T::max_abs>("max_abs"), member<&T::rows>("rows"), member<&T::flips>("flips"));
};
template <>
struct Members<QuantizedRange> {
    using T = QuantizedRange;
    static constexpr auto list = members<T>(
        member<&T::name>("name"), member<&T::dtype>("dtype"), member<&T::low>("low"),
        member<&T::high>("high"), member<&T::lowest>("lowest"), member<&T::highest>("highest"),
        member<&T::scale>("scale"), member<&T::zero_point>("zero_point"),
        member<&T::saturated>("saturated"), member<&T::histogram>("histogram"));
    static void check(const T& range) {
        if (!range.histogram.empty() && range.histogram.size() != quantized_range_bins)
            fail_input("expected a histogram of " + std::to_string(quantized_range_bins) +
                       " bins, found " + std::to_string(range.histogram.size()));
    }
};
template <>
struct Members<LayerAccuracy> {
    using T = LayerAccuracy;
    static constexpr auto list =
        members<T>(member<&T::node>("node"), member<&T::name>("name"), member<&T::value>("value"),
                   member<&T::sqnr_db>("sqnr_db"));
};
template <>
struct Members<QuantizeDiagnosis> {
    using T = QuantizeDiagnosis;
    static constexpr auto list =
        members<T>(member<&T::weights_db>("weights_db"),
                   member<&T::activations_db>("activations_db"), member<&T::both_db>("both_db"));
};
template <>
struct Members<NodeSensitivity> {
    using T = NodeSensitivity;
    static constexpr auto list =
        members<T>(member<&T::nodes>("nodes"), member<&T::names>("names"),
                   member<&T::alone_db>("alone_db"), member<&T::share>("share"));
};
template <>
struct Members<SensitivityPoint> {
    using T = SensitivityPoint;
    static constexpr auto list =
        members<T>(member<&T::kept>("kept"), member<&T::predicted_db>("predicted_db"),
                   member<&T::measured_db>("measured_db"));
};
template <>
struct Members<Sensitivity> {
    using T = Sensitivity;
    static constexpr auto list =
        members<T>(member<&T::groups>("groups"), member<&T::curve>("curve"),
                   member<&T::complete>("complete"), member<&T::untried>("untried"));
};
template <>
struct Members<app::QuantizeRecord> {
    using T = app::QuantizeRecord;
    static constexpr auto list = members<T>(
        member<&T::trials>("trials"), member<&T::best>("best"),
        member<&T::original_bytes>("original_bytes"), member<&T::original_ms>("original_ms"),
        member<&T::calibration_samples>("learned"), member<&T::evaluation_samples>("judged"),
        member<&T::generated>("generated"), member<&T::complete>("complete"),
        member<&T::seconds>("seconds"), member<&T::file>("file"), member<&T::nodes>("nodes"),
        member<&T::outputs>("outputs"), member<&T::notes>("notes"),
        member<&T::warnings>("warnings"), member<&T::usable>("usable"),
        member<&T::ranges>("ranges"), member<&T::layers>("layers"),
        member<&T::labelled>("labelled"), member<&T::diagnosis>("diagnosis"),
        member<&T::sensitivity>("sensitivity"));
    static void check(const T& record) {
        if (record.best < -1 || record.best >= std::ptrdiff_t(record.trials.size()))
            fail_input("\"best\" is none of the trials");
    }
};

}  // namespace lapidary

namespace lapidary::app {

QuantizeRecord QuantizeJob::run(const JobContext& context,
                                const std::function<void(const QuantizeRecord&)>& on_change) const {
    return run_quantization(*this, context.progress, on_change);
}

template <>
const JobKind& kind_of<QuantizeJob>() {
    static const KindOf<QuantizeJob> kind;
    return kind;
}

}  // namespace lapidary::app
