// Slack's texts as nodes: mrkdwn with its <tokens>, plain text, and the Markdown of the markdown block.
import { el, icon } from "./dom.js";

const EMOJI = {
  warning: "⚠", white_check_mark: "✔", heavy_check_mark: "✔", x: "✖", eyes: "👀", lock: "🔒", rotating_light: "🚨",
  hourglass: "⏳", hourglass_flowing_sand: "⏳", no_entry: "⛔", information_source: "ℹ", tada: "🎉", thumbsup: "👍",
  "+1": "👍", "-1": "👎", robot_face: "🤖", bell: "🔔", red_circle: "🔴", large_yellow_circle: "🟡", large_green_circle: "🟢",
};
// Drawn, so that a machine without an emoji font shows them too.
const DRAWN = { warning: "warn", hourglass: "hourglass", hourglass_flowing_sand: "hourglass", white_check_mark: "check", heavy_check_mark: "check", x: "close", lock: "lock", eyes: "eye" };
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;
const DECODED = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

export const decode = (text) => text.replace(/&(?:lt|gt|amp);/g, (entity) => DECODED[entity]);
export const encode = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// ---- names and times, as this reader sees them

let names = { users: {}, groups: {}, channels: [], me: "" };
export function knowNames(state) { names = state; }

export const reader = () => names.me;
export const userName = (id) => names.users[id]?.name ?? "somebody unknown";
const groupName = (id) => names.groups[id]?.handle ?? "a group unknown here";
const channelName = (id) => names.channels.find((one) => one.id === id)?.name ?? "a channel you cannot see";
const rings = (id) => id === names.me || names.groups[id]?.members.includes(names.me);

const mention = (text, mine) => el("span", { class: mine ? "mention mine" : "mention" }, text);
export const userMention = (id) => mention(`@${userName(id)}`, rings(id));
export const groupMention = (id) => mention(`@${groupName(id)}`, rings(id));
export const channelMention = (id) => mention(`#${channelName(id)}`, false);
export const broadcastMention = (range) => mention(`@${range}`, true);

const shown = (options) => (date) => new Intl.DateTimeFormat([], options).format(date);
const clock = shown({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const FORMATS = {
  date_num: shown({ year: "numeric", month: "2-digit", day: "2-digit" }),
  date: shown({ year: "numeric", month: "long", day: "numeric" }),
  date_short: shown({ year: "numeric", month: "short", day: "numeric" }),
  date_long: shown({ year: "numeric", month: "long", day: "numeric", weekday: "long" }),
  time: clock,
  time_secs: shown({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }),
  ago: (date) => ago((Date.now() - date) / 1000),
};
for (const name of ["date", "date_short", "date_long"]) {
  FORMATS[`${name}_pretty`] = (date) => dayName(date) ?? FORMATS[name](date);
}

export function dayName(date) {
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86400000);
  return { 0: "today", 1: "yesterday", "-1": "tomorrow" }[days];
}

function ago(seconds) {
  if (Math.abs(seconds) < 60) return "just now";
  const [size, unit] = Math.abs(seconds) < 3600 ? [60, "minute"] : Math.abs(seconds) < 86400 ? [3600, "hour"] : [86400, "day"];
  return new Intl.RelativeTimeFormat([], { numeric: "auto" }).format(-Math.round(seconds / size), unit);
}

export const timeOf = (ts) => clock(new Date(Number(ts) * 1000));
export const longDate = (ts) => FORMATS.date_long_pretty(new Date(Number(ts) * 1000));

export function dateText(timestamp, format, fallback) {
  const date = new Date(Number(timestamp) * 1000);
  if (Number.isNaN(date.getTime())) return fallback ?? "";
  return format.replace(/\{(\w+)\}/g, (whole, name) => FORMATS[name]?.(date) ?? whole);
}

export function link(url, label) {
  if (!SAFE_LINK.test(url)) return document.createTextNode(label ? `${label} (${url})` : url);
  return el("a", { href: url, title: url, target: "_blank", rel: "noopener noreferrer" }, label || url);
}

// ---- plain text

export const plain = (text) => withEmoji(decode(text));
export const withEmoji = (text) => text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => EMOJI[name] ?? whole);
export const textOf = (object) => (object.type === "mrkdwn" ? mrkdwn(object.text) : [plain(object.text)]);

// ---- mrkdwn

export function mrkdwn(text) {
  return text.split(/```/).flatMap((part, index, all) => {
    const isCode = index % 2 === 1 && index < all.length - 1;
    if (isCode) return [el("pre", {}, decode(part.replace(/^\n|\n$/g, "")))];
    return quoted(index % 2 === 1 ? "```" + part : part);
  });
}

function quoted(text) {
  const nodes = [];
  for (const piece of text.split(/((?:^(?:&gt;|>) ?.*(?:\n|$))+)/m)) {
    if (/^(?:&gt;|>)/.test(piece)) nodes.push(el("blockquote", {}, inline(piece.replace(/^(?:&gt;|>) ?/gm, "").trimEnd())));
    else if (piece) nodes.push(...inline(piece));
  }
  return nodes;
}

const EDGE = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}])";
const styled = (mark) => `${EDGE}[${mark}](?=[^\\s${mark}])([^\\n${mark}]*[^\\s${mark}])[${mark}]${END}`;
const INLINE = new RegExp(`\`([^\`\\n]+)\`|<([^<>\\n]+)>|${styled("*")}|${styled("_")}|${styled("~")}`, "gu");
const STYLE_TAGS = ["b", "i", "s"];

function inline(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    nodes.push(...bare(text.slice(from, found.index)));
    nodes.push(inlineNode(found));
    from = found.index + found[0].length;
  }
  return [...nodes, ...bare(text.slice(from))];
}

function inlineNode([, code, token, ...texts]) {
  if (code !== undefined) return el("code", {}, decode(code));
  if (token !== undefined) return tokenNode(token);
  const which = texts.findIndex((one) => one !== undefined);
  return el(STYLE_TAGS[which], {}, inline(texts[which]));
}

function bare(text) {
  return text.split("\n").flatMap((line, index) => [...(index ? [el("br")] : []), ...line.split(/:([a-z0-9_+-]+):/).map((part, at) =>
    (at % 2 ? emoji(part) : decode(part)))]).filter((one) => one !== "");
}

export function emoji(name) {
  if (DRAWN[name]) return el("span", { class: `emoji ${name}`, role: "img", "aria-label": name.replaceAll("_", " ") }, icon(DRAWN[name]));
  return EMOJI[name] ?? `:${name}:`;
}

function tokenNode(token) {
  const [head, label] = splitOnce(token, "|");
  if (head.startsWith("@")) return userMention(head.slice(1));
  if (head.startsWith("#")) return channelMention(head.slice(1));
  if (head.startsWith("!subteam^")) return groupMention(head.slice(9));
  if (head.startsWith("!date^")) return dateNode(token.slice(6), label);
  if (/^!(here|channel|everyone)$/.test(head)) return broadcastMention(head.slice(1));
  return link(decode(head), label && decode(label));
}

function dateNode(token) {
  const [spec, fallback] = splitOnce(token, "|");
  const [timestamp, format, url] = spec.split("^");
  const text = dateText(timestamp, decode(format ?? ""), fallback && decode(fallback));
  const title = fallback && decode(fallback);
  return url ? link(decode(url), text) : el("time", { title }, text);
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

// What a lock screen shows: the same text without any markup.
export function asLine(text) {
  return el("span", {}, mrkdwn(text)).textContent.replace(/\s+/g, " ").trim();
}

// ---- Markdown (of the markdown block): headings, lists, quotes, code, bold, italic, bare links

export function markdown(text) {
  const nodes = [];
  const lines = text.split("\n");
  while (lines.length) {
    const line = lines.shift();
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (/^\s*(```|~~~)/.test(line)) nodes.push(fence(lines));
    else if (heading) nodes.push(el("div", { role: "heading", "aria-level": String(heading[1].length + 2), class: "md-heading" }, span(heading[2])));
    else if (LIST_ITEM.test(line)) nodes.push(list([line, ...takeWhile(lines, (one) => LIST_ITEM.test(one))]));
    else if (/^>/.test(line)) nodes.push(el("blockquote", {}, span([line, ...takeWhile(lines, (one) => /^>/.test(one))].map((one) => one.replace(/^> ?/, "")).join("\n"))));
    else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) nodes.push(el("hr"));
    else if (line.trim()) nodes.push(el("p", {}, span([line, ...takeWhile(lines, isProse)].join("\n"))));
  }
  return nodes;
}

const LIST_ITEM = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/;
const isProse = (line) => line.trim() && !LIST_ITEM.test(line) && !/^(#{1,6}\s|>|\s*(```|~~~))/.test(line);

function takeWhile(lines, holds) {
  const taken = [];
  while (lines.length && holds(lines[0])) taken.push(lines.shift());
  return taken;
}

function fence(lines) {
  const inside = takeWhile(lines, (line) => !/^\s*(```|~~~)\s*$/.test(line));
  lines.shift();
  return el("pre", {}, inside.join("\n"));
}

function list(lines) {
  const ordered = /^\s*\d/.test(lines[0]);
  return el(ordered ? "ol" : "ul", {}, lines.map((line) => {
    const [, indent, , text] = LIST_ITEM.exec(line);
    return el("li", { class: indent.length > 1 ? "deeper" : undefined }, span(text));
  }));
}

const SPAN = /(`+)(.+?)\1|!?\[([^\]\n]*)\]\(([^)\s]+)[^)]*\)|\*\*(?=\S)(.+?)\*\*|(?<!\w)__(?=\S)(.+?)__(?!\w)|\*(?=[^\s*])([^*\n]+)\*|(?<!\w)_(?=\S)([^_\n]+)_(?!\w)|(https?:\/\/[^\s<>()]+)/g;

function span(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(SPAN)) {
    nodes.push(...bare(text.slice(from, found.index)), ...spanNodes(found));
    from = found.index + found[0].length;
  }
  return [...nodes, ...bare(text.slice(from))];
}

function spanNodes([, , code, label, url, strong, strong2, em, em2, bareUrl]) {
  if (code !== undefined) return [el("code", {}, code.trim())];
  // The address is shown beside its label: a label can claim to lead elsewhere.
  if (url !== undefined) return label && label !== url ? [...span(label), " (", link(url), ")"] : [link(url)];
  if (strong ?? strong2) return [el("b", {}, span(strong ?? strong2))];
  if (em ?? em2) return [el("i", {}, span(em ?? em2))];
  return [link(bareUrl)];
}
