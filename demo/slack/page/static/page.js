// The chat client: who is played, where they are, and what is drawn from the state the stand-in sends.
import { act, follow } from "./api.js";
import { composer } from "./composer.js";
import { el, icon, iconButton, reconcile } from "./dom.js";
import { knowChoices } from "./fields.js";
import { avatar, row, rows } from "./messages.js";
import { showModal } from "./modal.js";
import { renderBlocks } from "./blocks.js";
import { knowNames, userName } from "./text.js";
import { lockScreen, panel } from "./world.js";

const part = (id) => document.getElementById(id);
const app = { state: null, user: null, place: { channel: null, thread: null }, local: new Map(), drafts: new Map(), dismissed: new Set(), read: {}, stop: null };

// ---- who

async function play(user) {
  app.stop?.abort();
  app.stop = new AbortController();
  Object.assign(app, { user, state: null, opened: undefined, local: new Map() });
  app.read = JSON.parse(localStorage.getItem(`read ${user}`) ?? "{}");
  const address = new URL(location.href);
  address.searchParams.set("as", user);
  history.replaceState(null, "", address);
  if (app.place.channel === "home") act("open_home", { user });
  await follow(user, seen, (isLost) => { part("lost").hidden = !isLost; }, app.stop.signal);
}

function seen(state) {
  const isFirst = app.state === null;
  app.state = state;
  knowNames(state);
  knowChoices(state);
  document.title = state.page.title;
  if (!placeExists()) app.place = { channel: state.channels.find((one) => one.kind !== "im")?.id ?? null, thread: null };
  draw(isFirst);
}

// ---- where

// A conversation that was opened just now may not be in a state that was on its way already.
const placeExists = () => app.place.channel === app.opened || (app.place.channel === "home" ? app.state.has_home : Boolean(channel()));
const channel = () => app.state.channels.find((one) => one.id === app.place.channel);
const titleOf = (one) => (one.kind === "im" ? userName(one.with) : one.name);
const messagesOf = (id) => (app.state.messages[id] ?? []).filter((one) => !app.dismissed.has(one.ts));
const rootsOf = (id) => messagesOf(id).filter((one) => !one.thread_ts || one.is_broadcast);
const threadOf = (id, ts) => messagesOf(id).filter((one) => one.ts === ts || one.thread_ts === ts);

function go(channelId, thread = null) {
  app.place = { channel: channelId, thread };
  screen(thread ? "thread" : "channel");
  draw(true);
}

function screen(name) {
  if (name !== "world") app.chat = name;
  document.body.dataset.screen = name;
  drawTabs();
}

async function openApp() {
  const answer = await act("direct", { user: app.user });
  if (answer.channel) Object.assign(app, { opened: answer.channel, place: { channel: answer.channel, thread: null } });
  screen("channel");
  draw(true);
}

// The app is told of every opening, and may publish anew.
async function openHome() {
  go("home");
  await act("open_home", { user: app.user });
}

function showMessage(channelId, ts, threadTs) {
  go(channelId, threadTs && threadTs !== ts ? threadTs : null);
  const shown = document.querySelector(`[data-ts="${CSS.escape(ts)}"]`);
  shown?.scrollIntoView({ block: "center" });
  shown?.classList.add("shown");
}

// ---- drawing

function draw(isMoved = false) {
  if (!app.state) return;
  markRead();
  drawPeople();
  drawSidebar();
  drawChannel(isMoved);
  drawThread(isMoved);
  drawWorld();
  drawTabs();
  showModal(app.user, app.state.modal);
}

function drawPeople() {
  part("title").textContent = app.state.page.title;
  const people = app.state.page.people;
  rememberRings(people);
  reconcile(part("people"), people.map((one) => ({ key: one.id, sign: JSON.stringify([one, userName(one.id), one.id === app.user, hasRung(one)]), one })), ({ one }) =>
    el("button", { type: "button", class: `person ${hasRung(one) ? "rung" : ""}`, title: hasRung(one) ? `${userName(one.id)}’s phone rang` : null, "aria-pressed": String(one.id === app.user), "data-control": one.id, onclick: () => play(one.id) },
      avatar(app.state, one.id), el("span", { class: "person-words" }, el("b", {}, userName(one.id)), " ", el("small", {}, one.role))));
  part("you").textContent = `You are ${userName(app.user)} – ${people.find((one) => one.id === app.user)?.role}`;
}

// Whose phone rang since they were last played.
const hasRung = (one) => one.id !== app.user && (one.rang ?? "0") > (localStorage.getItem(`rung ${one.id}`) ?? "0");
function rememberRings(people) {
  const rang = people.find((one) => one.id === app.user)?.rang;
  if (rang) localStorage.setItem(`rung ${app.user}`, rang);
}

function drawSidebar() {
  const { channels, users } = app.state;
  const appId = Object.keys(users).find((id) => users[id].is_app);
  const direct = channels.filter((one) => one.kind === "im" && one.is_member);
  const withApp = direct.find((one) => one.with === appId);
  const entries = [
    { key: "h-channels", heading: "Channels" },
    ...channels.filter((one) => one.kind !== "im").map((one) => entry(one.id, one.kind === "private" ? icon("lock") : "#", titleOf(one), one)),
    { key: "h-direct", heading: "Direct messages" },
    ...direct.filter((one) => one.with !== appId).map((one) => entry(one.id, avatar(app.state, one.with), titleOf(one), one)),
    { key: "h-apps", heading: "Apps" },
    { ...entry(withApp?.id ?? "app", avatar(app.state, appId), userName(appId), withApp), open: openApp },
    ...(app.state.has_home ? [{ ...entry("home", avatar(app.state, appId), `${userName(appId)} – Home`), open: openHome }] : []),
  ].filter((one, index, all) => !one.heading || (all[index + 1] && !all[index + 1].heading));
  reconcile(part("sidebar"), entries.map((one) => ({ ...one, sign: one.sign ?? one.key })), (one) => one.heading
    ? el("h2", {}, one.heading)
    : el("button", { type: "button", class: `place ${one.isUnread ? "unread" : ""}`, "aria-current": one.isHere ? "page" : null, "data-control": one.key,
      onclick: () => (one.open ?? go)(one.key) },
    el("span", { class: "place-mark", "aria-hidden": "true" }, one.mark), el("span", { class: "place-name" }, one.name),
    one.rang > 0 && el("span", { class: "badge", "aria-label": `${one.rang} new for you` }, String(one.rang))));
}

function entry(key, mark, name, one) {
  const readTo = app.read[one?.id] ?? "0";
  const isHere = key === app.place.channel;
  const rang = one ? app.state.rings.filter((ring) => ring.channel === one.id && ring.ts > readTo).length : 0;
  const isUnread = Boolean(one) && (messagesOf(one.id).at(-1)?.ts ?? "0") > readTo && app.read[one.id] !== undefined;
  return { key, mark, name, isHere, rang, isUnread: isUnread || rang > 0, sign: JSON.stringify([key, name, isHere, rang, isUnread]) };
}

function markRead() {
  const id = app.place.channel;
  for (const one of app.state.channels) app.read[one.id] ??= messagesOf(one.id).filter((message) => message.user === app.user).at(-1)?.ts ?? "0";
  const last = messagesOf(id).at(-1)?.ts;
  if (last && document.visibilityState === "visible") app.read[id] = last;
  localStorage.setItem(`read ${app.user}`, JSON.stringify(app.read));
}

function frame(holder, sign, build) {
  if (holder.dataset.sign === sign) return;
  holder.replaceChildren(...build());
  holder.dataset.sign = sign;
}

function drawChannel(isMoved) {
  const holder = part("channel");
  if (app.place.channel === "home") return drawHome(holder);
  const here = channel();
  if (!here) return frame(holder, "nowhere", () => [el("p", { class: "empty" }, "There is no conversation that you can see.")]);
  const sign = JSON.stringify([app.user, here.id, here.is_member, titleOf(here)]);
  frame(holder, sign, () => [
    el("header", { class: "bar" }, iconButton("back", "Back to the conversations", () => screen("list"), { class: "icon-button only-phone" }),
      el("h2", {}, here.kind === "im" ? "" : "# ", titleOf(here)), el("small", {}, here.kind === "im" ? "direct message" : membersOf(here))),
    el("div", { class: "stream", role: "log", "aria-label": "Messages", tabindex: "0" }),
    here.is_member ? writer(here, null) : el("p", { class: "outside" }, `You are not in ${titleOf(here)}: you can read here, not write.`)]);
  stream(holder.querySelector(".stream"), rootsOf(here.id), room(here, false), isMoved);
}

const membersOf = (one) => one.members.map(userName).join(", ");

function drawThread(isMoved) {
  const holder = part("thread");
  const here = channel();
  const messages = here && app.place.thread ? threadOf(here.id, app.place.thread) : [];
  holder.hidden = !messages.length;
  document.body.classList.toggle("with-thread", messages.length > 0);
  if (!messages.length) {
    if (document.body.dataset.screen === "thread") screen("channel");
    return;
  }
  const close = () => { app.place.thread = null; screen("channel"); draw(); };
  frame(holder, JSON.stringify([app.user, app.place]), () => [
    el("header", { class: "bar" }, iconButton("back", "Back to the channel", close, { class: "icon-button only-phone" }),
      el("h2", {}, "Thread"), el("small", {}, here.kind === "im" ? titleOf(here) : `# ${titleOf(here)}`),
      iconButton("close", "Close the thread", close, { class: "icon-button only-wide" })),
    el("div", { class: "stream", role: "log", "aria-label": "Messages of the thread", tabindex: "0" }),
    here.is_member ? writer(here, app.place.thread) : el("p", { class: "outside" }, "You can read here, not write.")]);
  stream(holder.querySelector(".stream"), messages, room(here, true), isMoved);
}

function drawHome(holder) {
  const view = app.state.home;
  const local = app.local.get("home");
  const send = (verb, block, element, more) => act(verb, { user: app.user, block_id: block.block_id, action_id: element.action_id, ...more });
  const use = {
    busy: local?.busy, value: (block, element) => local?.values?.[element.action_id], ask: async () => ({ options: [] }), field: () => el("span"),
    act: (block, element, option) => press({ ts: "home" }, `${block.block_id}/${element.action_id}`, () => send("press_home", block, element, { option })),
  };
  frame(holder, JSON.stringify(["home", app.user, view, local]), () => [
    el("header", { class: "bar" }, iconButton("back", "Back to the conversations", () => screen("list"), { class: "icon-button only-phone" }), el("h2", {}, "Home")),
    el("div", { class: "stream home" }, el("div", { class: "blocks" }, view ? renderBlocks(view.blocks, use) : []),
      local?.warning && el("p", { class: "warning", role: "alert" }, local.warning))]);
}

// Keeps the reader where they are; at the end it follows what comes.
function stream(holder, messages, where, isMoved) {
  const atEnd = holder.scrollHeight - holder.scrollTop - holder.clientHeight < 60;
  reconcile(holder, rows(messages, where), (item) => row(item, where));
  if (isMoved || atEnd) holder.scrollTop = holder.scrollHeight;
}

function writer(here, thread) {
  const key = `${app.user} ${here.id} ${thread}`;
  const label = thread ? "Reply in the thread" : here.kind === "im" ? `Message ${titleOf(here)}` : `Message #${titleOf(here)}`;
  return composer({
    label, draft: app.drafts.get(key) ?? "", state: () => app.state, keep: (text) => app.drafts.set(key, text),
    send: async (text, isCommand) => {
      const answer = isCommand ? await act("command", { user: app.user, channel: here.id, text, thread_ts: thread })
        : await act("say", { user: app.user, channel: here.id, text, thread_ts: thread });
      return answer.error ?? answer.shown;
    },
  });
}

// ---- messages

function room(here, inThread) {
  const replies = new Map();
  for (const one of messagesOf(here.id)) {
    if (!one.thread_ts || one.is_private) continue;
    const known = replies.get(one.thread_ts) ?? { count: 0, users: [], last: "" };
    replies.set(one.thread_ts, { count: known.count + 1, users: [...new Set([...known.users, one.user])], last: one.ts });
  }
  return {
    inThread, state: app.state, appId: Object.keys(app.state.users).find((id) => app.state.users[id].is_app),
    sign: JSON.stringify([app.user, app.state.users, app.state.page.shortcuts]),
    repliesOf: (ts) => replies.get(ts) ?? null,
    localOf: (ts) => app.local.get(ts) ?? null,
    openThread: (message) => go(here.id, message.thread_ts ?? message.ts),
    dismiss: (message) => { app.dismissed.add(message.ts); draw(); },
    ask: (message, block, element, text) => act("suggest", {
      user: app.user, channel: here.id, ts: message.ts, block_id: block.block_id, action_id: element.action_id, query: text,
    }),
    click: (message, block, element, option) => click(here, message, block, element, option),
    shortcut: (message, callbackId) => press(message, "shortcut", () => act("shortcut", { user: app.user, channel: here.id, ts: message.ts, callback_id: callbackId })),
  };
}

function click(here, message, block, element, option) {
  const values = { ...app.local.get(message.ts)?.values, ...(option !== undefined && element.type !== "overflow" ? { [element.action_id]: option } : {}) };
  return press(message, `${block.block_id}/${element.action_id}`, () => act("click", {
    user: app.user, channel: here.id, ts: message.ts, block_id: block.block_id, action_id: element.action_id, value: element.value, option, values,
  }), values);
}

async function press(message, busy, ask, values = app.local.get(message.ts)?.values) {
  app.local.set(message.ts, { busy, values });
  draw();
  const answer = await ask();
  app.local.set(message.ts, { values, warning: answer.error ?? answer.shown ?? undefined });
  draw();
}

// ---- beside

function drawWorld() {
  const holder = part("world");
  const items = [
    { key: "phone", sign: JSON.stringify([app.state.me, app.state.rings, new Date().getMinutes()]), build: () => lockScreen(app.state, showMessage) },
    ...(app.state.panel ? [{ key: "panel", sign: JSON.stringify(app.state.panel), build: () => panel(app.state.panel) }] : []),
  ];
  reconcile(holder, items, (item) => item.build());
}

function drawTabs() {
  const now = document.body.dataset.screen;
  const inWorld = now === "world";
  const world = app.state?.panel ? `Phone, ${app.state.panel.title.toLowerCase().replace(/ \(.*\)$/, "")}` : "Phone";
  const tabs = [
    // Back from the phone one is where one was; pressed again, at the list.
    { key: "chats", to: inWorld ? app.chat ?? "channel" : "list", mark: "chat", text: "Chats", isHere: !inWorld },
    { key: "world", to: "world", mark: "phone", text: world, isHere: inWorld },
  ];
  reconcile(part("tabs"), tabs.map((tab) => ({ ...tab, sign: JSON.stringify(tab) })), (tab) =>
    el("button", { type: "button", "data-control": tab.key, "aria-current": tab.isHere ? "page" : null, onclick: () => screen(tab.to) }, icon(tab.mark), el("span", {}, tab.text)));
}

// The clock of the lock screen, and "today".
setInterval(() => draw(), 30000);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && app.place.thread && !document.querySelector("dialog[open], .menu") && document.body.dataset.screen !== "thread") {
    app.place.thread = null;
    draw();
  }
});

async function begin() {
  const people = (await (await fetch("people")).json()).people;
  const wanted = new URL(location.href).searchParams.get("as");
  play((people.find((one) => one.id === wanted || one.handle === wanted) ?? people[0]).id);
}

begin();
