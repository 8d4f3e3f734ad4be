// Building the page from nodes. Text only ever becomes a text node: there is no way to pass markup.

export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  send: "M4 12l16-8-6 16-3-7z",
  down: "M6 9l6 6 6-6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 9a3 3 0 100 6 3 3 0 000-6z",
  warn: "M12 3l10 18H2zM12 10v5M12 18h.01",
  chat: "M4 5h16v11H9l-5 4z",
  phone: "M8 2h8a2 2 0 012 2v16a2 2 0 01-2 2H8a2 2 0 01-2-2V4a2 2 0 012-2zM11 19h2",
  world: "M4 5h16v5H4zM4 14h16v5H4zM8 7.5h.01M8 16.5h.01",
  hourglass: "M6 3h12M6 21h12M8 3v4l4 5 4-5V3M8 21v-4l4-5 4 5v4",
  check: "M4 12l6 6L20 6",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 016 0v3",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name, label, onclick, props = {}) {
  return el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...props }, icon(name));
}

// Make `parent` show `items`: nodes whose `sign` is unchanged stay as they are, with focus and selection.
export function reconcile(parent, items, build) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const nodes = items.map((item) => {
    const { key, sign } = item;
    const kept = old.get(key);
    if (kept && kept.dataset.sign === sign) return kept;
    const node = build(item);
    node.dataset.key = key;
    node.dataset.sign = sign;
    if (kept) keepFocus(kept, node);
    return node;
  });
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
    if (node.dataset.focus) {
      delete node.dataset.focus;
      node.querySelector("[data-refocus]")?.focus();
    }
  });
}

function keepFocus(before, after) {
  const held = before.contains(document.activeElement) && document.activeElement.dataset.control;
  const again = held && [...after.querySelectorAll("[data-control]")].find((one) => one.dataset.control === held);
  if (again) {
    again.dataset.refocus = "";
    after.dataset.focus = "yes";
  }
}

// A menu in the browser's own top layer: it closes by itself on Esc or a click elsewhere.
export function openMenu(anchor, items, label) {
  const menu = el("div", { class: "menu", role: "menu", popover: "auto", "aria-label": label });
  for (const { text, note, choose } of items) {
    const close = () => { menu.hidePopover(); choose(); };
    menu.append(el("button", { type: "button", role: "menuitem", onclick: close }, text, note && el("small", {}, note)));
  }
  menu.addEventListener("keydown", (event) => moveInMenu(menu, event));
  menu.addEventListener("toggle", (event) => {
    if (event.newState === "closed") {
      menu.remove();
      anchor.setAttribute("aria-expanded", "false");
    }
  });
  (anchor.closest("dialog") ?? document.body).append(menu);
  menu.showPopover();
  anchor.setAttribute("aria-expanded", "true");
  place(menu, anchor);
  menu.querySelector("button")?.focus();
}

function place(menu, anchor) {
  const at = anchor.getBoundingClientRect();
  const box = menu.getBoundingClientRect();
  const below = at.bottom + 4 + box.height < innerHeight;
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.width - 8))}px`;
  menu.style.top = `${Math.max(8, below ? at.bottom + 4 : at.top - box.height - 4)}px`;
}

function moveInMenu(menu, event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...menu.querySelectorAll("button")];
  all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
}

// A modal <dialog> holds the focus and gives it back; Esc is its `cancel` event.
export function openDialog(node, onEscape) {
  node.addEventListener("cancel", (event) => { event.preventDefault(); onEscape(); });
  document.body.append(node);
  node.showModal();
}

export function closeDialog(node) {
  node.close();
  node.remove();
}
