/**
 * A game as a list of moments, made from what differs from one to the next.
 *
 * @typedef {[number, number] | [number, number, number, number]} Spot
 *   a piece off the board (look, group) or on it (look, x, y, scale in hundredths)
 * @typedef {{lines: string[], versions: {put?: number[], at: number, drop: number, add: number[]}[]}} Layer
 * @typedef {{
 *   width: number, height: number, hex: number, sea: string, names: string[], hexes: Record<string, [number, number]>,
 *   corners: [number, number][], defs: string[], key: [string, string][], looks: string[], sizes: number[],
 *   groups: [number, string][], below: Layer, edges: Layer, above: Layer,
 * }} Drawing
 * @typedef {{
 *   sides: [string, string][], hands: boolean[], texts: string[], rows: string[], strips: [string[], number][],
 *   cards: [string, string, string?][], turns: [number, string][], lines: number, drawing: Drawing,
 *   log: [number, number, string, boolean][], steps: any[],
 * }} Told
 * @typedef {{
 *   b: number, e: number, v: number, t: number, n: number | null, h: number, w: number, l: number[], c: number[],
 *   x: number[][], q?: number, a?: number, s?: number, d?: number[][], k?: any[],
 *   pieces: (Spot | null)[], rows: (string[] | null)[],
 * }} Moment
 */

/** @param {any} spot @returns {spot is [number, number, number, number]} */
export const onBoard = (spot) => Boolean(spot) && spot.length === 4;

export class Moments {
  /** @param {Told} data */
  constructor(data) {
    this.data = data;
    /** @type {Moment[]} */
    this.list = [];
    /** @type {Map<string, number[][]>} the versions of each layer, by lines */
    this.layers = new Map([["below", []], ["edges", []], ["above", []]]);
    this.#unfold();
    this.#rebuild(0);
  }

  get count() { return this.list.length; }

  /** @param {number} n the moment @returns {string[]} what the log tells of it */
  notes(n) {
    return this.data.log.filter(([step, , , taken]) => step === n && !taken).map(([, , text]) => text);
  }

  /** The number of the first moment of each turn. */
  get firsts() { return this.data.turns.map(([first]) => first); }

  /**
   * Take in what has come since.
   * @param {any} more @returns {number} how many moments are as they were
   */
  grow(more) {
    const { kept, steps, log, ...beside } = more, data = this.data;
    data.steps = data.steps.slice(0, kept).concat(steps);
    data.log = data.log.filter(([step]) => step < kept).concat(log);
    grown(data, beside);
    this.#unfold();
    this.#rebuild(kept);
    return kept;
  }

  #unfold() {
    for (const [name, made] of this.layers) {
      const versions = /** @type {any} */ (this.data.drawing)[name].versions;
      let lines = made.length ? made[made.length - 1] : [];
      for (const change of versions.slice(made.length)) {
        lines = lines.slice();
        if (change.put) for (let i = 0; i < change.put.length; i += 2) lines[change.put[i]] = change.put[i + 1];
        else lines.splice(change.at, change.drop, ...change.add);
        made.push(lines);
      }
    }
  }

  /** @param {number} from */
  #rebuild(from) {
    this.list.length = from;
    /** @type {any} */
    let held = from ? this.list[from - 1] : { pieces: [], rows: [] };
    for (const step of this.data.steps.slice(from)) {
      const now = { ...held, q: step.q, a: step.a, s: step.s, d: step.d, k: step.k };
      for (const key of "bevtnhwlcx") if (key in step) now[key] = step[key];
      if (step.p) {
        now.pieces = held.pieces.slice();
        for (const [slot, ...spot] of step.p) now.pieces[slot] = spot.length ? spot : null;
      }
      if (step.r) {
        now.rows = held.rows.slice();
        for (const [row, ...values] of step.r) now.rows[row] = values.length ? values : null;
      }
      held = now;
      this.list.push(now);
    }
  }
}

/** @param {any} data @param {any} more */
const grown = (data, more) => {
  for (const name in more) {
    const value = more[name];
    if (name.startsWith("+")) data[name.slice(1)] = data[name.slice(1)].concat(value);
    else if (value && typeof value === "object" && !Array.isArray(value)) grown(data[name], value);
    else data[name] = value;
  }
};
