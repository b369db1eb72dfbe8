// Maps in files and links.

async function squeezed64(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unsqueezed64(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true }).decode(await new Response(stream).arrayBuffer());
}

let written = "";

// The address carries the map, who races and whether the rule is hidden, so it can be sent to somebody.
async function writeLink() {
  const said = new URLSearchParams({ map: await squeezed64(mapFile), race: racers().join(","), seed: at("seed").value, iterations: at("iterations").value });
  if (!view.truth) said.set("rule", "hidden");
  written = `#${said}`;
  if (linking) history.replaceState(null, "", written);
}

// A page that was opened without a map keeps its short address until something changes.
let linking = false;

// Takes the map of the address; answers whether there was one.
async function readLink() {
  const said = new URLSearchParams(location.hash.slice(1));
  if (!said.has("map")) return false;
  for (const key of ["seed", "iterations"]) if (/^\d{1,15}$/.test(said.get(key) ?? "")) at(key).value = said.get(key);
  const names = (said.get("race") ?? "").split(",").filter((name) => lookOf(name));
  if (names.length >= 2) chooseRacers(names);
  showTruth(said.get("rule") !== "hidden");
  let text = null;
  try {
    text = await unsqueezed64(said.get("map"));
  } catch {
    say("map-problem", "link: the map in it cannot be unpacked; ask for the link again, it may have been cut off", true);
    return false;
  }
  return openMap(text, "link");
}

// Takes what a map file draws; what is wrong with it is said in the words of the command.
async function openMap(text, name) {
  try {
    takeMap(await quick("read", { text, name }));
    at("preset").value = "";
    return true;
  } catch (refusal) {
    say("map-problem", refusal.message, true);
    return false;
  }
}

function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function takeFiles(files) {
  const records = [];
  for (const file of files) {
    if (/\.(csv|jsonl)$/i.test(file.name)) records.push(file);
    else await openMap(await file.text(), file.name);
  }
  if (records.length > 0) await takeRecords(records);
}

function startFiles() {
  at("open").addEventListener("click", () => at("file").click());
  at("file").addEventListener("change", async () => {
    await takeFiles([...at("file").files]);
    at("file").value = "";
  });
  at("save").addEventListener("click", async () => {
    if (await settled()) save(`${drawn.name}.toml`, mapFile);
  });
  at("link").addEventListener("click", async () => {
    if (!(await settled())) return;
    linking = true;
    await writeLink();
    try {
      await navigator.clipboard.writeText(location.href);
      say("said", "The link is copied; the address above is the same.");
    } catch {
      say("said", "The address above is the link: it carries the whole map.");
    }
  });
  const wanted = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => { if (wanted(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!wanted(event)) return;
    event.preventDefault();
    takeFiles([...event.dataTransfer.files]);
  });
  addEventListener("hashchange", () => { if (location.hash !== written) readLink(); });
}
