/* Options that differ only in pieces which nobody could tell apart: the first of them stays. */

typedef struct { num named, second; int same; } Like;

static void merge(State *s, Context *c, int decision) {
  const int16_t(*named)[2] = NAMED + NAMED_FROM[decision];
  num *options = offered(s), count = s->options, kept = 0;
  if (s->shelf >= 0) return;
  num *stands_in[KINDS + 1] = {0};
  char *among[KINDS + 1] = {0};
  for (num n = 0; n < 2 * count; n++) {
    num option = options[n / 2];
    if (option < 0) continue;
    int type = named[option >> 16 & 65535][n % 2];
    num piece = n % 2 ? option >> 32 : option & 65535;
    if (type < 0) continue;
    int kind = own_kind(c, type, &piece);
    if (!among[kind]) among[kind] = room(c, MOST_PIECES), memset(among[kind], 0, MOST_PIECES);
    among[kind][piece] = 1;
  }
  int merged = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    if (!among[kind]) continue;
    char *apart = room(c, MOST_PIECES);
    memset(apart, 0, MOST_PIECES);
    EACH_KIND[kind].apart(s, c, apart);
    num *own = stands_in[kind] = room(c, MOST_PIECES * sizeof(num));
    for (num i = 0; i < MOST_PIECES; i++) {
      own[i] = i;
      if (!among[kind][i] || apart[i]) continue;
      for (num j = 0; j < i; j++)
        if (among[kind][j] && !apart[j] && EACH_KIND[kind].alike(s, c, j, i)) {
          own[i] = j, merged = 1;
          break;
        }
    }
  }
  if (!merged) return;
  Like *seen = room(c, (size_t)count * sizeof *seen);
  num likes = 0;
  for (num n = 0; n < count; n++) {
    num option = options[n];
    if (option >= 0) {
      num branch = option >> 16 & 65535, first = option & 65535, second = option >> 32;
      int one = named[branch][0], other = named[branch][1], kinds[2] = {-1, -1};
      num pieces[2] = {first, second};
      if (one >= 0) kinds[0] = own_kind(c, one, &pieces[0]), first += stands_in[kinds[0]][pieces[0]] - pieces[0];
      if (other >= 0) kinds[1] = own_kind(c, other, &pieces[1]), second += stands_in[kinds[1]][pieces[1]] - pieces[1];
      Like like = {branch << 16 | first, second, one >= 0 && other >= 0 && kinds[0] == kinds[1] && pieces[0] == pieces[1]};
      int known = 0;
      for (num i = 0; i < likes && !known; i++)
        known = seen[i].named == like.named && seen[i].second == like.second && seen[i].same == like.same;
      if (known) continue;
      seen[likes++] = like;
    }
    options[kept++] = option;
  }
  s->options = kept;
}
