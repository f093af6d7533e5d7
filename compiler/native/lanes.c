/* Many games at once, for those who learn: as grognard/fronts/envs/lanes.py plays them, with the same chance.
   What an observation holds is told from outside, by where it lies in a state: see grognard/fronts/envs/native_lanes.py. */

/* how slots are told */
enum { NUMBER_SLOT, SHORT_SLOT, BYTE_SLOT, SET_SLOT };
/* parts of observations: numbers; what is in sets; how many are; cards; what effects are in force for */
enum { VALUES_PART, THINGS_PART, SIZES_PART, CARDS_PART, EFFECT_PART };
enum { NO_CARD, TOP_CARD, OWN_CARDS, EVERY_CARD };
enum { ABOUT_NUMBER, ABOUT_SET, ABOUT_ROLL };
enum { OF_GAMES, OF_OTHERS };

/* A part: the slot it shows, *each* numbers for each of *count* owners, and the slot of who sees it, where not all do
   (*many*: a set).  Of cards: those of an *owner*, where their number lies (*seers*), and what is *seen* of them. */
typedef struct {
  int what, given, kind, width, start, count, each, single;
  int hidden, many, seers_given, seers_kind, seers_width, owner, seen;
  size_t at, seers;
} Part;
/* the actions of the options of a branch: the first, and how many values there are of each of up to two */
typedef struct { int start, values, sizes[2]; } Block;
/* a decision: its blocks, the action that passes, and what it is about */
typedef struct { int block, passes, about, abouts; } Asked;
typedef struct { int what, size, width; } About;
typedef struct {
  int size, actions, spare, side, decides, over, prompt, subject, subjects, parts;
  const Part *part;
  const Block *block;
  const Asked *asked;
  const About *about;
} Form;

/* where everything goes, for each game: floats of its observation, bytes of its mask … */
typedef struct {
  float *observed, *last, *results;
  int8_t *mask, *sides;
  double *rewards;
  uint8_t *terminated, *truncated;
} Told;

typedef struct {
  State *s;
  uint64_t seed;
  num games, draws, taken, most, chosen;
  int32_t *actions;
  num room;
} Lane;

typedef struct {
  const Form *form;
  Lane *lane;
  const Player *players; /* how each side chooses that does not learn */
  int count, side;
  num limit;
  char *first;
  size_t first_size;
} Lanes;

#define UNSEEN_NUMBER (-2.0f)
#define CUT_OFF 32767

static inline float cut(num n) { return n > CUT_OFF ? CUT_OFF : n < -CUT_OFF ? -CUT_OFF : (float)n; }

static inline num number_at(const char *at, int kind, num i) {
  switch (kind) {
    case NUMBER_SLOT: return ((const num *)at)[i];
    case SHORT_SLOT: return ((const int16_t *)at)[i];
    default: return ((const uint8_t *)at)[i];
  }
}

static void things(const uint64_t *words, int width, num size, float *to) {
  for (int j = 0; j < width; j++)
    for (uint64_t left = words[j]; left; left &= left - 1) {
      num m = 64 * j + LOWEST(left);
      if (m < size) to[m] += 1;
    }
}

static void tell_cards(const Part *p, const char *base, int side, float *to) {
  const int16_t *cards = (const int16_t *)(base + p->at);
  int n = *(const int16_t *)(base + p->seers), seen = 0;
  if (p->seen == EVERY_CARD || (p->seen == OWN_CARDS && p->owner == side)) seen = n;
  if (p->seen == TOP_CARD) seen = n > 0;
  for (int i = 0; i < n; i++) to[i >= n - seen && cards[i] >= 0 ? cards[i] : p->each - 1] += 1;
}

static void tell_part(const Part *p, const State *s, Context *c, int side, float *to) {
  const char *base = p->given ? (const char *)c->given : (const char *)s, *at = base + p->at;
  to += p->start;
  if (p->what == CARDS_PART) {
    tell_cards(p, base, side, to);
    return;
  }
  if (p->what == EFFECT_PART) {
    if (p->kind == SET_SLOT) things((const uint64_t *)at, p->width, p->each, to);
    else to[0] = number_at(at, p->kind, 0) != 0;
    return;
  }
  int first = !p->single; /* the value for none stands first */
  for (int i = 0; i < p->count; i++, to += p->each) {
    if (p->hidden) {
      const char *seers = (p->seers_given ? (const char *)c->given : (const char *)s) + p->seers;
      int sees;
      if (p->many) sees = ((const uint64_t *)seers)[(i + first) * p->seers_width + (side >> 6)] >> (side & 63) & 1;
      else sees = number_at(seers, p->seers_kind, i + first) == side;
      if (!sees) {
        for (int j = 0; j < p->each; j++) to[j] = UNSEEN_NUMBER;
        continue;
      }
    }
    if (p->what == VALUES_PART) {
      to[0] = cut(number_at(at, p->kind, i + first));
      continue;
    }
    const uint64_t *words = (const uint64_t *)at + (i + first) * p->width;
    if (p->what == THINGS_PART) things(words, p->width, p->each, to);
    else for (int j = 0; j < p->width; j++) to[0] += COUNTED(words[j]);
  }
}

/* what a side sees */
static void observed(const Form *f, State *s, Context *c, int side, float *to) {
  memset(to, 0, f->size * sizeof *to);
  to[f->side + side] = 1;
  if (s->over == RUNNING) to[f->decides + s->chooser] = 1;
  else to[f->over] = 1;
  float *subject = to + f->subject;
  for (int i = 0; i < f->subjects; i++) subject[i] = UNSEEN_NUMBER;
  if (s->over == RUNNING && s->chooser == side) {
    const Asked *asked = &f->asked[s->point];
    const num *told = offered(s) + s->options;
    to[f->prompt + s->point] = 1;
    for (int i = 0; i < (s->abouts ? asked->abouts : 0); i++) {
      const About *about = &f->about[asked->about + i];
      if (about->what == ABOUT_NUMBER) {
        *subject++ = cut(*told++);
        continue;
      }
      memset(subject, 0, about->size * sizeof *subject);
      if (about->what == ABOUT_SET) {
        things((const uint64_t *)told, about->width, about->size, subject);
        told += about->width;
      } else {
        num n = *told++;
        for (; n > 0; n--, told++) if (*told >= 0 && *told < about->size) subject[*told] += 1;
      }
      subject += about->size;
    }
  }
  for (int i = 0; i < f->parts; i++) tell_part(&f->part[i], s, c, side, to);
}

/* the actions of the options, and which there are: whether there is memory for it */
static int allowed(const Form *f, Lane *l, int8_t *mask) {
  State *s = l->s;
  if (s->options > l->room) {
    int32_t *more = realloc(l->actions, 2 * s->options * sizeof *more);
    if (!more) return 0;
    l->actions = more, l->room = 2 * s->options;
  }
  memset(mask, 0, f->actions);
  const Asked *asked = &f->asked[s->point];
  int spare = f->spare;
  for (num k = 0; k < s->options; k++) {
    num option = offered(s)[k], action = asked->passes;
    if (option != -1) {
      const Block *block = &f->block[asked->block + (option >> 16 & 65535)];
      num values[2] = {option & 65535, option >> 32}, at = 0;
      for (int i = 0; i < block->values && at >= 0; i++)
        at = values[i] >= block->sizes[i] ? -1 : at * block->sizes[i] + values[i];
      action = at < 0 ? -1 : block->start + at;
    }
    if (action < 0 || mask[action]) action = spare < f->actions ? spare++ : -1;
    if (action >= 0) mask[action] = 1;
    l->actions[k] = (int32_t)action;
  }
  return 1;
}

/* what another than the one who learns takes: -2 where the rules have failed */
static num other_takes(const Player *p, Lane *l, Context *c) {
  State *s = l->s;
  uint64_t drawn = word(l->seed, OF_OTHERS, l->draws++);
  if (!p->thinks) return offered(s)[drawn % (uint64_t)s->options];
  uint32_t key[2] = {(uint32_t)drawn, (uint32_t)(drawn >> 32)};
  Random chance;
  random_begin(&chance, key, key[1] ? 2 : 1);
  return game_greedy(s, c, p, chance.word, &chance.at);
}

/* others than the one who learns decide: whether the rules have not failed */
static int others_played(const Lanes *g, Lane *l, Context *c) {
  State *s = l->s;
  while (g->side >= 0 && s->over == RUNNING && l->taken < l->most && s->chooser != g->side) {
    num option = other_takes(&g->players[s->chooser], l, c);
    if (option == -2 || !game_answer(s, c, option)) return 0;
    l->taken++;
  }
  return 1;
}

static int lane_begun(const Lanes *g, Lane *l, Context *c) {
  for (int tries = 0; tries < 1000; tries++) {
    memcpy(l->s, g->first, g->first_size);
    if (!game_begin(l->s, c, word(l->seed, OF_GAMES, l->games++))) return 0;
    num stated = game_limit(l->s, c);
    l->taken = 0, l->most = stated >= 0 && stated < g->limit ? stated : g->limit;
    if (!others_played(g, l, c)) return 0;
    if (l->s->over == RUNNING && l->taken < l->most) return 1;
  }
  snprintf(c->fault, sizeof c->fault, "a thousand games end before the side that learns decides");
  return 0;
}

static int lane_told(const Lanes *g, int i, Context *c, const Told *t) {
  Lane *l = &g->lane[i];
  const Form *f = g->form;
  t->sides[i] = (int8_t)l->s->chooser;
  observed(f, l->s, c, (int)l->s->chooser, t->observed + (size_t)i * f->size);
  if (allowed(f, l, t->mask + (size_t)i * f->actions)) return 1;
  snprintf(c->fault, sizeof c->fault, "there is no memory left");
  return 0;
}

EXPORTED void lanes_discard(Lanes *g) {
  for (int i = 0; i < g->count; i++) free(g->lane[i].s), free(g->lane[i].actions);
  free(g->lane), free(g->first), free(g);
}

/* games of which a side learns (-1: all do) and *players* are the others, which begin as *first*, and are cut off after so
   many decisions */
EXPORTED Lanes *lanes_made(const Form *form, int count, int side, const Player *players, num limit, const char *first,
                           size_t size) {
  Lanes *g = calloc(1, sizeof *g);
  if (!g) return 0;
  g->form = form, g->side = side, g->players = players, g->limit = limit, g->first_size = size;
  g->first = malloc(size), g->lane = calloc(count, sizeof(Lane));
  int made = g->first && g->lane;
  for (; made && g->count < count; g->count++) made = !!(g->lane[g->count].s = calloc(1, sizeof(State)));
  if (made) memcpy(g->first, first, size);
  else lanes_discard(g), g = 0;
  return g;
}

/* how the chance of a game and all later ones begins */
EXPORTED void lanes_seeded(Lanes *g, int i, uint64_t seed) {
  g->lane[i].seed = seed, g->lane[i].games = g->lane[i].draws = 0;
}

/* begin those from one to another: whether the rules have not failed */
EXPORTED int lanes_begun(Lanes *g, Context *c, int from, int to, const Told *t) {
  for (int i = from; i < to; i++) if (!lane_begun(g, &g->lane[i], c) || !lane_told(g, i, c, t)) return 0;
  return 1;
}

/* choose an action in each: the first in which it is not possible, or -1 */
EXPORTED int lanes_chosen(Lanes *g, const num *actions) {
  for (int i = 0; i < g->count; i++) {
    Lane *l = &g->lane[i];
    for (l->chosen = 0; l->chosen < l->s->options && l->actions[l->chosen] != actions[i]; l->chosen++) {}
    if (actions[i] < 0 || l->chosen == l->s->options) return i;
  }
  return -1;
}

/* Take what was chosen from one to another, until it is to be chosen again; those that end begin anew: whether the rules
   have not failed. */
EXPORTED int lanes_stepped(Lanes *g, Context *c, int from, int to, const Told *t) {
  const Form *f = g->form;
  for (int i = from; i < to; i++) {
    Lane *l = &g->lane[i];
    State *s = l->s;
    int side = (int)s->chooser;
    l->taken++;
    if (!game_answer(s, c, offered(s)[l->chosen]) || !others_played(g, l, c)) return 0;
    int over = s->over != RUNNING, cut_off = !over && l->taken >= l->most;
    t->terminated[i] = over, t->truncated[i] = cut_off, t->rewards[i] = end_worth(s, side);
    for (int j = 0; j < SIDES; j++) t->results[(size_t)i * SIDES + j] = (float)end_worth(s, j);
    if (over || cut_off) {
      observed(f, s, c, side, t->last + (size_t)i * f->size);
      if (!lane_begun(g, l, c)) return 0;
    }
    if (!lane_told(g, i, c, t)) return 0;
  }
  return 1;
}
