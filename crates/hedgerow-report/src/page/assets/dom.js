// Elements. Text enters the page as text nodes only: nothing in the data can become markup.

const SVG = "http://www.w3.org/2000/svg";

const at = (id) => document.getElementById(id);

// `attributes`: `on` holds listeners, `vars` custom properties of CSS; null and false are left out.
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, f] of Object.entries(value)) node.addEventListener(event, f);
    else if (name === "vars") for (const [key, v] of Object.entries(value)) node.style.setProperty(`--${key}`, v);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// Draws anew and leaves the focus where it was: elements are recognised by `data-key`.
function redraw(draw) {
  const key = document.activeElement?.dataset?.key;
  draw();
  if (key === undefined || document.activeElement?.dataset?.key === key) return;
  const same = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (same) same.focus({ preventScroll: true });
}

// The options of a select; keeps its element, and so the focus.
function choices(select, options, chosen) {
  const said = JSON.stringify(options);
  if (select.dataset.options !== said) {
    select.dataset.options = said;
    select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
  }
  select.value = chosen;
}

// A group of radio buttons or check boxes that look like one row of buttons.
function toggles(fieldset, type, options, isOn, change) {
  const name = fieldset.id;
  const made = options.map(([value, text]) =>
    el("label", { class: "toggle" },
      el("input", { type, name, value, "data-key": `${name} ${value}`, on: { change: () => change(value) } }),
      el("span", {}, text)));
  for (const label of made) label.firstChild.checked = isOn(label.firstChild.value);
  fieldset.replaceChildren(fieldset.querySelector("legend"), ...made);
}
