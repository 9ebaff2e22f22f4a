#!/usr/bin/env bash
# Tests packages where nothing else is installed: packaging/test_packages.sh PACKAGES. As root, with debootstrap, Xvfb and xwininfo; takes
# some minutes. Each package is installed into a fresh minimal Debian, does the main job there, and is removed; nothing may be left.
#   crosswalk                  converts, verifies and renders; Qt is not installed
#   crosswalk-gui              opens a window with a model under Xvfb, and writes a PNG
#   libcrosswalk-dev           builds and runs the program of README.md
#   crosswalk-*.tar.xz         all of the first two in a root without any further package, and from another folder
# CROSSWALK_ROOT: a folder to keep the minimal Debian in, for the next run.
set -euo pipefail
if [ "${1:-}" != --unshared ]; then exec unshare --mount --propagation private "$0" --unshared "$@"; fi # mounts end with this script
packages=$(cd "$2" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE)' | awk -v r="$release" '$2 == r {print $1; exit}')
work=$(mktemp -d /var/tmp/crosswalk-packages-XXXXXX)
display=
finish() {
    if [ -n "$display" ]; then kill "$display" 2> /dev/null || true; fi
    for root in "$work"/*/; do umount -q "$root"/proc "$root"/tmp/.X11-unix 2> /dev/null || true; done
    rm -rf --one-file-system "$work"
}
trap finish EXIT

say() { echo "== $*"; }
fail() {
    echo "error: $1" >&2
    exit 1
}
for tool in debootstrap Xvfb xwininfo; do
    command -v $tool > /dev/null || fail "$tool is missing: packaging/setup.sh packages installs it"
done

base=${CROSSWALK_ROOT:-$work/base}
if [ ! -e "$base/complete" ]; then
    say "Making a minimal $release"
    debootstrap --variant=minbase "$release" "$base" "$mirror" > "$work/log" 2>&1 || {
        tail -3 "$work/log" >&2
        fail "debootstrap failed"
    }
    touch "$base/complete"
fi

# The screen of the windows, on a socket that the roots share.
exec 3> "$work/display"
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp > "$work/xvfb.log" 2>&1 &
display=$!
for _ in $(seq 50); do
    if [ -s "$work/display" ]; then break; fi
    sleep 0.1
done
number=$(cat "$work/display")
[ -n "$number" ] || fail "Xvfb does not start: $(tail -1 "$work/xvfb.log")"

fresh() { # fresh NAME: a root of its own, in $root
    root=$work/$1
    cp -a "$base" "$root"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    mkdir -p "$root/proc" "$root/tmp/.X11-unix" "$root/packages"
    mount -t proc proc "$root/proc"
    mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
}

inside() { # inside COMMAND...: in the root, with nothing of our environment
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive DISPLAY=":$number" \
        chroot "$root" "$@" > "$work/said" 2>&1 || {
        tail -5 "$work/said" >&2
        fail "$(basename "$root"): $* ended with an error"
    }
}

# Every file, except what apt and the loader keep for themselves, and what the user does.
files() {
    (cd "$root" && find . -xdev -path ./proc -prune -o -path ./tmp -prune -o -path ./root -prune -o -path ./packages -prune -o \
        -path ./var/cache -prune -o -path ./var/log -prune -o -path ./var/lib/apt -prune -o -path ./var/lib/dpkg -prune -o -print) | sort
}

main_job() { # main_job PROGRAM EXAMPLES
    inside "$1" convert "$2/request_bilstm/model-symbol.json" -o /root/model.onnx
    inside "$1" verify /root/model.onnx --data "$2/request_bilstm/test_data_set_0"
    inside "$1" convert "$2/wearable_activity/activity.ptl" -o /root/activity.onnx --shape samples=N,T,3
    inside "$1" verify /root/activity.onnx --data "$2/wearable_activity/test_data_set_0" --rtol 1e-4
    inside "$1" render /root/model.onnx -o /root/model.svg
    grep -q '<svg' "$root/root/model.svg" || fail "render wrote no SVG"
}

window() { # window PROGRAM: opens a model, and a picture of it without a display
    inside "$1" /root/model.onnx --render /root/model.png
    inside "$1" /root/model.onnx --screenshot /root/window.png
    [ "$(head -c 4 "$root/root/window.png" | tail -c 3)" = PNG ] || fail "--screenshot wrote no PNG"
    env -i PATH=/usr/sbin:/usr/bin HOME=/root LC_ALL=C.UTF-8 DISPLAY=":$number" chroot "$root" "$1" /root/model.onnx > "$work/said" 2>&1 &
    local pid=$! shown=''
    for _ in $(seq 100); do
        if DISPLAY=:$number xwininfo -root -tree 2> /dev/null | grep -q 'model.onnx'; then
            shown=yes
            break
        fi
        sleep 0.1
    done
    sleep 1
    kill "$pid" 2> /dev/null || fail "the window ended: $(tail -3 "$work/said")"
    wait "$pid" 2> /dev/null || true
    [ -n "$shown" ] || fail "there is no window with the model: $(tail -3 "$work/said")"
}

remove() { # remove PACKAGE...: and what came with it; nothing may be left
    inside apt-get purge -y -q "$@"
    inside apt-get autoremove --purge -y -q
    files > "$work/after"
    left=$(comm -13 "$work/before" "$work/after")
    if grep -i crosswalk <<< "$left"; then fail "$*: files are left"; fi
    if [ -n "$left" ]; then echo "$left" | sed 's/^/  left by the packages of Debian: /' | head -5; fi
}

say "crosswalk"
fresh crosswalk
inside apt-get update -q
inside apt-get install -y -q --no-install-recommends ca-certificates
files > "$work/before"
cp "$packages"/*.deb "$root/packages"
inside sh -c 'apt-get install -y -q --no-install-recommends /packages/crosswalk_*.deb'
if ls "$root"/usr/lib/*/libQt6* 2> /dev/null; then fail "crosswalk installs Qt"; fi
main_job crosswalk /usr/share/crosswalk/examples
remove crosswalk

say "crosswalk-gui"
inside sh -c 'apt-get install -y -q --no-install-recommends /packages/crosswalk_*.deb /packages/crosswalk-gui_*.deb'
main_job crosswalk /usr/share/crosswalk/examples
inside crosswalk render /root/model.onnx -o /root/model.pdf
window crosswalk-gui
remove crosswalk crosswalk-gui

say "libcrosswalk-dev"
inside sh -c 'apt-get install -y -q --no-install-recommends /packages/libcrosswalk-dev_*.deb g++ cmake make'
mkdir -p "$root/root/consumer"
cp "$source/tests/packaging/consumer/CMakeLists.txt" "$root/root/consumer"
awk '/^    #include <crosswalk\/crosswalk.h>/ {on = 1} on && /^[^ ]/ {exit} on {sub(/^    /, ""); print}' "$source/README.md" > "$root/root/consumer/main.cpp"
cp -r "$source/resources/examples/request_bilstm" "$root/root/consumer"
inside cmake -S /root/consumer -B /root/consumer/build -DPROGRAM=/root/consumer/main.cpp -DCMAKE_BUILD_TYPE=Release
inside cmake --build /root/consumer/build
inside /root/consumer/build/consumer /root/consumer/request_bilstm/model-symbol.json /root/consumer/out.onnx
remove libcrosswalk-dev g++ cmake make

say "the portable folder, without any further package"
fresh portable
files > "$work/before"
mkdir -p "$root/opt/some where"
tar -C "$root/opt/some where" -xJf "$packages"/crosswalk-*.tar.xz
folder=/opt/some\ where/$(ls "$root/opt/some where")
main_job "$folder/bin/crosswalk" "$folder/share/crosswalk/examples"
inside "$folder/bin/crosswalk" render /root/model.onnx -o /root/model.pdf
window "$folder/bin/crosswalk-gui"
rm -rf "$root/opt/some where"
files > "$work/after"
left=$(comm -13 "$work/before" "$work/after")
[ -z "$left" ] || fail "files are left: $left"
say "Every package works and leaves nothing"
