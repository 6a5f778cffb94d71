// The connection to the server. A request that nobody answers waits until the server does, and is
// sent again: asking twice does no harm, since a question has a key, and a step says what it
// is a step of. Where the server is another one than before, the page is told.

// Failure is an error that the server tells.
export class Failure extends Error {
  constructor(error, status) {
    super(error.text);
    Object.assign(this, { code: error.code, help: error.help || "", messages: error.messages || [], status });
  }
}

const longest = 8000; // between two looks, in milliseconds

class Connection {
  constructor() {
    this.state = "here"; // or "away": nobody answers; or "token": a server that was started later
    this.patience = 3000; // milliseconds until a request without an answer is doubted
    this.watched = () => {};
    this.waiting = new Set(); // requests, until the server is back
    this.pending = new Set(); // requests that were sent
    for (const event of ["online", "focus", "pageshow"]) window.addEventListener(event, () => this.look());
    window.addEventListener("offline", () => this.probe());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.look(); });
  }

  // begin is told what the server says of itself, and who is to know how it stands: watched(state,
  // server) with "here", "away", "token", or "other" for another server.
  begin(server, watched) {
    this.server = server;
    this.patience = server.patience || this.patience;
    this.watched = watched;
  }

  // be changes what is known of the server.
  be(state, server) {
    const before = this.state;
    this.state = state;
    clearTimeout(this.next);
    if (state !== "here") {
      for (const request of this.pending) request.abort(); // they wait, too; stalled ones are in the way
      if (before !== state) this.pause = this.soon();
      this.next = setTimeout(() => this.probe(), this.pause);
      this.pause = Math.min(this.pause * 2, state === "token" ? 2000 : longest);
    }
    const other = server && this.server && server.instance !== this.server.instance;
    if (other) {
      const known = this.server;
      this.server = { ...known, ...server };
      this.watched("other", { ...server, moved: server.place !== known.place });
    } else if (before !== state) {
      this.watched(state);
    }
    if (state === "here") {
      const all = [...this.waiting];
      this.waiting.clear();
      for (const go of all) go();
    }
  }

  // look looks at once: somebody is at the page again.
  look() {
    this.pause = this.soon();
    this.probe();
  }

  soon() { return Math.min(500, this.patience); }

  // probe asks whether somebody is there.
  probe() {
    if (!this.probing) this.probing = this.answers().then(([state, server]) => this.be(state, server)).finally(() => { this.probing = null; });
    return this.probing;
  }

  async answers() {
    const late = new AbortController(), timer = setTimeout(() => late.abort(), 2 * this.patience);
    try {
      const response = await fetch("/api/alive", { cache: "no-store", credentials: "same-origin", signal: late.signal }), answer = await response.json();
      if (response.ok) return ["here", answer];
      return [answer.error && answer.error.code === "token" ? "token" : "away"];
    } catch (e) {
      return ["away"];
    } finally {
      clearTimeout(timer);
    }
  }

  // back waits until the server is there.
  back(signal) {
    return new Promise((go, stop) => {
      if (signal && signal.aborted) return stop(signal.reason);
      this.waiting.add(go);
      if (signal) signal.addEventListener("abort", () => { this.waiting.delete(go); stop(signal.reason); });
    });
  }

  // send sends a request once, and returns null if there is no answer.
  async send(path, options, signal) {
    const request = new AbortController(), stop = () => request.abort(signal.reason);
    if (signal) signal.addEventListener("abort", stop);
    this.pending.add(request);
    const doubt = setInterval(() => { if (this.state === "here") this.probe(); }, this.patience);
    try {
      const response = await fetch(path, { ...options, signal: request.signal });
      return { response, answer: await response.json() };
    } catch (e) {
      if (signal && signal.aborted) throw e;
      if (!request.signal.aborted) this.be("away");
      return null;
    } finally {
      clearInterval(doubt);
      this.pending.delete(request);
      if (signal) signal.removeEventListener("abort", stop);
    }
  }

  // ask sends a request and returns its answer, whenever that comes. The error is a Failure, or an
  // AbortError.
  async ask(path, body, signal) {
    const options = { headers: {}, cache: "no-store", credentials: "same-origin" };
    if (body !== undefined) {
      Object.assign(options, { method: "POST", body: JSON.stringify(body) });
      options.headers["Content-Type"] = "application/json";
    }
    for (;;) {
      if (this.state !== "here") await this.back(signal);
      if (signal) signal.throwIfAborted();
      const got = await this.send(path, options, signal);
      if (got === null) continue;
      const { response, answer } = got;
      if (response.ok && !answer.error) return answer;
      const failure = new Failure(answer.error || { code: "", text: response.statusText }, response.status);
      if (failure.code !== "token") throw failure;
      this.be("token");
    }
  }
}

export const connection = new Connection();
export const ask = (path, body, signal) => connection.ask(path, body, signal);

// key is a name that nothing else has.
export const key = () => [...crypto.getRandomValues(new Uint32Array(4))].map(n => n.toString(36)).join("-");
