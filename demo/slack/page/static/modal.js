// The form on top of this person's stack. What was typed stays while the view is the same, or keeps its fields.
import { act } from "./api.js";
import { renderBlocks } from "./blocks.js";
import { closeDialog, el, icon, iconButton, openDialog } from "./dom.js";
import { inputField } from "./fields.js";
import { plain } from "./text.js";

let open = null;
const typed = new Map();

const valuesOf = (view) => Object.fromEntries([...(typed.get(view.id) ?? new Map())].map(([key, one]) => [key, one.value]));

export function showModal(user, modal) {
  if (!modal) return shut();
  const sign = JSON.stringify([modal.view, modal.errors]);
  if (open?.sign === sign && open.user === user) return;
  const isNew = open?.view.id !== modal.view.id || open.user !== user;
  if (isNew && open) shut();
  open = { ...(isNew ? { trouble: "", busy: null } : open), user, sign, view: modal.view, errors: modal.errors, depth: modal.depth };
  if (isNew) {
    open.dialog = el("dialog", { class: "modal", "aria-labelledby": "modal-title" });
    draw();
    openDialog(open.dialog, leave);
  } else draw();
  focusFirst(isNew);
}

function shut() {
  if (!open) return;
  closeDialog(open.dialog);
  open = null;
}

function draw() {
  const { view, dialog } = open;
  const held = dialog.querySelector(".modal-body")?.scrollTop ?? 0;
  const focus = focused(dialog);
  dialog.replaceChildren(
    el("header", {}, el("h2", { id: "modal-title" }, plain(view.title.text)), iconButton("close", "Close", leave)),
    el("form", { class: "modal-form", novalidate: true, onsubmit: (event) => { event.preventDefault(); send(); } },
      el("div", { class: "modal-body" }, renderBlocks(view.blocks, uses(view))),
      open.trouble && el("p", { class: "trouble", role: "alert" }, icon("warn"), open.trouble),
      el("footer", {},
        el("button", { type: "button", class: "button", onclick: leave }, view.close ? plain(view.close.text) : open.depth > 1 ? "Back" : "Close"),
        view.submit && el("button", { type: "submit", class: `button primary ${open.busy === "submit" ? "busy" : ""}`, disabled: Boolean(open.busy) }, plain(view.submit.text)))));
  dialog.querySelector(".modal-body").scrollTop = held;
  refocus(dialog, focus);
}

// Where the person was, to be there again in what is drawn anew.
function focused(dialog) {
  const node = document.activeElement;
  if (!dialog.contains(node)) return null;
  return { block: node.closest("[data-block]")?.dataset.block, control: node.dataset.control, type: node.type, value: node.value, from: node.selectionStart, to: node.selectionEnd };
}

function refocus(dialog, was) {
  if (!was) return;
  const same = (node) => was.control ? node.dataset.control === was.control
    : was.block ? node.closest("[data-block]")?.dataset.block === was.block && node.type === was.type && (!["radio", "checkbox"].includes(node.type) || node.value === was.value)
      : node.type === was.type && node.type === "submit";
  const node = [...dialog.querySelectorAll("input, textarea, select, button")].find(same);
  node?.focus();
  if (node && was.from != null && node.setSelectionRange) node.setSelectionRange(was.from, was.to);
}

function uses(view) {
  return {
    busy: open.busy,
    value: (block, element) => shownValue(view, block, element),
    act: (block, element, option) => press(view, block, element, option),
    ask: (block, element, text) => ask(block, element, text),
    field: (block, element) => inputField(block, element, {
      value: shownValue(view, block, element), error: open.errors[block.block_id],
      changed: (value, shown) => note(view, block, element, value, shown), ask: (text) => ask(block, element, text),
    }),
  };
}

const ask = (block, element, text) => act("suggest", { user: open.user, block_id: block.block_id, action_id: element.action_id, query: text });

const shownValue = (view, block, element) => typed.get(view.id)?.get(keyOf(view, block, element))?.shown;

// Where a block holds several elements the driver is told by action_id.
const keyOf = (view, block, element) => (block.type === "actions" && block.elements.length > 1 ? element.action_id : block.block_id);

function note(view, block, element, value, shown = value) {
  const fields = typed.get(view.id) ?? new Map();
  fields.set(keyOf(view, block, element), { value, shown });
  typed.set(view.id, fields);
  if (block.dispatch_action && !["plain_text_input", "number_input"].includes(element.type)) press(view, block, element, value);
}

// Fields that an update took away are no longer sent.
function present(view) {
  const keys = new Set(view.blocks.flatMap((block) => [block.block_id, ...(block.elements ?? []).map((one) => one.action_id)]));
  return Object.fromEntries(Object.entries(valuesOf(view)).filter(([key]) => keys.has(key)));
}

async function press(view, block, element, option) {
  if (option !== undefined && block.type !== "input") note(view, block, element, option);
  await during(`${block.block_id}/${element.action_id}`, () => act("press", {
    user: open.user, block_id: block.block_id, action_id: element.action_id, option, values: present(view),
  }));
}

async function send() {
  const { view, user } = open;
  await during("submit", () => act("submit", { user, view_id: view.id, values: present(view) }));
}

async function during(what, ask) {
  const mine = open;
  if (mine.busy) return;
  Object.assign(mine, { busy: what, trouble: "" });
  draw();
  const answer = await ask();
  if (!open || open.view.id !== mine.view.id) return;
  Object.assign(open, { busy: null, trouble: answer.shown ?? (answer.fields ? "" : answer.error) ?? "", errors: answer.fields ?? open.errors });
  draw();
  focusFirst(false);
}

function focusFirst(isNew) {
  const wrong = open.dialog.querySelector("[aria-invalid]");
  const first = open.dialog.querySelector("[data-first]") ?? open.dialog.querySelector(".modal-body input, .modal-body textarea, .modal-body select");
  if (wrong) wrong.focus();
  else if (isNew) (first ?? open.dialog.querySelector("footer button")).focus();
}

async function leave() {
  const { user, view } = open;
  typed.delete(view.id);
  await act("close", { user });
}
