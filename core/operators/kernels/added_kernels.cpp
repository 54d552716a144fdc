// SPDX-License-Identifier: Apache-2.0
#include "kernels/added_kernels.h"

#include <deque>
#include <mutex>
#include <shared_mutex>

namespace lapidary {
namespace {

struct AddedTable {
    std::shared_mutex mutex;
    std::deque<AddedKernel> kernels;  // addresses stay
};

AddedTable& added_table() {
    static AddedTable made;
    return made;
}

}  // namespace

void add_kernel(AddedKernel added) {
    AddedTable& table = added_table();
    const std::unique_lock lock(table.mutex);
    table.kernels.push_back(std::move(added));
}

const AddedKernel* find_added_kernel(std::string_view domain, std::string_view op_type,
                                     std::int64_t version) {
    AddedTable& table = added_table();
    const std::shared_lock lock(table.mutex);
    const AddedKernel* best = nullptr;
    for (const AddedKernel& kernel : table.kernels) {
        if (kernel.domain != domain || kernel.op_type != op_type || kernel.min_version > version)
            continue;
        if (!best || kernel.min_version > best->min_version) best = &kernel;
    }
    return best;
}

}  // namespace lapidary
