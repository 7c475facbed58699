// The page is complete without this script: it only filters, orders, copies and moves the focus. What is chosen stands in the
// address behind "#", as "section?find=..&differ=1&order=op&open=c3", so that a link shows the same.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const find = byId("find"), differ = byId("differ"), state = byId("state"), order = byId("order"), kinds = byId("kinds");
  const help = byId("help"), allCauses = byId("all-causes");
  document.documentElement.classList.add("js");
  // The op and the backend whose causes are listed; the column by which each table is sorted: {table, column, down}.
  let chosen = null, sorted = null, section = "", restoring = false;

  const isOpen = (row) => { const own = row.matches("details") ? row : row.querySelector(":scope > details"); return own && own.open; };
  const details = (row) => (row.matches("details") ? row : row.querySelector("details"));

  function write() {
    if (restoring) return;
    const query = new URLSearchParams();
    if (find.value) query.set("find", find.value);
    if (differ.checked) query.set("differ", "1");
    if (state.value) query.set("state", state.value);
    if (order && order.value !== "cases") query.set("order", order.value);
    if (kinds && kinds.value) query.set("kind", kinds.value);
    if (chosen) { query.set("op", chosen.op); query.set("backend", chosen.backend); }
    if (sorted) query.set("sort", [sorted.table, sorted.column, sorted.down ? "down" : "up"].join(" "));
    const open = all(".cause, details.op").filter(isOpen).map((row) => row.id);
    if (open.length) query.set("open", open.join(" "));
    const text = query.toString();
    history.replaceState(null, "", "#" + section + (text ? "?" + text : ""));
  }

  function filter() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let ops = 0, causes = 0;
    for (const row of all(".row")) {
      const text = (row.dataset.find || "").toLowerCase();
      let shown = words.every((word) => text.includes(word));
      if (row.closest("#matrix-table")) {
        if (differ.checked && !("differs" in row.dataset)) shown = false;
        if (state.value && row.dataset.state !== state.value) shown = false;
        ops += shown;
      } else if (row.matches(".cause")) {
        if (chosen && (row.dataset.op !== chosen.op || row.dataset.backend !== chosen.backend)) shown = false;
        causes += shown;
      } else if (row.dataset.kind && kinds && kinds.value && row.dataset.kind !== kinds.value) {
        shown = false;
      }
      row.hidden = !shown;
    }
    for (const body of all("#matrix-table tbody")) body.hidden = !all(".row", body).some((row) => !row.hidden);
    byId("shown").textContent = ops + " ops are shown";
    if (allCauses) {
      allCauses.hidden = !chosen;
      byId("causes-shown").textContent = causes + " causes are listed" + (chosen ? ": " + chosen.op + " on " + chosen.backend : "");
    }
    write();
  }

  function orderCauses() {
    if (!order) return;
    const list = byId("cause-list"), key = order.value;
    all(".cause", list).sort((a, b) => key === "cases" ? b.dataset.cases - a.dataset.cases || a.id.slice(1) - b.id.slice(1)
      : a.dataset[key].localeCompare(b.dataset[key]) || b.dataset.cases - a.dataset.cases).forEach((row) => list.append(row));
    write();
  }

  // Rows stay within their group.
  function sortTable() {
    if (!sorted || !byId(sorted.table)) return;
    const table = byId(sorted.table), value = (row) => { const cell = row.cells[sorted.column]; return cell.dataset.sort || cell.textContent.trim(); };
    const compare = (a, b) => { const x = value(a), y = value(b), by = x - y; return Number.isNaN(by) ? x.localeCompare(y) : by; };
    for (const body of table.tBodies) {
      const rows = all(":scope > .row", body).sort((a, b) => (sorted.down ? compare(b, a) : compare(a, b)));
      body.append(...rows);
    }
    all("thead th", table).forEach((head, i) => {
      if (i === sorted.column) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    write();
  }

  function goTo(id) {
    const target = byId(id);
    if (!target) return;
    section = id;
    const holder = target.closest("details");
    if (holder) holder.open = true;
    if (target.hidden || (holder && holder.hidden)) { find.value = ""; chosen = null; filter(); }
    target.scrollIntoView();
    if (target.matches(".row")) target.focus({ preventScroll: true });
    write();
  }

  async function copy(button) {
    const source = byId(button.dataset.of);
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  function move(step) {
    const rows = all(".row").filter((row) => !row.hidden && row.offsetParent !== null);
    const at = rows.indexOf(document.activeElement.closest(".row"));
    const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))];
    if (next) { next.focus({ preventScroll: true }); next.scrollIntoView({ block: "nearest" }); }
  }

  function restore() {
    restoring = true;
    const text = location.hash.slice(1), mark = text.indexOf("?");
    const id = decodeURIComponent(mark < 0 ? text : text.slice(0, mark)), query = new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1));
    const choose = (select, value, otherwise) => { if (select) { select.value = value || otherwise; if (select.selectedIndex < 0) select.value = otherwise; } };
    find.value = query.get("find") || "";
    differ.checked = query.has("differ");
    choose(state, query.get("state"), "");
    choose(order, query.get("order"), "cases");
    choose(kinds, query.get("kind"), "");
    chosen = query.has("op") ? { op: query.get("op"), backend: query.get("backend") || "" } : null;
    const [table, column, way] = (query.get("sort") || "").split(" ");
    const count = byId(table || "") && /^\d+$/.test(column) ? all("thead th", byId(table)).length : 0;
    sorted = Number(column) < count ? { table, column: Number(column), down: way === "down" } : null;
    const open = (query.get("open") || "").split(" ");
    for (const row of all(".cause, details.op")) if (details(row).open !== open.includes(row.id)) details(row).open = open.includes(row.id);
    filter();
    orderCauses();
    sortTable();
    if (id) goTo(id);
    restoring = false;
  }

  find.addEventListener("input", filter);
  differ.addEventListener("change", filter);
  state.addEventListener("change", filter);
  if (kinds) kinds.addEventListener("change", filter);
  if (order) order.addEventListener("change", orderCauses);
  if (allCauses) allCauses.addEventListener("click", () => { chosen = null; filter(); });
  byId("help-button").addEventListener("click", () => help.showModal());
  document.addEventListener("toggle", write, true);
  addEventListener("hashchange", restore);
  // A printed page has no folded causes.
  let folded = [];
  addEventListener("beforeprint", () => { folded = all(".cause > details:not([open])"); folded.forEach((each) => { each.open = true; }); });
  addEventListener("afterprint", () => folded.forEach((each) => { each.open = false; }));

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button"), link = event.target.closest("a[href^='#']");
    if (button && button.matches(".copy")) copy(button);
    if (button && button.matches(".sort")) {
      const table = button.closest("table").id, column = Number(button.dataset.column);
      sorted = { table, column, down: !!sorted && sorted.table === table && sorted.column === column && !sorted.down };
      sortTable();
    }
    if (!link) return;
    event.preventDefault();
    if (link.matches(".to-causes")) { chosen = { op: link.dataset.op, backend: link.dataset.backend }; filter(); }
    goTo(decodeURIComponent(link.getAttribute("href").slice(1)));
  });

  document.addEventListener("keydown", (event) => {
    const types = event.target.matches("input[type=search], select, textarea");
    if (event.key === "Escape" && event.target === find) { find.value = ""; filter(); find.blur(); }
    if (types || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const row = event.target.matches(".row") ? event.target : null;
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") find.focus();
    else if (event.key === "?") help.showModal();
    else if (event.key === "d") { differ.checked = !differ.checked; filter(); }
    else if (event.key === "Enter" && row) { const link = row.querySelector(".to-causes"), own = details(row); if (own) own.open = !own.open; else if (link) link.click(); }
    else return;
    event.preventDefault();
  });

  restore();
})();
