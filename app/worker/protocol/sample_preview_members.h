// SPDX-License-Identifier: Apache-2.0
// Pictures of inputs, described member by member (lapidary/internal/members.h).
#pragma once

#include <lapidary/base/error.h>
#include <lapidary/internal/members.h>

#include "worker/inputs/sample_preview.h"

namespace lapidary {

template <>
struct Members<app::SamplePicture> {
    using T = app::SamplePicture;
    static constexpr auto list =
        members<T>(member<&T::width>("width").within(1, 1 << 20),
                   member<&T::height>("height").within(1, 1 << 20), member<&T::rgb>("rgb"));
    static void check(const T& picture) {
        if (picture.rgb.size() != std::size_t(picture.width) * std::size_t(picture.height) * 3)
            fail_input("the size of the picture is not that of its pixels");
    }
};

}  // namespace lapidary
