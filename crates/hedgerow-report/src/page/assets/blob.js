// What is long and looked at one part at a time is packed; unpacked when first looked at.

const unpacked = new Map();

// What base64 of gzip stands for.
function unpackedStream(packed) {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

async function unpack(packed) {
  if (!unpacked.has(packed)) unpacked.set(packed, await unpackedStream(packed).json());
  return unpacked.get(packed);
}
