// SPDX-License-Identifier: Apache-2.0
// Host memory and its descriptions.
#include <cstdlib>
#include <cstring>

#include "base/memory/page_memory.h"
#include "custom_ops/api_table.h"

namespace lapidary::custom_ops {
namespace {

// members behind `info` are not looked at up to there
constexpr std::uint32_t allocator_version = 16;
constexpr std::size_t alignment = 64;

const MemoryInfo cpu_memory;

void* allocate(Allocator*, std::size_t bytes) {
    return bytes > (std::size_t{1} << 62) ? nullptr : allocate_block(bytes, Pages::usual);
}
void release(Allocator*, void* data) { free_block(data); }

Status* refuse_memory(std::size_t bytes) {
    return guarded([&]() -> Status* {
        fail_limit("there is no memory of " + std::to_string(bytes) + " bytes");
    });
}

}  // namespace

Allocator* heap_allocator() {
    static Allocator heap{allocator_version, &allocate, &release,
                          +[](const Allocator*) -> const MemoryInfo* { return &cpu_memory; },
                          &allocate};
    return &heap;
}

void put_memory_functions(ApiTable& table) {
    table.put(
        68, +[](const char* name, int type, int, int, MemoryInfo** info) {
            return guarded([&]() -> Status* {
                if (std::strcmp(name, cpu_memory_name) != 0)
                    fail_unsupported("it asks for memory " + quote(name) +
                                     "; custom operators have memory of the CPU alone");
                *info = new MemoryInfo{type};
                return nullptr;
            });
        });
    table.put(
        69, +[](int type, int, MemoryInfo** info) {
            return guarded([&]() -> Status* {
                *info = new MemoryInfo{type};
                return nullptr;
            });
        });
    table.put(
        70, +[](const MemoryInfo*, const MemoryInfo*, int* differ) -> Status* {
            *differ = 0;
            return nullptr;
        });
    table.put(
        71, +[](const MemoryInfo*, const char** name) -> Status* {
            *name = cpu_memory_name;
            return nullptr;
        });
    const auto zero = +[](const MemoryInfo*, int* value) -> Status* {
        *value = 0;  // the first device, the default kind of memory
        return nullptr;
    };
    table.put(72, zero);
    table.put(73, zero);
    table.put(
        74, +[](const MemoryInfo* info, int* type) -> Status* {
            *type = info->allocator_type;
            return nullptr;
        });
    table.put(
        75, +[](Allocator* allocator, std::size_t bytes, void** data) {
            *data = allocator->allocate(allocator, bytes);
            return *data ? nullptr : refuse_memory(bytes);
        });
    table.put(
        76, +[](Allocator* allocator, void* data) -> Status* {
            allocator->release(allocator, data);
            return nullptr;
        });
    table.put(
        77, +[](const Allocator* allocator, const MemoryInfo** info) -> Status* {
            *info = allocator->info(allocator);
            return nullptr;
        });
    table.put(
        78, +[](Allocator** allocator) -> Status* {
            *allocator = heap_allocator();
            return nullptr;
        });
    table.put(
        94, +[](MemoryInfo* info) { delete info; });
    table.put(
        132, +[](Allocator*) {});  // of KernelContext_GetAllocator
    table.put(
        194, +[](const Value*, const MemoryInfo** info) -> Status* {
            *info = &cpu_memory;
            return nullptr;
        });
    table.put(
        225, +[](const MemoryInfo*, int* device) { *device = 0; });
}

}  // namespace lapidary::custom_ops
