/* Games: from decision to decision, to their ends. */

static void ranked(State *s, int how, const uint64_t *sides, const num *points) {
  num level[SIDES + 1][2];
  int any = 0;
  for (int i = 0; i < SIDES; i++) any |= sides[i >> 6] >> (i & 63) & 1;
  if (how == WON && !any) how = LOST;
  s->over = how;
  s->ranked = how != RETURNED;
  for (int i = 0; i < SIDES; i++) {
    s->ranks[i] = how == TIED;
    level[i][0] = how == WON ? 0 : 2, level[i][1] = 0;
    if (!(sides[i >> 6] >> (i & 63) & 1)) level[i][0] = 1, level[i][1] = points ? -points[i] : 0;
  }
  if (how == TIED || how == RETURNED) return;
  for (int i = 0; i < SIDES; i++) {
    s->ranks[i] = 1 + (how == LOST);
    for (int j = 0; j < SIDES; j++)
      s->ranks[i] += level[j][0] < level[i][0] || (level[j][0] == level[i][0] && level[j][1] < level[i][1]);
  }
}

static void ended(State *s, Context *c, int how) {
  num points[SIDES + 1];
  int counted = how != TIED && how != RETURNED && scores(s, c, points);
  ranked(s, how, c->sides, counted ? points : 0);
  s->point = -1, s->options = s->abouts = 0, s->top = 0, s->frame = -1, s->depth = 0;
  memset(&s->checking, 0, sizeof s->checking);
}

/* on to the next decision, or the end: whether the rules have not failed */
static int run(State *s, Context *c) {
  char here;
  clear_room(c);
  c->depth = 0, c->bottom = (uintptr_t)&here;
  switch (setjmp(c->out)) {
    case 0:
      for (int n = 0; s->frame >= 0; n++) {
        if (RARELY(n == ENDLESS)) fail(c, "the rules run on without a decision");
        if (RARELY(c->held > MUCH_HELD)) clear_room(c);
        if (BLOCKS[s->stack[s->frame + 1]](s, c)) return 1;
      }
      break;
    case OVER:
      switch (setjmp(c->out)) {
        case 0: ended(s, c, c->how); return 1;
        default: return 0;
      }
    default: return 0;
  }
  ended(s, c, s->alone ? RETURNED : TIED);
  return 1;
}

EXPORTED int game_answer(State *s, Context *c, num option) {
  s->answer = option, s->options = s->abouts = 0;
  return run(s, c);
}

EXPORTED size_t game_size(const State *s) { return s ? offsetof(State, stack) + (s->top + s->options + s->abouts) * sizeof(num) : sizeof(State); }

static void game_copy(State *to, const State *from) { memcpy(to, from, game_size(from)); }

EXPORTED int game_begin(State *s, Context *c, uint64_t seed) {
  s->seed = seed;
  forget_all(s, c);
  return begin(s, c);
}

/* what has been put into the state from outside is what holds */
EXPORTED void game_loaded(State *s, Context *c) { forget_all(s, c); }

EXPORTED Context *game_context(int (*find)(int, int, int, num *, int)) {
  Context *c = calloc(1, sizeof *c);
  if (c) c->find = find, c->memory = calloc(1, sizeof(Memory));
  return c;
}

EXPORTED void *game_given(Context *c) {
  if (!c->given) c->given = calloc(1, sizeof(Given));
  return (void *)c->given;
}

EXPORTED size_t game_given_size(void) { return sizeof(Given); }

EXPORTED void game_chance(Context *c, int (*chance)(void *, num, num *)) { c->chance = chance; }

EXPORTED void game_weights(Context *c, const num *weights) { c->weights = weights; }

EXPORTED void game_discard(Context *c) {
  clear_room(c);
  free(c->chunk), free(c->taken), free(c->memory), free((void *)c->given);
  for (size_t i = 0; i < c->found_size; i++) free((void *)c->found[i].values);
  free(c->found), free(c);
}

EXPORTED const char *game_fault(const Context *c) { return c->fault; }

EXPORTED size_t game_taken(const Context *c, const num **options) { *options = c->taken; return c->taken_count; }

EXPORTED num game_options(State *s, const num **options) { *options = offered(s); return s->options; }

EXPORTED void game_board(const int16_t *near, const int32_t *start, const uint16_t *distances, const int16_t *rows,
                         const int16_t *columns, const int16_t *toward) {
  memcpy(NEAR_START, start, sizeof NEAR_START), memcpy(ROWS, rows, sizeof ROWS), memcpy(COLUMNS, columns, sizeof COLUMNS);
  memcpy(TOWARDS, toward, sizeof TOWARDS);
  NEAR = malloc((start[SIZE + 1] + 1) * sizeof *near);
  memcpy(NEAR, near, start[SIZE + 1] * sizeof *near);
  DISTANCES = malloc((SIZE + 1) * (SIZE + 1) * sizeof *distances);
  memcpy(DISTANCES, distances, (SIZE + 1) * (SIZE + 1) * sizeof *distances);
  for (int h = -1; h < SIZE; h++) {
    NEAR_SETS[h + 1] = HexSet(none)();
    for (int n = 0; n < NEIGHBOR_COUNT(h); n++) NEAR_SETS[h + 1] = HexSet(with)(NEAR_SETS[h + 1], NEIGHBOR(h, n));
  }
}

EXPORTED int game_scores(State *s, Context *c, num *points) {
  if (setjmp(c->out)) return -1;
  return scores(s, c, points);
}

/* after how many decisions bots stop a game; -1 where the rules do not say */
EXPORTED num game_limit(State *s, Context *c) {
  if (setjmp(c->out)) return -1;
  return limit_of(s, c);
}
