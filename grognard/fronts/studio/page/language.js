/** The language server at the other end of a socket: JSON-RPC, a message at a time. */

export class Language {
  /** @param {WebSocket} socket one that is open */
  constructor(socket) {
    this.socket = socket;
    this.asked = 0;
    /** @type {Map<number, {done: (result: any) => void, failed: (error: Error) => void}>} */
    this.waiting = new Map();
    /** @type {Map<string, ((params: any) => any)[]>} */
    this.handlers = new Map();
    /** @type {((event: CloseEvent) => void)[]} */
    this.ends = [];
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data));
    socket.onclose = (event) => {
      for (const { failed } of this.waiting.values()) failed(new Error("closed"));
      this.waiting.clear();
      for (const end of this.ends) end(event);
    };
  }

  /** @param {string} method @param {any} [params] @returns {Promise<any>} */
  request(method, params = {}) {
    const id = ++this.asked;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.#say({ id, method, params });
    });
  }

  /** @param {string} method @param {any} [params] */
  notify(method, params = {}) { this.#say({ method, params }); }

  /** @param {string} method @param {(params: any) => any} handler */
  on(method, handler) { this.handlers.set(method, [...(this.handlers.get(method) || []), handler]); }

  /** @param {(event: CloseEvent) => void} handler */
  closed(handler) { this.ends.push(handler); }

  /** @param {any} message */
  #say(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...message })); }

  /** @param {any} message */
  #heard(message) {
    if (message.method) {
      for (const handler of this.handlers.get(message.method) || []) handler(message.params);
      if (message.id !== undefined) this.#say({ id: message.id, result: null });
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!waiting) return;
    if (message.error) waiting.failed(new Error(message.error.message)); else waiting.done(message.result);
  }
}

/** @param {string} url @returns {Promise<Language>} one that has been greeted */
export const connect = async (url) => {
  const socket = new WebSocket(url);
  await new Promise((done, failed) => { socket.onopen = done; socket.onerror = () => failed(new Error(url)); });
  const language = new Language(socket);
  await language.request("initialize", { processId: null, rootUri: null, capabilities: {} });
  language.notify("initialized");
  return language;
};
