-- Categories that were deleted. Messages that named them stay, and peyk verify knows by this that nothing is missing.
create table deleted_categories (
  app_id integer not null references apps,
  id text collate "C" not null,
  deleted_at timestamptz not null,
  primary key (app_id, id)
);
