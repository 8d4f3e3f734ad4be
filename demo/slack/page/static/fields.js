// What can be filled in or chosen. Each field tells `changed(value)` in the shape that the driver takes.
import { el, icon } from "./dom.js";
import { plain, textOf, userName } from "./text.js";

export const optionsOf = (element) => [...(element.options ?? []), ...(element.option_groups ?? []).flatMap((group) => group.options)];
const placeholder = (element, otherwise) => (element.placeholder ? plain(element.placeholder.text) : otherwise);

let serial = 0;
let known = { users: {}, channels: [] };
export function knowChoices(state) { known = state; }

// ---- one choice, outside of a form: choosing acts at once. `use.ask(block, element, text)` asks the app for options.

export function select(block, element, use, changed) {
  const chosen = (value) => { if (value !== null && value !== "") changed(value); };
  const ask = (text) => use.ask(block, element, text);
  const node = (FIELDS[element.type] ?? unsupported)(element, use.value?.(block, element), chosen, ask);
  const box = node.matches("select, input") ? node : node.querySelector("select, input");
  box?.setAttribute("aria-label", placeholder(element, "Choose"));
  box?.setAttribute("data-control", `${block.block_id}/${element.action_id}`);
  return node;
}

// ---- an input block

export function inputField(block, element, { value, error, changed, ask }) {
  const id = `field-${serial += 1}`;
  const node = (FIELDS[element.type] ?? unsupported)(element, value, changed, ask);
  const isGroup = node.matches("fieldset");
  const box = node.matches("input, textarea, select, fieldset") ? node : node.querySelector("input, textarea, select");
  const notes = [error && `${id}-error`, block.hint && `${id}-hint`].filter(Boolean).join(" ");
  box.id = id;
  if (error) box.setAttribute("aria-invalid", "true");
  if (notes) box.setAttribute("aria-describedby", notes);
  if (isGroup) box.setAttribute("aria-labelledby", `${id}-label`);
  if (element.focus_on_load) box.dataset.first = "";
  return el("div", { class: error ? "field wrong" : "field", "data-block": block.block_id },
    el(isGroup ? "div" : "label", { id: `${id}-label`, for: isGroup ? undefined : id, class: "label" },
      plain(block.label.text), block.optional && el("span", { class: "optional" }, " (optional)")),
    node,
    error && el("p", { class: "error", id: `${id}-error`, role: "alert" }, error),
    block.hint && el("p", { class: "hint", id: `${id}-hint` }, plain(block.hint.text)));
}

const FIELDS = {
  plain_text_input: (element, value, changed) => written(element, value, changed, element.multiline ? "textarea" : "input", {
    rows: element.multiline ? String(Math.min(12, Math.max(3, String(value ?? element.initial_value ?? "").split("\n").length + 1))) : undefined,
  }),
  number_input: (element, value, changed) => written(element, value, changed, "input", { inputmode: element.is_decimal_allowed ? "decimal" : "numeric" }),
  email_text_input: (element, value, changed) => written(element, value, changed, "input", { inputmode: "email" }),
  url_text_input: (element, value, changed) => written(element, value, changed, "input", { inputmode: "url" }),
  static_select: (element, value, changed) => oneOf(element, value ?? element.initial_option?.value, changed, element.options
    ? listed(element.options) : element.option_groups.map((group) => el("optgroup", { label: plain(group.label.text) }, listed(group.options)))),
  users_select: (element, value, changed) => oneOf(element, value ?? element.initial_user, changed, people()),
  conversations_select: (element, value, changed) => oneOf(element, value ?? element.initial_conversation, changed, channels()),
  channels_select: (element, value, changed) => oneOf(element, value ?? element.initial_channel, changed, channels()),
  external_select: (element, value, changed, ask) => searched(element, value, changed, ask),
  multi_external_select: (element, value, changed, ask) => searchedMany(element, value, changed, ask),
  radio_buttons: (element, value, changed) => ticks("radio", element.options, [value ?? element.initial_option?.value], ([one]) => changed(one)),
  checkboxes: (element, value, changed) => ticks("checkbox", element.options, value ?? (element.initial_options ?? []).map((one) => one.value), changed),
  multi_static_select: (element, value, changed) => ticks("checkbox", optionsOf(element), value ?? (element.initial_options ?? []).map((one) => one.value), changed),
  multi_users_select: (element, value, changed) => ticks("checkbox", asOptions(people()), value ?? element.initial_users ?? [], changed),
  multi_conversations_select: (element, value, changed) => ticks("checkbox", asOptions(channels()), value ?? element.initial_conversations ?? [], changed),
  multi_channels_select: (element, value, changed) => ticks("checkbox", asOptions(channels()), value ?? element.initial_channels ?? [], changed),
  datepicker: (element, value, changed) => picked("date", value ?? element.initial_date, changed),
  timepicker: (element, value, changed) => picked("time", value ?? element.initial_time, changed),
  datetimepicker: (element, value, changed) => picked("datetime-local", localTime(value ?? element.initial_date_time),
    (text) => changed(text && Math.floor(new Date(text).getTime() / 1000))),
};

const unsupported = (element) => el("input", { type: "text", disabled: true, value: `(${element.type}: this page does not show it)` });

function written(element, value, changed, tag, props) {
  return el(tag, {
    type: tag === "input" ? "text" : undefined, autocomplete: "off", placeholder: placeholder(element),
    value: value ?? element.initial_value ?? "", oninput: (event) => changed(event.target.value), ...props,
  });
}

const listed = (options) => options.map((one) => el("option", { value: one.value }, plain(one.text.text)));
const people = () => Object.entries(known.users).map(([id]) => el("option", { value: id }, userName(id)));
const channels = () => known.channels.filter((one) => one.kind !== "im").map((one) => el("option", { value: one.id }, `#${one.name}`));
const asOptions = (nodes) => nodes.map((one) => ({ value: one.value, text: { type: "plain_text", text: one.textContent } }));

function oneOf(element, value, changed, choices) {
  const node = el("select", { onchange: (event) => changed(event.target.value || null) },
    el("option", { value: "" }, placeholder(element, "Choose…")), choices);
  node.value = value ?? "";
  return node;
}

function ticks(type, options, chosen, changed) {
  const name = `ticks-${serial += 1}`;
  const node = el("fieldset", { class: "ticks" });
  const tell = () => changed([...node.querySelectorAll("input:checked")].map((one) => one.value));
  for (const option of options) {
    const box = el("input", { type, name, value: option.value, onchange: tell });
    box.checked = chosen.includes(option.value);
    node.append(el("label", {}, box, el("span", {}, textOf(option.text), option.description && el("small", {}, textOf(option.description)))));
  }
  return node;
}

const picked = (type, value, changed) => el("input", { type, value: value ?? "", onchange: (event) => changed(event.target.value || null) });

function localTime(seconds) {
  if (!seconds) return "";
  const date = new Date(seconds * 1000);
  return new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

// A text box with the app's own suggestions below it, asked for while typing. `value` is the option chosen.
function searched(element, value, changed, ask) {
  let chosen = value ?? element.initial_option ?? null;
  const { node, box } = search(element, ask, (option) => {
    chosen = option;
    box.value = plain(option.text.text);
    changed(option.value, option);
  });
  box.value = chosen?.text ? plain(chosen.text.text) : "";
  box.addEventListener("input", () => {
    if (chosen) changed(null, null);
    chosen = null;
  });
  return node;
}

function searchedMany(element, value, changed, ask) {
  let chosen = value ?? element.initial_options ?? [];
  const chips = el("div", { class: "chips" });
  const tell = (options) => {
    chosen = options;
    changed(chosen.map((one) => one.value), chosen);
    draw();
  };
  const draw = () => chips.replaceChildren(...chosen.map((one) => el("button", {
    type: "button", class: "chip", "aria-label": `Remove ${plain(one.text.text)}`, onclick: () => tell(chosen.filter((other) => other !== one)),
  }, plain(one.text.text), icon("close"))));
  const { node, box } = search(element, ask, (option) => {
    box.value = "";
    if (!chosen.some((one) => one.value === option.value)) tell([...chosen, option]);
  });
  draw();
  node.prepend(chips);
  return node;
}

function search(element, ask, choose) {
  const found = el("div", { class: "found", role: "listbox", "aria-label": "Suggestions" });
  const box = el("input", { type: "text", role: "combobox", autocomplete: "off", "aria-expanded": "false", placeholder: placeholder(element, "Type to search…") });
  const take = (option) => { show([]); choose(option); box.focus(); };
  const show = (options) => {
    box.setAttribute("aria-expanded", String(options.length > 0));
    found.replaceChildren(...options.map((one) => el("button", { type: "button", role: "option", onclick: () => take(one) },
      plain(one.text.text), one.description && el("small", {}, plain(one.description.text)))));
  };
  const look = async () => {
    const text = box.value;
    if (text.length < (element.min_query_length ?? 3)) return show([]);
    const answer = await ask(text);
    if (box.value !== text) return;
    show(answer.options ?? []);
    if (!answer.options?.length) found.append(el("p", { class: "hint" }, answer.error ?? "Nothing was found."));
  };
  box.addEventListener("input", look);
  box.addEventListener("focus", () => { if (!box.value) look(); });
  return { node: el("div", { class: "search" }, box, found), box };
}
