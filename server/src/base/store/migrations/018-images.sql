-- Images of notifications that were uploaded. The same content is one row of an app; content is compressed as it comes.
create table images (
  app_id integer not null references apps,
  hash text collate "C" not null,
  type text not null check (type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  width integer not null,
  height integer not null,
  bytes integer not null,
  created_at timestamptz not null,
  created_by text not null,
  content bytea not null,
  primary key (app_id, hash)
);
alter table images alter column content set storage external;

-- They are served by their hash alone.
create index images_of_hash on images (hash);
