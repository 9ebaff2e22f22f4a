#!/bin/sh
# Compiler launcher: runs the compiler through ccache with the settings that precompiled headers need (we use no __TIME__ or
# __DATE__), and with paths relative to the build folder, so that checkouts in several folders share objects. CMake compiles a
# precompiled header with -include of itself, and gcc would take the old one for it: remove it. Its checksum is stored beside it,
# so that ccache need not read its 100 MB for each source.
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${0%/packaging/ccache.sh} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
for argument in "$@"; do
    case $argument in
    *.gch)
        rm -f -- "$argument" "$argument.sum"
        ccache "$@" || exit
        if [ -f "$argument" ]; then sha256sum < "$argument" > "$argument.sum"; fi
        exit
        ;;
    esac
done
exec ccache "$@"
