/** The way to the server: a socket or, where there is none, requests one by one. */

/** The reply where there is none. */
const LOST = { reply: "error", kind: "lost", message: "", remedy: "", reasons: [], matches: [] };
/** How long to wait before the next try, in milliseconds: a little longer each time. */
const WAITS = [300, 700, 1500, 3000, 5000];
/** The statuses with which the server shuts somebody out, or says that there is no such game any more. */
const SHUT = [403, 404];
/** How often a socket may fail before it is done without. */
const TRIES = 3;

export class Connection {
  /**
   * @param {string} game @param {string} seat
   * @param {(message: any) => void} told called with what the server says
   * @param {(lost: boolean) => void} state called when the connection is lost, or there again
   */
  constructor(game, seat, told, state) {
    this.query = seat ? "?seat=" + encodeURIComponent(seat) : "";
    this.path = "/game/" + encodeURIComponent(game);
    this.told = told;
    this.state = state;
    /** @type {Map<number, (reply: any) => void>} */
    this.waiting = new Map();
    this.asked = 0;
    this.failures = 0;
    this.ended = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.#open();
  }

  /** Say no more, and hear no more. */
  end() {
    this.ended = true;
    if (this.socket) this.socket.close();
  }

  /** @param {Record<string, any>} request one of the protocol @returns {Promise<any>} its reply */
  ask(request) {
    const id = ++this.asked, text = JSON.stringify({ ...request, id });
    if (this.socket && this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(text);
      return new Promise((done) => this.waiting.set(id, done));
    }
    return fetch(this.path + "/live" + this.query, { method: "POST", body: text })
      .then((reply) => reply.json())
      .catch(() => LOST);
  }

  #open() {
    const socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + this.path + "/live" + this.query);
    this.socket = socket;
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.begin) { this.failures = 0; this.state(false); }
      const done = message.id === undefined ? undefined : this.waiting.get(message.id);
      if (done) { this.waiting.delete(message.id); done(message); } else this.told(message);
    };
    socket.onclose = () => {
      this.socket = null;
      for (const done of this.waiting.values()) done(LOST);
      this.waiting.clear();
      if (this.ended) return;
      this.state(true);
      this.failures += 1;
      if (this.failures > TRIES) { this.#poll(""); return; }
      setTimeout(() => this.#open(), WAITS[Math.min(this.failures, WAITS.length) - 1]);
    };
  }

  /** @param {string | number} after the version that is known */
  async #poll(after) {
    if (this.ended) return;
    try {
      const reply = await fetch(this.path + "/news" + (this.query || "?") + "&after=" + after);
      if (SHUT.includes(reply.status)) { this.ended = true; location.reload(); return; } // the server says why
      if (reply.status === 200) {
        const message = await reply.json();
        after = message.begin.show.version;
        this.state(false);
        this.told(message);
      } else if (reply.status !== 204) throw new Error(String(reply.status));
    } catch {
      this.state(true);
      await new Promise((done) => setTimeout(done, WAITS[WAITS.length - 1]));
    }
    this.#poll(after);
  }
}
