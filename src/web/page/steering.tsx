import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PurgeRequest, SwitchRequest } from "../wire.ts";
import { ApiError, postJson } from "./api.ts";
import { nameOf } from "./format.ts";
import { usePage } from "./page-context.ts";

/** Shows whether groundwork is on, and lets the user switch it off and delete the history. */
export function Steering(): VNode {
  const { t, format, state } = usePage();
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const { everywhere, damage } = state.off;
  const isOff = everywhere !== null || damage !== "";
  const said = !isOff ? t.on : everywhere?.until == null ? t.off : t.offUntil(format.time(everywhere.until));
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      const isKey = event instanceof KeyboardEvent;
      const isOutside = event.target instanceof Node && box.current?.contains(event.target) === false;
      if (isKey ? event.key === "Escape" : isOutside) setOpen(false);
    };
    addEventListener("keydown", leave);
    addEventListener("pointerdown", leave);
    return () => {
      removeEventListener("keydown", leave);
      removeEventListener("pointerdown", leave);
    };
  }, [isOpen]);
  return (
    <div class="steering" ref={box}>
      <button
        type="button"
        class={`quiet state ${isOff ? "state-off" : "state-on"}`}
        aria-expanded={isOpen}
        aria-label={`${said}. ${t.steer}`}
        onClick={() => setOpen(!isOpen)}
      >
        {said}
      </button>
      {isOpen && <Panel isOff={isOff} onDone={() => setOpen(false)} />}
    </div>
  );
}

function Panel({ isOff, onDone }: { readonly isOff: boolean; readonly onDone: () => void }): VNode {
  const { t, format, state, reloadState } = usePage();
  const [wish, setWish] = useState<PurgeRequest | null>(null);
  const [said, setSaid] = useState("");
  const { here, off } = state;
  const isOffHere = off.repos.some(({ repo }) => repo === here);
  const change = async (path: string, body: SwitchRequest | PurgeRequest, tell: (done: unknown) => string) => {
    try {
      const { done } = await postJson(path, body);
      reloadState();
      const told = tell(done);
      if (told === "") onDone();
      else setSaid(told);
    } catch (thrown) {
      setSaid(thrown instanceof ApiError && thrown.status === 0 ? t.noAnswer : t.failed(String(thrown)));
    }
  };
  const switchTo = (path: "off" | "on", body: SwitchRequest) => () => void change(path, body, () => "");
  if (wish !== null)
    return (
      <div class="panel" role="dialog" aria-label={t.historyTitle}>
        <p>{t.purgeSure}</p>
        <div class="row">
          <button
            type="button"
            class="danger"
            onClick={() => {
              setWish(null);
              void change("purge", wish, (count) => t.purged(format.number(Number(count))));
            }}
          >
            {"repo" in wish ? t.purgeRepo(nameOf(wish.repo)) : t.purgeAll}
          </button>
          <button type="button" onClick={() => setWish(null)}>
            {t.cancel}
          </button>
        </div>
      </div>
    );
  return (
    <div class="panel" role="dialog" aria-label={t.steer}>
      {off.damage !== "" && <p class="warning">{off.damage}</p>}
      {isOff ? (
        <button type="button" onClick={switchTo("on", {})}>
          {t.switchOn}
        </button>
      ) : (
        <>
          <button type="button" onClick={switchTo("off", { minutes: 60 })}>
            {t.offHour}
          </button>
          <button type="button" onClick={switchTo("off", {})}>
            {t.offAlways}
          </button>
        </>
      )}
      {here !== "" && !isOff && (
        <button type="button" onClick={switchTo(isOffHere ? "on" : "off", { repo: here })}>
          {isOffHere ? t.switchOnHere(nameOf(here)) : t.offHere(nameOf(here))}
        </button>
      )}
      <p class="note">{t.offExplained}</p>
      <h3>{t.historyTitle}</h3>
      <p class="note">
        {t.historyModes[state.history]} {t.historyKept(state.history_days, state.history_mb)}
      </p>
      {here !== "" && (
        <button type="button" onClick={() => setWish({ repo: here })}>
          {t.purgeRepo(nameOf(here))}
        </button>
      )}
      <button type="button" onClick={() => setWish({ all: true })}>
        {t.purgeAll}
      </button>
      {said !== "" && <p role="status">{said}</p>}
      <p class="note version">groundwork {state.version}</p>
    </div>
  );
}
