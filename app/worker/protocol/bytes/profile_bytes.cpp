// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/bytes/profile_bytes.h"

#include <algorithm>

namespace lapidary::app {
namespace {

/// Calls visit(member) for each member but the labels, which come last. The binding does not
/// compile where a member is missing here.
template <typename SomeProfile, typename Visit>
void each_number_and_list(SomeProfile& profile, Visit&& visit) {
    auto& [model_name, threads, runs, phases, run_spans, kernels, ranges, memory, dropped, peak,
           weights, note, labels] = profile;
    const auto of_each = [&](auto&... members) { (visit(members), ...); };
    of_each(model_name, threads, runs, phases, run_spans, kernels, ranges, memory, dropped, peak,
            weights, note);
}

bool is_known(const Span& span, const LabelTable& labels) {
    return labels.has(span.label) && span.kind <= EventKind::copy;
}

struct Writing {
    ByteWriter& out;

    template <typename Number>
    void operator()(Number number) const {
        out.number(number);
    }
    void operator()(const std::string& text) const { out.text(text); }
    void operator()(const std::vector<Span>& spans) const { out.plain(spans); }
};

struct Reading {
    ByteReader& in;

    template <typename Number>
    void operator()(Number& number) const {
        number = in.number<Number>();
    }
    void operator()(std::string& text) const { text = in.text(); }
    void operator()(std::vector<Span>& spans) const {
        const auto sent = in.plain<Span>();
        spans.assign(sent.begin(), sent.end());
    }
};

LabelTable read_labels(ByteReader& in) {
    std::vector<std::string> words(in.count(sizeof(std::uint64_t)));
    for (std::string& word : words) word = in.text();
    const auto labels = in.plain<LabelTable::Label>();
    try {
        return {std::move(words), {labels.begin(), labels.end()}};
    } catch (const Error&) { ByteReader::broken(); }
}

}  // namespace

void write_profile(ByteWriter& out, const Profile& profile) {
    each_number_and_list(profile, Writing{out});
    out.number(std::uint64_t(profile.labels.words().size()));
    for (const std::string& word : profile.labels.words()) out.text(word);
    out.plain(profile.labels.labels());
}

Profile read_profile(ByteReader& in) {
    Profile profile;
    each_number_and_list(profile, Reading{in});
    profile.labels = read_labels(in);
    for (const auto* list :
         {&profile.phases, &profile.run_spans, &profile.kernels, &profile.ranges, &profile.memory})
        for (const Span& span : *list)
            if (!is_known(span, profile.labels)) ByteReader::broken();
    return profile;
}

}  // namespace lapidary::app
