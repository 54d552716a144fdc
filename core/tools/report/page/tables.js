// SPDX-License-Identifier: Apache-2.0
// Tables that stand in the page learn to sort, to filter and to be copied.
for (const table of document.querySelectorAll("table.data")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells], rows = [...body.rows];
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return heads[column].classList.contains("n") ? (cell.dataset.v === undefined ? -Infinity : Number(cell.dataset.v)) :
                                                   cell.textContent;
  };
  heads.forEach((head, column) => {
    const press = button(head.textContent, head.title ? head.title + ". Sorts the rows" : "Sorts the rows", () => {
      const isNumber = head.classList.contains("n"), before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : isNumber;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const order = rows.map((row, i) => [valueOf(row, column), i, row]);
      order.sort(
          (a, b) => ((isNumber ? a[0] - b[0] || 0 : a[0].localeCompare(b[0], undefined, {numeric: true})) *
                     (down ? -1 : 1)) ||
              a[1] - b[1]);
      body.append(...order.map((entry) => entry[2]));
    });
    press.className = "sort";
    head.textContent = "";
    head.append(press);
  });

  const tools = make("div", {class: "tools"}), label = table.caption.textContent;
  const count =
      make("span", {class: "note", "aria-live": "polite"}, rows.length + (rows.length === 1 ? " row" : " rows"));
  if (rows.length > 8) {
    const filter = make("input", {type: "search", placeholder: "Filter rows", "aria-label": "Filter rows: " + label});
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const content = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => content.includes(word));
        if (!row.hidden) ++shown;
      }
      count.textContent = shown === rows.length ? rows.length + " rows" : shown + " of " + rows.length + " rows";
    });
    tools.append(filter);
  }
  tools.append(count, make("span", {class: "grow"}));
  const copy = button("Copy", "Copies the rows shown, columns separated by tabs", async () => {
    const clean = (words) => words.replace(/\s+/g, " ").trim();
    const lines = [heads.map((head) => clean(head.textContent)).join("\t")];
    for (const row of body.rows)
      if (!row.hidden) lines.push([...row.cells].map((cell) => cell.dataset.v || clean(cell.textContent)).join("\t"));
    let done = true;
    try {
      await navigator.clipboard.writeText(lines.join("\n"));
    } catch (refused) {  // a page from file:// may have no clipboard of its own
      const area = make("textarea", {readonly: ""});
      area.value = lines.join("\n");
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
    }
    copy.textContent = done ? "Copied" : "Not allowed";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  });
  tools.append(copy);
  const before = table.parentElement.previousElementSibling;
  if (!before || before.tagName !== "H3") table.parentElement.before(make("h4", {}, label));
  table.parentElement.before(tools);
}
