// Beside the chat: the lock screen of the one who is played, and the world outside the workspace.
import { avatar } from "./messages.js";
import { el, reconcile } from "./dom.js";
import { asLine, dateText, timeOf, userName } from "./text.js";

const LINE = 100;
const RINGS = 4;

export function lockScreen(state, show) {
  const now = Date.now() / 1000;
  const rings = state.rings.slice(-RINGS).reverse();
  const list = el("ul", { class: "rings" });
  reconcile(list, rings.map((ring) => ({ key: ring.ts, sign: ring.ts, ring })), ({ ring }) => ringItem(ring, state, show));
  return el("section", { class: "phone", "aria-label": `Lock screen of ${userName(state.me)}` },
    el("div", { class: "phone-clock" }, timeOf(now)),
    el("div", { class: "phone-owner" }, `${userName(state.me)}’s phone`),
    rings.length ? list : el("p", { class: "phone-quiet" }, "Nothing rang yet. A mention or a direct message shows here."));
}

function ringItem(ring, state, show) {
  const line = asLine(ring.text);
  const channel = state.channels.find((one) => one.id === ring.channel);
  const where = channel?.kind === "im" ? userName(ring.from) : `${userName(ring.from)} in #${channel?.name ?? "?"}`;
  return el("li", {}, el("button", { type: "button", class: "ring", onclick: () => show(ring.channel, ring.ts, ring.thread_ts) },
    avatar(state, ring.from),
    el("span", { class: "ring-body" }, el("span", { class: "ring-head" }, el("b", {}, where), el("time", {}, timeOf(ring.ts))),
      el("span", { class: "ring-text", dir: "auto" }, line.length > LINE ? `${line.slice(0, LINE)}…` : line))));
}

export function panel(shown) {
  return el("section", { class: "panel", "aria-label": shown.title },
    el("h2", {}, shown.title),
    el("ul", { class: "things" }, shown.rows.map((row) => el("li", { class: row.tone ?? "plain" },
      el("span", { class: "dot", "aria-hidden": "true" }), el("b", {}, row.name), el("span", { class: "thing-value" }, row.value),
      row.note && el("small", {}, row.note)))),
    shown.log.length > 0 && el("h3", {}, "What happened"),
    shown.log.length > 0 && el("ol", { class: "log" }, [...shown.log].reverse().map((one) => el("li", {}, el("time", {}, dateText(one.at, "{time_secs}")), " ", one.text))));
}
