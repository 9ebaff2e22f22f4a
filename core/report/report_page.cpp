#include "core/report/report_page.h"

namespace crosswalk {

const std::string_view reportStyle = R"(
:root { --accent: #3457d5; --other: #7b3fc4; }
p.sum { font-size: 1.1rem; margin: .6rem 0 .2rem; } h3 { font-size: 1rem; margin: .4rem 0; }
.graphs { display: grid; gap: 1rem; }
.picture { border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 80vh; background: #fff; }
.tools { display: none; gap: .5rem; align-items: center; flex-wrap: wrap; margin: .5rem 0; }
.tools input { font: inherit; padding: .25rem .5rem; min-width: 16rem; } .tools button { font: inherit; padding: .25rem .7rem; }
.tools span { color: var(--soft); }
.live .tools { display: flex; }
.live .picture { height: 70vh; overflow: hidden; cursor: grab; touch-action: none; }
.live .picture:focus { outline: 2px solid var(--accent); }
.live .picture svg { width: 100%; height: 100%; display: block; }
.live .box { cursor: pointer; }
.picked > rect:last-of-type { stroke: var(--accent); stroke-width: 4; }
.other > rect:last-of-type { stroke: var(--other); stroke-width: 4; stroke-dasharray: 6 3; }
@media (min-width: 75rem) { .live .graphs { grid-template-columns: 1fr 1fr; width: 96vw; margin-left: calc(50% - 48vw); } }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; margin: 0; font-size: 11px; }
  .tools { display: none !important; } tr, .picture { break-inside: avoid; }
  .live .graphs { display: block; width: auto; margin: 0; }
  .picture, .live .picture { max-height: none; height: auto; overflow: visible; border: none; }
  .picture svg, .live .picture svg { max-width: 100%; max-height: 95vh; width: auto; height: auto; }
}
)";

const std::string_view reportScript = R"(
'use strict';
(() => {
  const graphs = document.querySelector('.graphs');
  const sides = [...graphs.querySelectorAll('.picture')].map((pane) => {
    const svg = pane.querySelector('svg');
    const whole = svg.viewBox.baseVal;
    const size = [whole.width, whole.height];
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    svg.setAttribute('preserveAspectRatio', 'xMidYMin meet');
    const boxes = [...svg.querySelectorAll(':scope > g > g[transform]')];
    boxes.forEach((box) => box.classList.add('box'));
    return { pane, svg, size, boxes, view: null };
  });
  if (sides.length === 0) { return; }
  document.body.classList.add('live');
  const links = JSON.parse(document.getElementById('links').textContent);
  const back = [];
  links.forEach((to, from) => to.forEach((box) => (back[box] = back[box] || []).push(from)));
  const readable = 0.75;

  const show = (side, x, y, scale) => {
    side.view = { x, y, scale };
    side.svg.setAttribute('viewBox', [x, y, side.pane.clientWidth / scale, side.pane.clientHeight / scale].join(' '));
  };
  const fit = (side) => {
    const [w, h] = side.size;
    const scale = Math.min(1, side.pane.clientWidth / w, side.pane.clientHeight / h);
    show(side, (w - side.pane.clientWidth / scale) / 2, (h - side.pane.clientHeight / scale) / 2, scale);
  };
  const begin = (side) => {
    const [w, h] = side.size;
    const whole = Math.min(side.pane.clientWidth / w, side.pane.clientHeight / h);
    if (whole >= readable) { return fit(side); }
    const at = side.boxes.length ? placeOf(side.boxes[0]) : { x: w / 2, w: 0 };
    show(side, at.x + at.w / 2 - side.pane.clientWidth / readable / 2, 0, readable);
  };
  const placeOf = (box) => {
    const [x, y] = box.getAttribute('transform').match(/-?[\d.]+/g).map(Number);
    const rect = box.querySelector('rect');
    return { x: x + 24, y: y + 24, w: +rect.getAttribute('width'), h: +rect.getAttribute('height') };
  };
  const zoom = (side, factor, px, py) => {
    const { x, y, scale } = side.view;
    const next = Math.min(4, Math.max(0.02, scale * factor));
    show(side, x + px / scale - px / next, y + py / scale - py / next, next);
  };
  const reveal = (side, box) => {
    const at = placeOf(box);
    const scale = Math.max(side.view.scale, readable);
    show(side, at.x + at.w / 2 - side.pane.clientWidth / scale / 2,
      at.y + at.h / 2 - side.pane.clientHeight / scale / 2, scale);
  };
  const pick = (number, index, isMoving) => {
    sides.forEach((side) => side.boxes.forEach((box) => box.classList.remove('picked', 'other')));
    if (index < 0) { return; }
    const side = sides[number];
    side.boxes[index].classList.add('picked');
    if (isMoving) { reveal(side, side.boxes[index]); }
    const far = sides[1 - number];
    const others = (number === 0 ? links[index] : back[index]) || [];
    others.forEach((other) => far && far.boxes[other] && far.boxes[other].classList.add('other'));
    if (far && others.length && far.boxes[others[0]]) { reveal(far, far.boxes[others[0]]); }
  };

  sides.forEach((side, number) => {
    begin(side);
    let held = null;
    side.pane.addEventListener('pointerdown', (event) => {
      held = { x: event.clientX, y: event.clientY, moved: false, target: event.target };
      side.pane.setPointerCapture(event.pointerId);
      side.pane.focus({ preventScroll: true });
    });
    side.pane.addEventListener('pointermove', (event) => {
      if (!held) { return; }
      const dx = event.clientX - held.x;
      const dy = event.clientY - held.y;
      if (!held.moved && Math.abs(dx) + Math.abs(dy) < 4) { return; }
      held = { ...held, x: event.clientX, y: event.clientY, moved: true };
      show(side, side.view.x - dx / side.view.scale, side.view.y - dy / side.view.scale, side.view.scale);
    });
    side.pane.addEventListener('pointerup', () => {
      if (held && !held.moved) {
        const box = held.target.closest && held.target.closest('.box');
        pick(number, box ? side.boxes.indexOf(box) : -1, false);
      }
      held = null;
    });
    side.pane.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== side.pane) { return; }
      event.preventDefault();
      const at = side.pane.getBoundingClientRect();
      zoom(side, Math.pow(1.0015, -event.deltaY), event.clientX - at.left, event.clientY - at.top);
    }, { passive: false });
    side.pane.addEventListener('keydown', (event) => {
      const step = 60 / side.view.scale;
      const middle = [side.pane.clientWidth / 2, side.pane.clientHeight / 2];
      const moves = { ArrowUp: [0, -step], ArrowDown: [0, step], ArrowLeft: [-step, 0], ArrowRight: [step, 0] };
      if (moves[event.key]) {
        show(side, side.view.x + moves[event.key][0], side.view.y + moves[event.key][1], side.view.scale);
      } else if (event.key === '+' || event.key === '=') {
        zoom(side, 1.25, ...middle);
      } else if (event.key === '-') {
        zoom(side, 0.8, ...middle);
      } else if (event.key === 'f' || event.key === '0') {
        fit(side);
      } else {
        return;
      }
      event.preventDefault();
    });
  });
  const buttons = { in: (side) => zoom(side, 1.25, side.pane.clientWidth / 2, side.pane.clientHeight / 2),
    out: (side) => zoom(side, 0.8, side.pane.clientWidth / 2, side.pane.clientHeight / 2), fit, begin };
  document.querySelectorAll('.tools button[data-do]').forEach((button) => {
    if (button.dataset.do === 'print') {
      button.addEventListener('click', () => window.print());
    } else {
      button.addEventListener('click', () => sides.forEach(buttons[button.dataset.do]));
    }
  });
  // The whole graphs are printed.
  window.addEventListener('beforeprint', () => sides.forEach((side) => {
    side.svg.setAttribute('viewBox', '0 0 ' + side.size.join(' '));
  }));
  window.addEventListener('afterprint', () => sides.forEach((side) => {
    show(side, side.view.x, side.view.y, side.view.scale);
  }));
  window.addEventListener('resize', () => sides.forEach((side) => {
    show(side, side.view.x, side.view.y, side.view.scale);
  }));

  const find = document.getElementById('find');
  const found = document.getElementById('found');
  const texts = sides.map((side) => side.boxes.map((box) => box.textContent.toLowerCase()));
  let at = -1;
  let matches = [];
  const search = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    matches = [];
    texts.forEach((ofSide, number) => ofSide.forEach((text, index) => {
      if (words.length && words.every((word) => text.includes(word))) { matches.push([number, index]); }
    }));
    at = -1;
    found.textContent = words.length ? matches.length + ' found' : '';
  };
  const step = (direction) => {
    if (matches.length === 0) { return; }
    at = (at + direction + matches.length) % matches.length;
    pick(matches[at][0], matches[at][1], true);
    found.textContent = (at + 1) + ' of ' + matches.length;
  };
  find.addEventListener('input', search);
  find.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') { step(event.shiftKey ? -1 : 1); }
  });
})();
)";

} // namespace crosswalk
