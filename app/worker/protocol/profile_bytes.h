// SPDX-License-Identifier: Apache-2.0
// A profile as bytes: repeated text (names, shapes, kernels) once, a span in 48 bytes.
#pragma once

#include <lapidary/profile/profile.h>

#include "worker/protocol/byte_stream.h"

namespace lapidary::app {

/// Built once, written twice (see ByteWriter). The profile must outlive it.
class ProfileBytes {
public:
    explicit ProfileBytes(const Profile& profile);
    void write(ByteWriter& out) const;

private:
    struct Record {  // of one span
        std::int64_t begin_ns, end_ns, bytes;
        std::uint32_t label;
        std::int32_t thread, depth, run;
        EventKind kind;
    };
    void add(const std::vector<Span>& spans);
    std::uint32_t label_of(const Span& span);

    const Profile& profile_;
    std::vector<const Span*> labels_;       // one span for each label
    std::vector<std::uint32_t> following_;  // by label: the label that followed it last time
    std::uint32_t newest_ = 0;
    struct Index;
    std::shared_ptr<Index> index_;
    std::vector<std::vector<Record>> lists_;
    friend Profile read_profile(ByteReader& in);
};

Profile read_profile(ByteReader& in);

}  // namespace lapidary::app
