-- What kinds of messages an app sends, as its users read it: texts by language.
create table categories (
  app_id integer not null references apps,
  id text collate "C" not null,
  name jsonb not null,
  description jsonb,
  created_at timestamptz not null,
  primary key (app_id, id)
);

-- What users said about categories; '*' is all of them. Whoever said nothing wants them.
create table user_preferences (
  app_id integer not null,
  user_no bigint not null,
  category text collate "C" not null,
  is_wanted boolean not null,
  changed_at timestamptz not null,
  primary key (app_id, user_no, category)
);
create index user_preferences_by_category on user_preferences (app_id, category);

-- The messages that count against caps, a row for each user who had some: three lists of equal length, the oldest first.
-- The row's lock is what keeps two processes from handing over one too many. What no cap counts any longer is left out
-- when the row is written.
create table recent_hand_overs (
  app_id integer not null,
  user_no bigint not null,
  message_ids uuid[] not null default '{}',
  categories text[] collate "C" not null default '{}',
  times timestamptz[] not null default '{}',
  primary key (app_id, user_no)
) with (fillfactor = 80);
