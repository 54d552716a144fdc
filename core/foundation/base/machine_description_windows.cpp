// SPDX-License-Identifier: Apache-2.0
#include "base/machine_description.h"

#include <windows.h>

namespace lapidary {

std::string cpu_name() {
    char name[256] = {};
    DWORD bytes = sizeof name - 1;
    if (::RegGetValueA(HKEY_LOCAL_MACHINE, "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                       "ProcessorNameString", RRF_RT_REG_SZ, nullptr, name,
                       &bytes) != ERROR_SUCCESS)
        return "x86_64";
    std::string text = name;
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

// GetVersion() gives the version that the program was built for.
std::string operating_system() {
    using Ask = LONG(WINAPI*)(OSVERSIONINFOW*);
    const HMODULE library = ::GetModuleHandleW(L"ntdll.dll");
    void* const found =
        library ? reinterpret_cast<void*>(::GetProcAddress(library, "RtlGetVersion")) : nullptr;
    const auto ask = reinterpret_cast<Ask>(found);
    OSVERSIONINFOW version{};
    version.dwOSVersionInfoSize = sizeof version;
    if (!ask || ask(&version) != 0) return "Windows";
    return "Windows " + std::to_string(version.dwMajorVersion) + "." +
           std::to_string(version.dwMinorVersion) + "." + std::to_string(version.dwBuildNumber);
}

std::uint64_t installed_memory() {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    return ::GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : 0;
}

}  // namespace lapidary
