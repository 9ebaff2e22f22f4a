#!/bin/sh
# Compiler launcher: runs the compiler through ccache with the settings that precompiled headers need (we use no __TIME__ or
# __DATE__), and with paths relative to the build folder, so that checkouts in several folders share objects. CMake compiles a
# precompiled header with -include of itself, and gcc would take the old one for it: remove it.
for argument in "$@"; do
    case $argument in
    *.gch) rm -f -- "$argument" ;;
    esac
done
CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${0%/packaging/ccache.sh} CCACHE_NOHASHDIR=1 exec ccache "$@"
