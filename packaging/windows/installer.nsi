; SPDX-License-Identifier: Apache-2.0
; The command line for Windows, for one user: no administrator is asked. /S installs silently, /D=FOLDER elsewhere,
; uninstall.exe /S removes all of it. packaging/windows.sh calls makensis with VERSION, FILES and OUTPUT.
Target amd64-unicode
Name "Lapidary ${VERSION}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Lapidary"
InstallDirRegKey HKCU "Software\Lapidary" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
ShowInstDetails nevershow
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Lapidary"

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
    SetOutPath "$INSTDIR"
    File /r "${FILES}\*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    WriteRegStr HKCU "Software\Lapidary" "Folder" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Lapidary (command line)"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; Names what was installed: whatever else lies in the folder is the user's.
Section Uninstall
    Delete "$INSTDIR\lapidary-cli.exe"
    RMDir /r "$INSTDIR\schemas"
    RMDir /r "$INSTDIR\help"
    RMDir /r "$INSTDIR\licences"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    DeleteRegKey HKCU "${UNINSTALL}"
    DeleteRegKey HKCU "Software\Lapidary"
SectionEnd
