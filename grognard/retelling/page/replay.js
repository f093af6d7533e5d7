/** The page of a game that has been played. */
import { $ } from "board/dom";
import { Board } from "board/board";
import { Course } from "board/course";
import { Moments } from "board/moments";
import { Panels } from "board/panels";

const data = JSON.parse(/** @type {string} */ ($("game").textContent));
const moments = new Moments(data), panels = new Panels(moments, data.words);
const board = new Board(/** @type {any} */ ($("board")), moments, { swiped: (way) => { course.stop(); course.go(course.current + way); } });
const course = new Course(moments, board, panels, (n) => {
  if (location.hash !== "#" + n) history.replaceState(null, "", "#" + n);
});
board.focus();
board.look();
if (!course.fromHash()) course.go(0);
