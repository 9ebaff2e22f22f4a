#!/bin/sh
# Compiler launcher: runs the compiler through ccache, if there is one, with the settings that precompiled headers need (we use no __TIME__ or
# __DATE__), and with paths relative to the build folder, so that checkouts in several folders share objects. CMake compiles a
# precompiled header with -include of itself, and gcc would take the old one for it: remove it. Its checksum is stored beside it,
# so that ccache need not read its 100 MB for each source.
root=${0%/packaging/ccache.sh}
with=ccache
if [ -n "${CCACHE_DISABLE:-}" ] || ! command -v ccache > /dev/null; then
    # The same objects as with ccache: none depends on the folder of the checkout or of the dependencies. gcc names their headers by
    # the shorter of both paths.
    with=
    set -- "$@" "-ffile-prefix-map=$root/=../../" "-ffile-prefix-map=$root/build/deps/=../deps/" \
        "-ffile-prefix-map=$(readlink -f "$root/build/deps")/=../deps/"
fi
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
for argument in "$@"; do
    case $argument in
    *.gch)
        rm -f -- "$argument" "$argument.sum"
        $with "$@" || exit
        if [ -f "$argument" ]; then sha256sum < "$argument" > "$argument.sum"; fi
        exit
        ;;
    esac
done
exec $with "$@"
