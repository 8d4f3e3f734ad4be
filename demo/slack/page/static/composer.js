// Where a person writes: grows with the text, completes @names and /commands, sends on Enter.
import { el, iconButton } from "./dom.js";
import { encode, userName } from "./text.js";

export function composer({ label, hint, state, draft, keep, send }) {
  let offered = [];
  let at = 0;
  const box = el("textarea", { rows: "1", "aria-label": label, placeholder: label, autocomplete: "off", enterkeyhint: "send", value: draft });
  const list = el("div", { class: "completions", role: "listbox", hidden: true });
  const grow = () => { box.style.height = "auto"; box.style.height = `${Math.min(box.scrollHeight, 180)}px`; };

  const offer = () => {
    offered = completions(state(), box.value.slice(0, box.selectionStart));
    at = 0;
    list.hidden = !offered.length;
    draw();
  };
  const draw = () => list.replaceChildren(...offered.map((one, index) => el("button", {
    type: "button", role: "option", "aria-selected": String(index === at), tabindex: "-1",
    onmousedown: (event) => event.preventDefault(), onclick: () => take(one),
  }, el("b", {}, one.text), el("span", {}, one.note))));
  const take = (one) => {
    const before = box.value.slice(0, box.selectionStart).replace(/[@/][^\s@/]*$/, "");
    const after = box.value.slice(box.selectionStart);
    box.value = `${before}${one.text} ${after}`;
    box.selectionStart = box.selectionEnd = before.length + one.text.length + 1;
    box.focus();
    changed();
  };
  const changed = () => { keep(box.value); grow(); offer(); };
  const go = async () => {
    const text = box.value.trim();
    if (!text) return;
    box.value = "";
    changed();
    const refused = await send(text.startsWith("/") ? text : withTokens(text, state()), text.startsWith("/"));
    problem.textContent = refused ?? "";
    // What was not sent is not lost.
    if (refused && !box.value) { box.value = text; changed(); }
  };
  const key = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (offered.length && step) { event.preventDefault(); at = (at + step + offered.length) % offered.length; draw(); }
    else if (offered.length && (event.key === "Enter" || event.key === "Tab")) { event.preventDefault(); take(offered[at]); }
    else if (offered.length && event.key === "Escape") { event.stopPropagation(); offered = []; list.hidden = true; }
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); go(); }
  };
  const problem = el("p", { class: "problem", role: "alert" });
  box.addEventListener("input", changed);
  box.addEventListener("keydown", key);
  box.addEventListener("blur", () => { list.hidden = true; });
  requestAnimationFrame(grow);
  return el("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); go(); } }, list,
    el("div", { class: "write" }, box, iconButton("send", "Send", go, { class: "icon-button send" })),
    problem, hint && el("p", { class: "hint" }, hint));
}

function completions(state, text) {
  const command = /^\/(\S*)$/.exec(text);
  if (command) return state.page.commands.filter((one) => one.startsWith(text) && one !== text).map((one) => ({ text: one, note: "command" }));
  const mention = /(?:^|\s)@([^\s@]*)$/.exec(text);
  if (!mention) return [];
  const wanted = mention[1].toLowerCase();
  const found = names(state).filter((one) => one.text.slice(1).toLowerCase().startsWith(wanted)).slice(0, 8);
  // Nothing to complete: Enter sends.
  return found[0]?.text.slice(1).toLowerCase() === wanted ? [] : found;
}

// The app first: it is who one usually talks to.
function names(state) {
  const users = Object.entries(state.users).sort(([, one], [, other]) => Number(other.is_app) - Number(one.is_app));
  return [
    ...users.map(([id, user]) => ({ text: `@${userName(id)}`, note: user.is_bot ? "app" : `@${user.handle}`, token: `<@${id}>` })),
    ...Object.entries(state.groups).map(([id, group]) => ({ text: `@${group.handle}`, note: "user group", token: `<!subteam^${id}>` })),
  ];
}

// As Slack's client sends it: the text escaped, the names as tokens.
function withTokens(text, state) {
  const known = names(state).sort((one, other) => other.text.length - one.text.length);
  return known.reduce((sent, one) => {
    const name = encode(one.text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return sent.replace(new RegExp(`(^|[^\\w<@])${name}(?![\\w-])`, "giu"), (_, before) => before + one.token);
  }, encode(text));
}
