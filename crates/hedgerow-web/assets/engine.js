// Engines: each lives in a worker of its own, so the page never waits for one.

let compiled = null;

// The engine, unpacked and compiled once.
function theModule() {
  compiled ??= unpackedStream(at("engine").textContent).arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

let workerAddress = null;

class Engine {
  constructor() {
    workerAddress ??= URL.createObjectURL(new Blob([at("worker").textContent], { type: "text/javascript" }));
    this.worker = new Worker(workerAddress);
    this.open = new Map();
    this.asked = 0;
    this.ready = theModule().then((module) => this.worker.postMessage({ module }));
    this.worker.onmessage = ({ data: { id, news, answer, refusal, broken } }) => {
      const asked = this.open.get(id);
      if (!asked) return;
      if (news !== undefined) return void asked.observe?.(JSON.parse(news));
      this.open.delete(id);
      this.broken = broken === true;
      if (refusal === undefined) asked.resolve(JSON.parse(answer));
      else asked.reject(new Error(refusal));
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      for (const { reject } of this.open.values()) reject(new Error(`the engine failed: ${event.message}`));
      this.open.clear();
    };
  }

  // Asks the engine; `observe` is handed lists of what it tells on the way.
  async ask(call, given, observe) {
    await this.ready;
    this.asked += 1;
    const id = this.asked;
    const answer = new Promise((resolve, reject) => { this.open.set(id, { resolve, reject, observe }); });
    this.worker.postMessage({ id, call, given });
    return answer;
  }

  end() {
    this.worker.terminate();
    this.open.clear();
  }
}

// For questions that are answered at once.
let desk = null;

function quick(call, given) {
  if (desk?.broken) {
    desk.end();
    desk = null;
  }
  desk ??= new Engine();
  return desk.ask(call, given);
}
