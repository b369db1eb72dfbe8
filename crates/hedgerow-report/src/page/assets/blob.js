// What is long and looked at one run at a time is packed; unpacked when first looked at.

const unpacked = new Map();

async function unpack(packed) {
  if (!unpacked.has(packed)) {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    unpacked.set(packed, await new Response(stream).json());
  }
  return unpacked.get(packed);
}
