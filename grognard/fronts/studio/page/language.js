/** The language server at the other end of a socket: JSON-RPC, one message a frame. */

/** What this client makes of the protocol. */
const CAPABILITIES = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { relatedInformation: true, versionSupport: true, tagSupport: { valueSet: [1] } },
    completion: { contextSupport: true, completionItem: { snippetSupport: true, documentationFormat: ["markdown", "plaintext"], labelDetailsSupport: true } },
    hover: { contentFormat: ["markdown", "plaintext"] },
    signatureHelp: { signatureInformation: { documentationFormat: ["markdown", "plaintext"], activeParameterSupport: true } },
    definition: {}, references: {}, documentHighlight: {}, formatting: {}, codeLens: {}, inlayHint: {},
    rename: { prepareSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } }, isPreferredSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    foldingRange: { lineFoldingOnly: true },
    semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
  },
  workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
};
const UNKNOWN_METHOD = -32601;

/** The connection has ended: nothing that is asked is answered any more. */
export class Ended extends Error {
  /** @param {string} [why] */
  constructor(why = "the connection to the language server has ended") { super(why); }
}

/** What the server refuses, in its words. */
export class Refused extends Error {
  /** @param {{message: string, code: number}} error */
  constructor({ message, code }) { super(message); this.code = code; }
}

export class Language {
  /** @param {WebSocket} socket one that is open */
  constructor(socket) {
    this.socket = socket;
    /** What the server offers. @type {any} */
    this.offers = {};
    this.asked = 0;
    /** @type {Map<number, {done: (result: any) => void, failed: (error: Error) => void}>} */
    this.waiting = new Map();
    /** @type {Map<string, ((params: any) => any)[]>} */
    this.handlers = new Map();
    /** @type {((event: CloseEvent) => void)[]} */
    this.ends = [];
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data));
    socket.onclose = (event) => {
      for (const { failed } of this.waiting.values()) failed(new Ended());
      this.waiting.clear();
      for (const end of this.ends) end(event);
    };
  }

  /**
   * What the server answers; rejected as Refused or Ended.
   * @param {string} method @param {any} [params] @param {AbortSignal} [signal] ends the server's work when nobody wants it any more
   * @returns {Promise<any>}
   */
  request(method, params = {}, signal) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Ended());
    const id = ++this.asked;
    signal?.addEventListener("abort", () => { if (this.waiting.has(id)) this.notify("$/cancelRequest", { id }); });
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.#say({ id, method, params });
    });
  }

  /** Nothing where the connection has ended. @param {string} method @param {any} [params] */
  notify(method, params = {}) { if (this.socket.readyState === WebSocket.OPEN) this.#say({ method, params }); }

  /** @param {string} method what the server tells, or asks @param {(params: any) => any} handler what it gives is the answer */
  on(method, handler) { this.handlers.set(method, [...(this.handlers.get(method) || []), handler]); }

  /** @param {(event: CloseEvent) => void} handler */
  closed(handler) { this.ends.push(handler); }

  /** @param {any} message */
  #say(message) { this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...message })); }

  /** @param {any} message */
  #heard(message) {
    if (message.method) this.#told(message); else this.#answered(message);
  }

  /** @param {{id?: number | string, method: string, params: any}} message */
  #told({ id, method, params }) {
    const handlers = this.handlers.get(method) || [], given = handlers.map((handler) => handler(params));
    if (id === undefined) return;
    if (handlers.length) this.#say({ id, result: given[0] ?? null });
    else this.#say({ id, error: { code: UNKNOWN_METHOD, message: `the page does not know ${method}` } });
  }

  /** @param {{id: number, result: any, error?: {message: string, code: number}}} message */
  #answered({ id, result, error }) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) waiting?.failed(new Refused(error)); else waiting?.done(result);
  }
}

/** @param {string} url @returns {Promise<Language>} one that has been greeted; rejected as Ended or Refused */
export const connect = async (url) => {
  const socket = new WebSocket(url);
  await new Promise((done, failed) => { socket.onopen = done; socket.onerror = () => failed(new Ended(`${url} does not answer`)); });
  const language = new Language(socket);
  const { capabilities } = await language.request("initialize", { processId: null, rootUri: null, capabilities: CAPABILITIES });
  language.offers = capabilities;
  language.notify("initialized");
  return language;
};
