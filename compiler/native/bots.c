/* Bots: as runtime/runs/bots.py has them, with the same choice for the same chance. */

/* what could be where a side sees what it sees of *s*, with chance of its own: whether there is any */
static int sampled(State *world, const State *s, Context *c, num side, Random *chance) {
  game_copy(world, s);
  memset(world->counters, 0, sizeof world->counters);
  world->reveals = 0, world->answer = -1;
  world->seed = random_bits(chance, 64);
  clear_room(c);
  c->depth = 0;
  if (setjmp(c->out)) return 0;
  guessed(world, s, c, side, chance);
  chosen_again(world, s, c, side, chance);
  if (setjmp(c->out)) return 0; /* choosing has another */
  begun_again(world, s, c, side, chance);
  return 1;
}

#define VICTORY 1000000.0
#define FEW 4
#define SOME 6

typedef struct {
  State *state;  /* as large as one is */
  State *world;
  num side;
  int settles, failed, left;
  /* how hard it thinks: see GreedyBot */
  int budget, depth, rounds;
  double reluctance, *luck;
} Search;

static double end_worth(const State *s, num side) {
  if (s->over == RUNNING || s->over == TIED || s->over == RETURNED) return 0;
  num rank = s->ranks[side], level = -1, others = SIDES - (s->over == WON);
  for (int i = 0; i < SIDES; i++) level += s->ranks[i] == rank;
  return others ? 1.0 - 2.0 * (rank - 1 + level / 2.0) / others : 1.0;
}

/* what a position is worth; where the rules fail, *failed* is set */
static double worth(State *s, Context *c, num side, int *failed) {
  double value = 0;
  if (setjmp(c->out)) {
    *failed = 1;
    return 0;
  }
  value = (double)standing_of(s, c, side);
  return value + VICTORY * end_worth(s, side);
}

static int is_settled(State *s, Context *c, int *failed) {
  if (setjmp(c->out)) {
    *failed = 1;
    return 1;
  }
  return (int)settled_of(s, c);
}

static State *compact(const State *s) {
  size_t size = game_size(s);
  State *given = malloc(size);
  if (given) memcpy(given, s, size);
  return given;
}

/* the position in *search->state* when what was begun at a depth of procedures is over; whether the rules hold */
static int carried_on(Search *search, Context *c, num depth) {
  State *s = search->state;
  int steps = 0, failed = 0;
  while (s->over == RUNNING && (s->depth > depth || !is_settled(s, c, &failed))) {
    if (failed) return 0;
    num side = s->chooser, count = s->options;
    if (++steps > 4 * search->depth) break;
    if (count == 1) {
      if (!game_answer(s, c, offered(s)[0])) return 0;
      continue;
    }
    State *before = compact(s), *best = 0;
    double most = 0;
    for (num i = 0; i < count; i++) {
      game_copy(s, before);
      if (!game_answer(s, c, offered(before)[i])) failed = 1;
      double value = failed ? 0 : worth(s, c, side, &failed);
      if (failed) break;
      if (!best || value > most) {
        free(best);
        best = compact(s), most = value;
      }
    }
    if (!failed) game_copy(s, best);
    free(before), free(best);
    if (failed) return 0;
  }
  return !failed;
}

/* the position after an option; where positions settle, when that is over; none where the rules fail */
static State *after_option(Search *search, Context *c, num option) {
  game_copy(search->state, search->world);
  if (!game_answer(search->state, c, option)) return 0;
  if (search->settles && !carried_on(search, c, search->world->depth)) return 0;
  return compact(search->state);
}

typedef struct { num option; double total; State *after; int tried; } Candidate;

/* the positions right after each, where positions settle tried *most* at a time */
static void afters(Search *search, Context *c, const State *s, Candidate *all, int n, Random *chance, int most) {
  if (!sampled(search->world, s, c, search->side, chance)) search->failed = 1;
  int pass = -1;
  for (int i = 0; i < n; i++) all[i].tried = 0, all[i].after = 0;
  for (int i = 0; i < n; i++) if (all[i].option == -1) pass = i;
  if (!search->settles || pass < 0 || n <= most) {
    for (int i = 0; i < n; i++) all[i].after = after_option(search, c, all[i].option), all[i].tried = 1;
    return;
  }
  State *passed = all[pass].after = after_option(search, c, -1);
  all[pass].tried = 1;
  double bar = passed ? worth(passed, c, search->side, &search->failed) : -1e300;
  int better = 0;
  for (int i = 0, some = 0; i < n; i++) {
    if (i == pass) continue;
    State *after = all[i].after = after_option(search, c, all[i].option);
    all[i].tried = 1;
    if (after && !better && worth(after, c, search->side, &search->failed) > bar) better = 1;
    if (++some == most) {
      if (better) break;
      some = 0;
    }
  }
}

static double later(Search *search, Context *c, Candidate *one, num turn, const double *luck) {
  search->left -= 1;
  if (!one->after) return 0;
  if (search->settles) {
    search->left -= search->depth;
    return worth(one->after, c, search->side, &search->failed);
  }
  State *s = search->state;
  game_copy(s, one->after);
  int left = search->depth, held = 1;
  while (left && s->over == RUNNING && s->checkpoints == turn) {
    num taken = offered(s)[(int)(*luck++ * s->options)];
    if (taken < 0 && *luck++ < search->reluctance) taken = offered(s)[(int)(*luck++ * s->options)];
    if (!game_answer(s, c, taken)) {
      held = 0;
      break;
    }
    left--;
  }
  search->left -= search->depth - left;
  return held ? worth(s, c, search->side, &search->failed) : 0;
}

/* the better first, equals as they stand */
static void best_first(Candidate *all, int n) {
  for (int i = 1; i < n; i++) {
    Candidate own = all[i];
    int j = i;
    for (; j > 0 && all[j - 1].total < own.total; j--) all[j] = all[j - 1];
    all[j] = own;
  }
}

static void forget_afters(Candidate *all, int n) {
  for (int i = 0; i < n; i++) free(all[i].after), all[i].after = 0;
}

static int by_worth(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* the option that the greedy bot takes; -2 where the rules fail */
static num greedy(State *s, Context *c, Search *search, Random *chance) {
  int n = (int)s->options;
  if (n == 1) return offered(s)[0];
  Candidate *all = malloc(n * sizeof *all);
  for (int i = 0; i < n; i++) all[i] = (Candidate){offered(s)[i], 0, 0, 0};
  for (int i = n - 1; i > 0; i--) {
    int j = random_below(chance, i + 1);
    Candidate one = all[i];
    all[i] = all[j], all[j] = one;
  }
  search->side = s->chooser, search->settles = SETTLES, search->failed = 0;
  num turn = s->checkpoints;
  afters(search, c, s, all, n, chance, SOME);
  int kept = 0, by_chance = 0;
  for (int i = 0; i < n; i++)
    if (all[i].tried) {
      all[i].total = all[i].after ? worth(all[i].after, c, search->side, &search->failed) : 0;
      if (all[i].after) for (int k = 0; k < STREAMS; k++) by_chance |= all[i].after->counters[k] != 0;
      all[kept++] = all[i];
    }
  int most = kept;
  if (kept > FEW) {
    double *totals = malloc(kept * sizeof *totals);
    for (int i = 0; i < kept; i++) totals[i] = all[i].total;
    qsort(totals, kept, sizeof *totals, by_worth);
    double least = totals[kept - FEW];
    free(totals);
    int chosen = 0;
    for (int i = 0; i < kept; i++) {
      Candidate one = all[i];
      if (one.total >= least) {
        all[i] = all[chosen], all[chosen++] = one;
      }
    }
    kept = chosen;
  }
  if (search->settles && !by_chance) {
    best_first(all, kept);
  } else {
    double *luck = search->luck;
    search->left = search->budget;
    for (int done = 1;; done++) {
      for (int i = 0; i < 3 * search->depth; i++) luck[i] = random_part(chance);
      for (int i = 0; i < kept; i++) all[i].total += later(search, c, &all[i], turn, luck);
      best_first(all, kept);
      if (done >= search->rounds && search->left <= 0) break;
      int half = (kept + 1) / 2 > 2 ? (kept + 1) / 2 : 2;
      if (half < kept) kept = half;
      forget_afters(all, most);
      afters(search, c, s, all, kept, chance, kept);
    }
  }
  num option = search->failed ? -2 : all[0].option;
  forget_afters(all, most);
  free(all);
  return option;
}

/* how a side chooses: at random, or by a search */
typedef struct {
  int thinks, budget, depth, rounds;
  double reluctance;
  const num *weights;
  const uint32_t *key;
  int length;
  double seconds;
} Player;

static Search search_of(const Player *p, State *state, State *world) {
  return (Search){.state = state, .world = world, .budget = p->budget, .depth = p->depth, .rounds = p->rounds,
                  .reluctance = p->reluctance, .luck = malloc(3 * (size_t)p->depth * sizeof(double))};
}

/* What a bot takes that thinks, its chance being 624 words and a place, as those of Python: -2 where the rules have failed. */
EXPORTED num game_greedy(State *s, Context *c, const Player *p, uint32_t *words, int *at) {
  Random chance;
  memcpy(chance.word, words, sizeof chance.word), chance.at = *at;
  Search search = search_of(p, malloc(sizeof(State)), malloc(sizeof(State)));
  const num *others = c->weights;
  c->weights = p->weights;
  num option = greedy(s, c, &search, &chance);
  c->weights = others;
  free(search.luck), free(search.state), free(search.world);
  memcpy(words, chance.word, sizeof chance.word), *at = chance.at;
  return option;
}

/* Bots play on until the game is over or so many decisions are taken: how many were, or -1 where the rules have failed. */
EXPORTED num game_of_bots(State *s, Context *c, Player *players, num limit) {
  Random chance[SIDES + 1];
  Search searches[SIDES + 1] = {0};
  State *state = 0, *world = 0;
  num n = 0, result = -1;
  const num *others = c->weights;
  c->taken_count = 0;
  for (int side = 0; side < SIDES; side++) {
    const Player *p = &players[side];
    random_begin(&chance[side], p->key, p->length);
    if (!p->thinks) continue;
    if (!state) state = malloc(sizeof(State)), world = malloc(sizeof(State));
    searches[side] = search_of(p, state, world);
  }
  for (;; n++) {
    if (s->over != RUNNING || n == limit) {
      result = n;
      break;
    }
    num side = s->chooser, option;
    if (players[side].thinks) {
      struct timespec begun, done;
      timespec_get(&begun, TIME_UTC);
      c->weights = players[side].weights;
      option = greedy(s, c, &searches[side], &chance[side]);
      timespec_get(&done, TIME_UTC);
      players[side].seconds += (double)(done.tv_sec - begun.tv_sec) + (double)(done.tv_nsec - begun.tv_nsec) * 1e-9;
      if (option == -2) break;
    } else {
      option = offered(s)[(int)(random_part(&chance[side]) * s->options)];
    }
    if (c->taken_count == c->taken_size) {
      num *more = realloc(c->taken, 2 * (c->taken_size + 1024) * sizeof(num));
      if (!more) break;
      c->taken = more, c->taken_size = 2 * (c->taken_size + 1024);
    }
    c->taken[c->taken_count++] = option;
    if (!game_answer(s, c, option)) break;
  }
  for (int side = 0; side < SIDES; side++) free(searches[side].luck);
  free(state), free(world);
  c->weights = others;
  return result;
}

/* ------------------------------------------------------------------ what a search asks for: see runtime/runs/worlds.py */

EXPORTED size_t game_random_size(void) { return sizeof(Random); }

EXPORTED void game_random(Random *r, const uint32_t *key, int length) { random_begin(r, key, length); }

EXPORTED int game_sampled(State *world, const State *s, Context *c, num side, Random *chance) {
  return sampled(world, s, c, side, chance);
}

/* what the position after each option is worth to whoever chooses: whether the rules hold */
EXPORTED int game_worths(const State *s, State *spare, Context *c, double *worths) {
  int failed = 0;
  for (num i = 0; i < s->options && !failed; i++) {
    game_copy(spare, s);
    if (!game_answer(spare, c, offered((State *)s)[i])) return 0;
    worths[i] = worth(spare, c, s->chooser, &failed);
  }
  return !failed;
}

/* Options drawn at random, each once (after the same option twice, the same chance comes): how many. */
static int drawn_options(State *s, Random *chance, int tries, num *drawn) {
  num n = s->options;
  int count = 0;
  if (n == 1) {
    drawn[0] = offered(s)[0];
    return 1;
  }
  for (int i = 0; i < tries; i++) {
    num option = offered(s)[(int)(random_part(chance) * n)];
    int j = 0;
    while (j < count && drawn[j] != option) j++;
    if (j == count) drawn[count++] = option;
  }
  return count;
}

/* Play on until so many checkpoints are past in all, the game is over or so many decisions are taken, by the best of
   some options drawn at random: how many decisions were taken, or -1 where the rules fail; and what the position is
   worth then. */
EXPORTED num game_rollout(State *s, State *spare, State *best, Context *c, Random *chance, int tries, num until, num most,
                          double *worths) {
  num taken = 0, drawn[tries];
  int failed = 0;
  while (s->over == RUNNING && s->checkpoints < until && taken < most) {
    num side = s->chooser;
    double value = 0;
    int count = drawn_options(s, chance, tries, drawn);
    taken++;
    if (count == 1) {
      if (!game_answer(s, c, drawn[0])) return -1;
      continue;
    }
    for (int i = 0; i < count; i++) {
      game_copy(spare, s);
      if (!game_answer(spare, c, drawn[i])) return -1;
      double own = worth(spare, c, side, &failed);
      if (failed) return -1;
      if (!i || own > value) {
        game_copy(best, spare);
        value = own;
      }
    }
    game_copy(s, best);
  }
  for (int side = 0; side < SIDES; side++) worths[side] = worth(s, c, side, &failed);
  return failed ? -1 : taken;
}
