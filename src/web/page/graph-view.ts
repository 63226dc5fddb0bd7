import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { Drawing } from "./graph-layout.ts";

interface Place {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const SCALES = { least: 0.15, most: 3 };
/** Maximum scale when a small drawing is fitted into the box. */
const FIT_MOST = 1.1;
const STEP = 60;
/** A pointer that moves less than this counts as a click. */
const SLACK = 4;

/**
 * Pans and zooms a drawing inside a box, by pointer, wheel and keyboard. Returns the `transform` of its SVG group, the
 * functions that change it, and the event handlers of the box.
 */
export function useView(box: RefObject<HTMLElement | null>, { width, height }: Drawing) {
  const [place, setPlace] = useState<Place>({ x: 0, y: 0, scale: 1 });
  const sizeOf = () => ({ width: box.current?.clientWidth ?? 0, height: box.current?.clientHeight ?? 0 });
  const fit = () => {
    const room = sizeOf();
    const scale = Math.max(
      SCALES.least,
      Math.min(room.width / Math.max(1, width), room.height / Math.max(1, height), FIT_MOST),
    );
    setPlace({ scale, x: (room.width - width * scale) / 2, y: (room.height - height * scale) / 2 });
  };
  useLayoutEffect(fit, [width, height]);
  const zoomAt = (factor: number, x: number, y: number) =>
    setPlace((last) => {
      const scale = Math.max(SCALES.least, Math.min(SCALES.most, last.scale * factor));
      const by = scale / last.scale;
      return { scale, x: x - (x - last.x) * by, y: y - (y - last.y) * by };
    });
  const zoom = (factor: number) => {
    const room = sizeOf();
    zoomAt(factor, room.width / 2, room.height / 2);
  };
  const move = (x: number, y: number) => setPlace((last) => ({ ...last, x: last.x + x, y: last.y + y }));
  return {
    transform: `translate(${place.x.toFixed(2)} ${place.y.toFixed(2)}) scale(${place.scale.toFixed(4)})`,
    zoom,
    fit,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0 || (event.target instanceof Element && event.target.closest("button") !== null)) return;
        drag(event, move);
      },
      // Prevents the browser from dragging the link.
      onDragStart: (event: Event) => event.preventDefault(),
      onKeyDown: (event: KeyboardEvent) => {
        const act = {
          ArrowLeft: () => move(STEP, 0),
          ArrowRight: () => move(-STEP, 0),
          ArrowUp: () => move(0, STEP),
          ArrowDown: () => move(0, -STEP),
          "+": () => zoom(1.25),
          "=": () => zoom(1.25),
          "-": () => zoom(0.8),
          "0": fit,
        }[event.key];
        if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        act();
      },
      onWheel: (event: WheelEvent) => {
        const at = box.current?.getBoundingClientRect();
        if (at === undefined) return;
        event.preventDefault();
        zoomAt(Math.exp(-event.deltaY * 0.0015), event.clientX - at.left, event.clientY - at.top);
      },
    },
  };
}

/** Follows a pointer until it is released. The click at the end of a drag is suppressed. */
function drag(start: PointerEvent, move: (x: number, y: number) => void): void {
  let { clientX: x, clientY: y } = start;
  let hasMoved = false;
  const go = (event: PointerEvent) => {
    hasMoved ||= Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > SLACK;
    if (!hasMoved) return;
    move(event.clientX - x, event.clientY - y);
    x = event.clientX;
    y = event.clientY;
  };
  const end = () => {
    removeEventListener("pointermove", go);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!hasMoved) return;
    const eaten = new AbortController();
    addEventListener("click", (event) => event.preventDefault(), { capture: true, once: true, signal: eaten.signal });
    addEventListener("pointerdown", () => eaten.abort(), { capture: true, once: true });
  };
  addEventListener("pointermove", go);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
