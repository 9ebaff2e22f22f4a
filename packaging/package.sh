#!/usr/bin/env bash
# Makes the packages: packaging/package.sh BUILD OUT. BUILD is a complete build tree of the preset package. Writes to OUT:
#   crosswalk_*.deb, crosswalk-gui_*.deb, libcrosswalk-dev_*.deb   for the release of Debian or Ubuntu that this runs on
#   crosswalk-VERSION-linux-MACHINE.tar.xz   a folder that runs anywhere, with Qt, ONNX Runtime and every other library
# Equal trees give equal packages: all times are SOURCE_DATE_EPOCH, by default the time of the commit.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2> /dev/null || stat -c %Y "$here/../CHANGELOG.md")}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "error: $1" >&2
    exit 1
}
for tool in patchelf dpkg-deb cpack objdump; do
    command -v $tool > /dev/null || fail "$tool is missing: packaging/setup.sh packages installs it"
done

# settle FOLDER: the times that packages record.
settle() { find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +; }

# --- packages of Debian: CPack finds the libraries that they depend on; dpkg-deb packs them anew, sorted and with fixed times.
rm -f "$out"/*.deb "$out"/crosswalk-*.tar.xz
cpack --config "$build/CPackConfig.cmake" -B "$work/cpack" > "$work/log" 2>&1 || {
    tail -5 "$work/log" >&2
    fail "CPack failed"
}
for package in "$work"/cpack/*.deb; do
    tree=$work/deb/$(basename "$package" .deb)
    mkdir -p "$work/deb"
    dpkg-deb --raw-extract "$package" "$tree"
    chmod -R u+w,go-w "$tree"
    settle "$tree"
    dpkg-deb --root-owner-group -Zxz -z9 --build "$tree" "$out" > /dev/null
done

# --- the portable folder
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=crosswalk-$version-linux-$(uname -m)
root=$work/$name
libraries=$root/lib/crosswalk
for component in programs window; do
    DESTDIR=$work/install cmake --install "$build" --prefix /usr --component $component --strip > /dev/null
done
mv "$work/install/usr" "$root"
plugins=$(qmake6 -query QT_INSTALL_PLUGINS 2> /dev/null || echo "/usr/lib/$(gcc -print-multiarch)/qt6/plugins")
for plugin in platforms/libqxcb platforms/libqoffscreen platforms/libqwayland-generic wayland-shell-integration/libxdg-shell \
    wayland-decoration-client/libbradient platforminputcontexts/libcomposeplatforminputcontextplugin iconengines/libqsvgicon \
    imageformats/libqsvg; do
    if [ ! -e "$plugins/$plugin.so" ]; then
        echo "note: $plugins/$plugin.so is not installed, so the folder does not contain it" >&2
        continue
    fi
    install -D -m 755 "$plugins/$plugin.so" "$libraries/plugins/$plugin.so"
done
printf '[Paths]\nPrefix = ..\nPlugins = lib/crosswalk/plugins\n' > "$root/bin/qt.conf"
layout=libgvplugin_dot_layout.so.6
if ldd "$root/bin/crosswalk" | grep -q libgvc; then
    install -D -m 755 "$(dirname "$(ldd "$root/bin/crosswalk" | awk '/libgvc/ {print $3}')")/graphviz/$layout" "$libraries/graphviz/$layout"
    printf '%s dot_layout {\n\tlayout {\n\t\tdot 0\n\t}\n}\n' "$layout" > "$libraries/graphviz/config6a"
fi

# Every library except those of glibc, which belong to the kernel and the system they run on.
mapfile -t objects < <(find "$root/bin" "$libraries" -type f \( -name '*.so*' -o -path "$root/bin/crosswalk*" \) | sort)
ldd "${objects[@]}" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u > "$work/needed"
if ldd "${objects[@]}" | grep -q 'not found'; then fail "a library is missing: $(ldd "${objects[@]}" | grep 'not found' | sort -u)"; fi
while read -r library; do
    case $(basename "$library") in
    libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | libresolv.so.* | libutil.so.* | libanl.so.* | ld-linux*) continue ;;
    esac
    install -m 755 "$(readlink -f "$library")" "$libraries/$(basename "$library")"
    # the licence of the package that it comes from
    path=$(readlink -f "$library")
    owner=$({ dpkg -S "$path" || dpkg -S "${path#/usr}"; } 2> /dev/null | head -1 | cut -d: -f1 || true)
    if [ -n "$owner" ] && [ -e "/usr/share/doc/$owner/copyright" ]; then
        install -D -m 644 "/usr/share/doc/$owner/copyright" "$root/share/doc/crosswalk/libraries/$owner.txt"
    fi
done < "$work/needed"
mapfile -t objects < <(find "$root/bin" "$libraries" -type f \( -name '*.so*' -o -path "$root/bin/crosswalk*" \) | sort)
for object in "${objects[@]}"; do
    if [ "$(basename "$object")" = qt.conf ]; then continue; fi
    strip --strip-unneeded "$object" 2> /dev/null || true
    # shellcheck disable=SC2016
    patchelf --set-rpath "\$ORIGIN/$(realpath --relative-to "$(dirname "$object")" "$libraries")" "$object"
done
glibc=$(objdump -T "${objects[@]}" 2> /dev/null | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1 | cut -d_ -f2)
cat > "$root/README" << END
Crosswalk $version for Linux on $(uname -m), with every library that it needs except glibc $glibc or newer.

Unpack it anywhere and run bin/crosswalk and bin/crosswalk-gui. To remove it, delete this folder.
For manual pages and completions: man -M share/man crosswalk, and the files in share/.
END
chmod -R u+w,go-w "$root"
settle "$root"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -C "$work" -c "$name" | xz -9 -T1 > "$out/$name.tar.xz"

for file in "$out"/*.deb "$out"/crosswalk-*.tar.xz; do
    echo "$(($(stat -c %s "$file") / 1000)) kB  $(basename "$file")"
done
echo "The folder in $name.tar.xz needs glibc $glibc or newer."
