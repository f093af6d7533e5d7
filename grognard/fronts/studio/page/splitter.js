/** A bar between two parts, moved by the pointer or by keys. */

/** How far a key moves it, in hundredths, and how near it may come to an end. */
const STEP = 2, LEAST = 20, MOST = 80;

/** @param {HTMLElement} bar @param {HTMLElement} around both parts @param {string} property the share of the first, in hundredths @param {string} label */
export const split = (bar, around, property, label) => {
  const across = bar.getAttribute("aria-orientation") === "vertical";
  bar.setAttribute("aria-label", label);
  /** @param {number} share */
  const put = (share) => {
    const kept = Math.min(MOST, Math.max(LEAST, share));
    around.style.setProperty(property, kept + "fr");
    around.style.setProperty(property + "-rest", 100 - kept + "fr");
    bar.setAttribute("aria-valuenow", String(Math.round(kept)));
    localStorage.setItem("studio " + property, String(kept));
  };
  const now = () => Number(bar.getAttribute("aria-valuenow"));
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    document.body.classList.add("splitting");
  });
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const box = around.getBoundingClientRect();
    put(across ? (event.clientX - box.left) / box.width * 100 : (event.clientY - box.top) / box.height * 100);
  });
  bar.addEventListener("lostpointercapture", () => document.body.classList.remove("splitting"));
  bar.addEventListener("keydown", (event) => {
    /** @type {Record<string, number>} */
    const ways = across ? { ArrowLeft: -STEP, ArrowRight: STEP } : { ArrowUp: -STEP, ArrowDown: STEP };
    if (!(event.key in ways)) return;
    event.preventDefault();
    put(now() + ways[event.key]);
  });
  put(Number(localStorage.getItem("studio " + property)) || (across ? 50 : 68));
};
