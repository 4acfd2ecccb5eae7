-- Deleted categories. Messages still name them, and this table tells peyk verify that nothing is missing.
create table deleted_categories (
  app_id integer not null references apps,
  id text collate "C" not null,
  deleted_at timestamptz not null,
  primary key (app_id, id)
);
