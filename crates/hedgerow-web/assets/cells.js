// A grid of cells to paint: by mouse and finger along a stroke, by keyboard cell by cell.

// `press(row, column, first)` paints a cell, `first` at the beginning of a stroke; `key(row, column, key)` is told of
// other keys and answers whether it took them; `end()` closes a stroke.
function cellGrid(label, { press, key, end }) {
  const grid = el("div", { class: "verdict-grid paint", role: "grid", "aria-label": label });
  const made = { grid, rows: 0, columns: 0, buttons: [] };
  let last = null;
  const placeOf = (node) => {
    const button = node?.closest?.("button[data-row]");
    return button && grid.contains(button) ? [Number(button.dataset.row), Number(button.dataset.column)] : null;
  };
  const at = (row, column) => made.buttons[row]?.[column] ?? null;
  const focus = (row, column) => {
    const to = at(Math.min(Math.max(row, 0), made.rows - 1), Math.min(Math.max(column, 0), made.columns - 1));
    for (const button of grid.querySelectorAll('button[tabindex="0"]')) button.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  };
  grid.addEventListener("pointerdown", (event) => {
    const place = placeOf(event.target);
    if (!place || event.button !== 0) return;
    event.preventDefault();
    focus(...place);
    last = place.join();
    press(...place, true);
    const move = (e) => {
      const next = placeOf(document.elementFromPoint(e.clientX, e.clientY));
      if (!next || next.join() === last) return;
      last = next.join();
      press(...next, false);
    };
    const up = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      end?.();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  });
  grid.addEventListener("keydown", (event) => {
    const place = placeOf(event.target);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = place;
    const step = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) focus(row + step[0], column + step[1]);
    else if (event.key === "Home") focus(row, 0);
    else if (event.key === "End") focus(row, made.columns - 1);
    else if (event.key === "Enter" || event.key === " ") {
      press(row, column, true);
      end?.();
    } else if (!key?.(row, column, event.key)) return;
    event.preventDefault();
  });
  // A screen reader presses without a pointer.
  grid.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (!place || event.detail !== 0) return;
    press(...place, true);
    end?.();
  });
  // As many cells as asked for; row 0 is at the bottom.
  made.resize = (rows, columns) => {
    if (rows === made.rows && columns === made.columns) return;
    Object.assign(made, { rows, columns, buttons: [] });
    grid.style.setProperty("--columns", columns);
    const lines = Array.from({ length: rows }, (_, i) => {
      const row = rows - 1 - i;
      made.buttons[row] = Array.from({ length: columns }, (__, column) => el("button", { type: "button", role: "gridcell", class: "verdict", "data-row": row, "data-column": column, tabindex: row === 0 && column === 0 ? "0" : "-1" }));
      return el("div", { role: "row" }, el("span", { class: "number", "aria-hidden": "true" }, String(row)), made.buttons[row]);
    });
    const numbers = el("div", { class: "numbers", "aria-hidden": "true" }, el("span"), Array.from({ length: columns }, (_, c) => el("span", {}, String(c))));
    grid.replaceChildren(...lines, numbers);
  };
  // `look(row, column)`: the text of a cell, its class and its name.
  made.draw = (look) => {
    made.buttons.forEach((line, row) => line.forEach((button, column) => {
      const { text, kind, name } = look(row, column);
      if (button.textContent !== text) button.textContent = text;
      const wanted = `verdict ${kind}`;
      if (button.className !== wanted) button.className = wanted;
      if (button.getAttribute("aria-label") !== name) button.setAttribute("aria-label", name);
    }));
  };
  return made;
}
