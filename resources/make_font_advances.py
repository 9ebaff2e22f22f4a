#!/usr/bin/env python3
"""Writes core/layout/font_advances.inc: the advance widths of the bundled font, Inter (Debian's fonts-inter).

usage: python3 -m venv /tmp/fonts && /tmp/fonts/bin/pip install fonttools
       /tmp/fonts/bin/python resources/make_font_advances.py [folder of the .otf files]

Boxes are measured with this table in core, where there is no font engine; kerning is left out on both sides.
"""
import pathlib
import sys

from fontTools.ttLib import TTFont

RANGES = [(0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x3FF), (0x400, 0x45F), (0x2010, 0x203A), (0x2190, 0x2193)]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/opentype/inter")
    faces = [TTFont(folder / f"Inter-{style}.otf") for style in ("Regular", "SemiBold")]
    units = {face["head"].unitsPerEm for face in faces}
    assert len(units) == 1, units
    out = ["// Made by resources/make_font_advances.py from Inter Regular and SemiBold, "
           f"{faces[0]['name'].getDebugName(5)}.",
           f"constexpr float unitsPerEm = {units.pop()};", ""]
    for name, face in zip(("regular", "semiBold"), faces):
        cmap, widths = face.getBestCmap(), face["hmtx"]
        missing = widths[".notdef"][0]
        out.append(f"constexpr std::uint16_t {name}Advances[] = {{")
        for first, last in RANGES:
            row = [str(widths[cmap[c]][0] if c in cmap else missing) for c in range(first, last + 1)]
            for start in range(0, len(row), 20):
                out.append("    " + ", ".join(row[start:start + 20]) + ",")
        out.append("};")
    out.append("constexpr AdvanceRange ranges[] = {")
    offset = 0
    for first, last in RANGES:
        out.append(f"    {{0x{first:X}, 0x{last:X}, {offset}}},")
        offset += last - first + 1
    out.append("};")
    root = pathlib.Path(__file__).resolve().parent.parent
    (root / "core/layout/font_advances.inc").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
