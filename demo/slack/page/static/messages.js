// One message as a row: who, when, what, its controls, its thread.
import { el, icon, iconButton, openMenu } from "./dom.js";
import { renderBlocks, uploaded } from "./blocks.js";
import { dayName, longDate, mrkdwn, timeOf, userName } from "./text.js";

const GROUP_SECONDS = 300;
const HUES = [12, 265, 205, 145, 330, 42, 95, 235];

export function avatar(state, id) {
  const user = state.users[id];
  const initial = (user?.name ?? "?").slice(0, 1).toUpperCase();
  if (user?.is_app) return el("span", { class: "avatar app", "aria-hidden": "true" }, initial);
  const hue = HUES[[...id].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % HUES.length];
  const node = el("span", { class: "avatar", "aria-hidden": "true" }, initial);
  node.style.setProperty("--hue", hue);
  return node;
}

// Rows for reconcile(): messages with a line between days. `threads` knows the replies of a root.
export function rows(messages, room) {
  const items = [];
  let before = null;
  for (const message of messages) {
    const day = new Date(Number(message.ts) * 1000).toDateString();
    if (!room.inThread && day !== before?.day) items.push({ key: `day-${day}`, sign: dayName(new Date(Number(message.ts) * 1000)) ?? day, day: longDate(message.ts) });
    const isGrouped = Boolean(before) && before.day === day && before.user === message.user && !message.is_private && !before.is_private
      && Number(message.ts) - Number(before.ts) < GROUP_SECONDS && !(room.inThread && before.isRoot) && !message.blocks.length;
    const replies = room.inThread ? null : room.repliesOf(message.ts);
    const local = room.localOf(message.ts);
    items.push({ key: message.ts, sign: JSON.stringify([message, isGrouped, replies, local, room.sign]), message, isGrouped, replies, local });
    before = { ...message, day, isRoot: room.inThread && message.ts === messages[0].ts };
  }
  return items;
}

export function row(item, room) {
  if (item.day) return el("div", { class: "day", role: "separator" }, el("span", {}, item.day[0].toUpperCase() + item.day.slice(1)));
  const { message, isGrouped, replies, local } = item;
  const { state } = room;
  const user = state.users[message.user];
  return el("article", {
    class: `message ${isGrouped ? "grouped" : ""} ${message.is_private ? "private" : ""} ${message.blocks.length ? "rich" : ""} ${message.is_streaming ? "streaming" : ""}`,
    "aria-busy": message.is_streaming ? "true" : null,
    "aria-label": `${userName(message.user)}, ${timeOf(message.ts)}`, "data-ts": message.ts,
  },
    isGrouped ? el("span", { class: "gutter", "aria-hidden": "true" }, timeOf(message.ts)) : avatar(state, message.user),
    el("div", { class: "body" },
      message.is_private && el("div", { class: "only-you" }, icon("eye"), "Only visible to you",
        el("button", { type: "button", class: "quiet", onclick: () => room.dismiss(message) }, "Dismiss")),
      !isGrouped && el("div", { class: "by" }, el("b", {}, userName(message.user)), user?.is_bot && el("span", { class: "tag" }, "APP"),
        user?.is_outside && el("span", { class: "tag" }, "OUTSIDE"), el("time", {}, timeOf(message.ts))),
      content(message, room, local),
      message.files.map((one) => el("figure", { class: "file" }, el("figcaption", {}, one.title), one.is_picture && uploaded(one.id, one.alt_text))),
      local?.warning && el("p", { class: "warning", role: "alert" }, icon("warn"), local.warning.replace(/^⚠\s*/, "")),
      replies && thread(replies, message, room)),
    tools(message, room));
}

function content(message, room, local) {
  const edited = message.is_edited && el("span", { class: "edited" }, " (edited)");
  if (message.is_gone) return el("div", { class: "text gone" }, "This message was deleted.");
  if (!message.blocks.length) return el("div", { class: "text", dir: "auto" }, mrkdwn(message.text), edited);
  const use = {
    busy: local?.busy,
    value: (block, element) => local?.values?.[element.action_id],
    act: (block, element, option) => room.click(message, block, element, option),
    ask: (block, element, text) => room.ask(message, block, element, text),
    field: () => el("span"),
  };
  return el("div", { class: "blocks" }, renderBlocks(message.blocks, use), edited);
}

function thread(replies, message, room) {
  const words = `${replies.count} ${replies.count === 1 ? "reply" : "replies"}`;
  return el("button", { type: "button", class: "replies", onclick: () => room.openThread(message) },
    el("span", { class: "faces" }, replies.users.slice(0, 3).map((id) => avatar(room.state, id))),
    el("b", {}, words), el("span", { class: "last" }, `last at ${timeOf(replies.last)}`));
}

function tools(message, room) {
  if (message.is_private || message.is_gone) return null;
  const shortcuts = room.state.page.shortcuts ?? [];
  const items = [
    ...(room.inThread ? [] : [{ text: "Reply in thread", choose: () => room.openThread(message) }]),
    ...(room.state.users[room.state.me].is_outside ? [] : shortcuts).map((one) => (
      { text: one.name, note: userName(room.appId), choose: () => room.shortcut(message, one.callback_id) })),
  ];
  return el("div", { class: "tools" },
    !room.inThread && iconButton("chat", "Reply in thread", () => room.openThread(message), { class: "icon-button only-wide" }),
    items.length > 0 && iconButton("more", "More actions", (event) => openMenu(event.currentTarget, items, "More actions"), { "aria-haspopup": "menu", "aria-expanded": "false" }));
}
