-- When a code was first written to a connection. From then on, its user may have seen it.
alter table promo_given add column shown_at timestamptz;

-- Codes whose delivery was refused because the installation has another user. They are returned unless somebody has
-- seen them.
create table promo_refused (
  app_id integer not null references apps,
  message_id uuid not null,
  user_no bigint not null,
  primary key (app_id, message_id, user_no)
);
