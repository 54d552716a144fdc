// SPDX-License-Identifier: Apache-2.0
// Whether the files that a task of a farm reads are still those of the plan.
#pragma once

#include <string>

#include "worker/farm/farm_plan.h"

namespace lapidary::cli {

/// 16 hexadecimal digits that differ where the model, its weights beside it, or the samples and
/// labels that its commands name have other content. Of files above a few megabytes the beginning,
/// the end and a thousand places between are read; of folders the names and sizes of their files.
std::string farm_content(const app::FarmTask& task);

}  // namespace lapidary::cli
