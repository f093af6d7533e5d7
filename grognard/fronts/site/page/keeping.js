/**
 * What the browser keeps: games under way and games that are over, by their records, and scenarios of one's own.
 *
 * @typedef {{name: string, scenario: string, title: string, decides: string, revision: number, over: boolean, text: string, changed?: number}} Game
 * @typedef {{name: string, text: string, shown: any}} Own
 */

/** Another window has played the game on. */
export class Overtaken extends Error {}

/** @type {Promise<IDBDatabase> | undefined} */
let opening;
const database = () => opening ||= new Promise((done, failed) => {
  const request = indexedDB.open("grognard", 1);
  request.onupgradeneeded = () => { for (const name of ["games", "finished", "scenarios"]) request.result.createObjectStore(name, { keyPath: "name" }); };
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

/**
 * @template T @param {string[]} stores @param {IDBTransactionMode} mode
 * @param {(stores: IDBObjectStore[], done: (value: T) => void, end: (error: Error) => void) => void} work
 * @returns {Promise<T>} what the work is done with, once it is on disk
 */
const transaction = async (stores, mode, work) => {
  const begun = (await database()).transaction(stores, mode);
  return new Promise((done, failed) => {
    /** @type {any} */ let value;
    /** @type {Error | null} */ let wrong = null;
    begun.oncomplete = () => done(value);
    begun.onabort = () => failed(wrong || begun.error);
    work(stores.map((name) => begun.objectStore(name)), (made) => { value = made; }, (error) => { wrong = error; begun.abort(); });
  });
};

/** @param {string} store @returns {Promise<any[]>} all that is in it */
const all = (store) => transaction([store], "readonly", ([place], done) => {
  const request = place.getAll();
  request.onsuccess = () => done(request.result);
});

/** @returns {Promise<Game[]>} the games under way, the last played first */
export const games = async () => (await all("games")).sort((a, b) => b.changed - a.changed);

/** @returns {Promise<Game[]>} the games that are over, the latest first */
export const finished = async () => (await all("finished")).sort((a, b) => b.changed - a.changed);

/** @returns {Promise<Own[]>} the scenarios of one's own */
export const scenarios = () => all("scenarios");

/** @param {string} name @returns {Promise<Game | undefined>} a game under way */
export const game = async (name) => (await games()).find((one) => one.name === name);

/** @param {Own} own a scenario of one's own */
export const keepScenario = (own) => transaction(["scenarios"], "readwrite", ([place]) => { place.put(own); });

/** @param {string} text a record @returns {string} by which its game is known from others of its name */
const seed = (text) => (/^seed: .*$/m.exec(text) || [""])[0];

/**
 * Keep a game as far as it has come; one that is over among those that are. Overtaken where it is not there any more as
 * it was when this window kept it last.
 *
 * @param {Game} kept @param {number} before the revision that was kept last, 0 where none was
 */
export const keepGame = (kept, before) => transaction(["games", "finished"], "readwrite", ([going, over], _, end) => {
  const request = going.get(kept.name);
  request.onsuccess = () => {
    const stored = request.result;
    if (stored ? stored.revision !== before || seed(stored.text) !== seed(kept.text) : before !== 0) { end(new Overtaken()); return; }
    const changed = Date.now();
    if (!kept.over) { going.put({ ...kept, changed }); return; }
    going.delete(kept.name);
    over.put({ ...kept, name: kept.name + "-" + new Date(changed).toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "").replace(/(\d{4})-(\d\d)-(\d\d)/, "$1$2$3"), changed });
  };
});

/** @param {string} name of a game under way, which is to be no more */
export const forget = (name) => transaction(["games"], "readwrite", ([place]) => { place.delete(name); });
