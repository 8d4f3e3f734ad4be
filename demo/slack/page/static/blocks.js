// Block Kit as nodes. `use` says what a control does: use.act(block, element, option), use.busy, use.field(block, element).
import { closeDialog, el, icon, openDialog, openMenu } from "./dom.js";
import { broadcastMention, channelMention, dateText, emoji, groupMention, link, markdown, plain, reader, textOf, userMention } from "./text.js";
import { select } from "./fields.js";

export function renderBlocks(blocks, use) {
  return blocks.map((block) => (RENDER[block.type] ?? unknown)(block, use));
}

const RENDER = {
  header: (block) => el("div", { class: "b-header", role: "heading", "aria-level": "3" }, plain(block.text.text)),
  section: (block, use) => el("div", { class: "b-section" },
    block.text && el("div", { class: "b-text" }, textOf(block.text)),
    block.fields && el("div", { class: "b-fields" }, block.fields.map((one) => el("div", {}, textOf(one)))),
    block.accessory && el("div", { class: "b-accessory" }, control(block, block.accessory, use))),
  context: (block) => el("div", { class: "b-context" }, block.elements.map((one) =>
    one.type === "image" ? picture(one) : el("span", { class: "b-text" }, textOf(one)))),
  actions: (block, use) => el("div", { class: "b-actions" }, block.elements.map((one) => control(block, one, use))),
  divider: () => el("hr"),
  image: (block) => el("figure", { class: "b-image" }, picture(block), block.title && el("figcaption", {}, plain(block.title.text))),
  rich_text: (block) => el("div", { class: "b-rich" }, block.elements.map(richPart)),
  markdown: (block) => el("div", { class: "b-markdown" }, markdown(block.text)),
  table: (block) => el("div", { class: "b-table" }, el("table", {}, block.rows.map((row, index) =>
    el("tr", {}, row.map((cell) => el(index ? "td" : "th", {}, cell.type === "raw_text" ? cell.text : cell.elements.map(richPart))))))),
  alert: (block) => el("div", { class: `b-alert ${block.level ?? "default"}`, role: "alert" }, textOf(block.text)),
  input: (block, use) => use.field(block, block.element),
};

const unknown = (block) => el("div", { class: "b-unknown" }, `(a ${block.type} block, which this page does not show)`);

// Uploaded pictures are shown; those from elsewhere are not loaded: what they show is said instead.
function picture(block) {
  const file = block.slack_file && (block.slack_file.id ?? /-(F\w+)/.exec(block.slack_file.url ?? "")?.[1]);
  return file ? uploaded(file, block.alt_text) : el("span", { class: "picture", role: "img", "aria-label": block.alt_text }, block.alt_text);
}

export const uploaded = (id, altText) => el("img", { class: "uploaded", src: `picture/${encodeURIComponent(id)}?user=${encodeURIComponent(reader())}`, alt: altText });

// ---- rich text

const RICH = {
  rich_text_section: (part) => el("div", { class: "r-section" }, part.elements.map(leaf)),
  rich_text_preformatted: (part) => el("pre", {}, part.elements.map(leaf)),
  rich_text_quote: (part) => el("blockquote", {}, part.elements.map(leaf)),
  rich_text_list: (part) => el(part.style === "ordered" ? "ol" : "ul",
    { class: part.indent ? "deeper" : undefined, start: part.offset ? String(part.offset + 1) : undefined },
    part.elements.map((one) => el("li", {}, one.elements.map(leaf)))),
};
const richPart = (part) => (RICH[part.type] ?? (() => el("span")))(part);

const LEAVES = {
  text: (one) => document.createTextNode(one.text),
  link: (one) => link(one.url, one.text),
  emoji: (one) => el("span", {}, emoji(one.name)),
  user: (one) => userMention(one.user_id),
  usergroup: (one) => groupMention(one.usergroup_id),
  channel: (one) => channelMention(one.channel_id),
  broadcast: (one) => broadcastMention(one.range),
  date: (one) => el("time", {}, dateText(one.timestamp, one.format, one.fallback)),
  color: (one) => document.createTextNode(one.value),
};
const STYLES = { bold: "b", italic: "i", strike: "s", code: "code", underline: "u", highlight: "mark" };

function leaf(one) {
  const node = LEAVES[one.type]?.(one) ?? document.createTextNode("");
  return Object.keys(one.style ?? {}).filter((name) => one.style[name] && STYLES[name])
    .reduce((inner, name) => el(STYLES[name], {}, inner), node);
}

// ---- controls

export const controlKey = (block, element) => `${block.block_id}/${element.action_id}`;

function control(block, element, use) {
  if (element.type === "image") return picture(element);
  if (element.type === "button") return button(block, element, use);
  if (element.type === "overflow") return overflow(block, element, use);
  return select(block, element, use, (value) => agreed(element, () => use.act(block, element, value)));
}

function button(block, element, use) {
  const key = controlKey(block, element);
  const busy = use.busy === key;
  const press = () => agreed(element, () => {
    if (element.url && /^https?:/i.test(element.url)) open(element.url, "_blank", "noopener,noreferrer");
    use.act(block, element);
  });
  return el("button", {
    type: "button", class: `button ${element.style ?? ""} ${busy ? "busy" : ""}`, disabled: Boolean(use.busy),
    "aria-label": element.accessibility_label, "data-control": key, onclick: press,
  }, plain(element.text.text));
}

function overflow(block, element, use) {
  const key = controlKey(block, element);
  const items = element.options.map((option) => ({
    text: plain(option.text.text), note: option.description && plain(option.description.text),
    choose: () => agreed(element, () => use.act(block, element, option.value)),
  }));
  return el("button", {
    type: "button", class: "button overflow", "aria-label": "More actions of this card", "aria-haspopup": "menu", "aria-expanded": "false",
    disabled: Boolean(use.busy), "data-control": key, onclick: (event) => openMenu(event.currentTarget, items, "More actions of this card"),
  }, icon("more"));
}

// Slack asks before the click goes out; "deny" sends nothing.
function agreed(element, go) {
  const asked = element.confirm;
  if (!asked) return go();
  const done = (then) => { closeDialog(dialog); then?.(); };
  const dialog = el("dialog", { class: "confirm", role: "alertdialog", "aria-label": plain(asked.title.text) },
    el("h2", {}, plain(asked.title.text)),
    el("div", { class: "b-text" }, textOf(asked.text)),
    el("div", { class: "dialog-buttons" },
      el("button", { type: "button", class: "button", onclick: () => done() }, plain(asked.deny.text)),
      el("button", { type: "button", class: `button ${asked.style ?? "primary"}`, onclick: () => done(go) }, plain(asked.confirm.text))));
  openDialog(dialog, () => done());
}
