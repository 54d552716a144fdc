// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's C interface as this program declares it: a table of functions by slot, to which versions only append.
// Every function returns a status (null: fine) unless its signature says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lapidary::ort {

struct Status;
struct Env;
struct Session;
struct SessionOptions;
struct RunOptions;
struct Value;
struct MemoryInfo;
struct ShapeInfo;
struct Allocator;

/// What OrtGetApiBase() returns.
struct ApiBase {
    const void* (*get_api)(std::uint32_t version) noexcept;
    const char* (*version_string)() noexcept;
};

/// Version of the table asked for: it covers every slot below.
inline constexpr std::uint32_t table_version = 17;

template <typename Signature>
struct Slot {
    unsigned index;
};

inline constexpr Slot<const char*(const Status*)> get_error_message{2};
/// Severity 0 (verbose) to 4 (fatal).
inline constexpr Slot<Status*(int severity, const char* id, Env**)> create_env{3};
inline constexpr Slot<Status*(const Env*, const char* path, const SessionOptions*, Session**)> create_session{7};
inline constexpr Slot<Status*(Session*, const RunOptions*, const char* const* input_names, const Value* const* inputs,
                              std::size_t input_count, const char* const* output_names, std::size_t output_count,
                              Value** outputs)>
    run{9};
inline constexpr Slot<Status*(SessionOptions**)> create_session_options{10};
/// 0 sequential, 1 parallel.
inline constexpr Slot<Status*(SessionOptions*, int mode)> set_execution_mode{13};
inline constexpr Slot<Status*(SessionOptions*, int severity)> set_log_severity{22};
/// 0 disabled, 1 basic, 2 extended, 99 all.
inline constexpr Slot<Status*(SessionOptions*, int level)> set_optimization_level{23};
inline constexpr Slot<Status*(SessionOptions*, int)> set_intra_threads{24};
inline constexpr Slot<Status*(SessionOptions*, int)> set_inter_threads{25};
inline constexpr Slot<Status*(const Session*, std::size_t*)> get_output_count{31};
inline constexpr Slot<Status*(const Session*, std::size_t, Allocator*, char**)> get_output_name{37};
inline constexpr Slot<Status*(Allocator*, const std::int64_t* shape, std::size_t rank, int element_type, Value**)>
    create_tensor{48};
inline constexpr Slot<Status*(const MemoryInfo*, void* data, std::size_t bytes, const std::int64_t* shape,
                              std::size_t rank, int element_type, Value**)>
    create_tensor_over{49};
inline constexpr Slot<Status*(const Value*, int*)> is_tensor{50};
inline constexpr Slot<Status*(Value*, void**)> get_tensor_data{51};
inline constexpr Slot<Status*(Value*, const char* const* texts, std::size_t count)> fill_string_tensor{52};
inline constexpr Slot<Status*(const Value*, std::size_t* bytes)> get_string_bytes{53};
/// All strings one after the other, and where each begins.
inline constexpr Slot<Status*(const Value*, void* to, std::size_t bytes, std::size_t* offsets, std::size_t count)>
    get_strings{54};
inline constexpr Slot<Status*(const ShapeInfo*, int*)> get_element_type{60};
inline constexpr Slot<Status*(const ShapeInfo*, std::size_t*)> get_rank{61};
inline constexpr Slot<Status*(const ShapeInfo*, std::int64_t*, std::size_t)> get_dimensions{62};
inline constexpr Slot<Status*(const Value*, ShapeInfo**)> get_tensor_shape{65};
/// allocator 0: none of its own; memory 0: default.
inline constexpr Slot<Status*(int allocator, int memory, MemoryInfo**)> create_cpu_memory_info{69};
inline constexpr Slot<Status*(Allocator*, void*)> allocator_free{76};
inline constexpr Slot<Status*(Allocator**)> get_default_allocator{78};
inline constexpr Slot<void(Env*)> release_env{92};
inline constexpr Slot<void(Status*)> release_status{93};
inline constexpr Slot<void(MemoryInfo*)> release_memory_info{94};
inline constexpr Slot<void(Session*)> release_session{95};
inline constexpr Slot<void(Value*)> release_value{96};
inline constexpr Slot<void(ShapeInfo*)> release_shape{99};
inline constexpr Slot<void(SessionOptions*)> release_session_options{100};
inline constexpr Slot<Status*(SessionOptions*, const char* key, const char* value)> add_config_entry{130};

/// The function table.
class Table {
public:
    explicit Table(const void* table = nullptr) : functions_(static_cast<void* const*>(table)) {}

    template <typename R, typename... A>
    R operator()(Slot<R(A...)> slot, std::type_identity_t<A>... arguments) const {
        return reinterpret_cast<R (*)(A...)>(functions_[slot.index])(arguments...);
    }

private:
    void* const* functions_;
};

}  // namespace lapidary::ort
