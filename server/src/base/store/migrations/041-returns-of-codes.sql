-- When a code was first written to a connection: from then on its user may have seen it.
alter table promo_given add column shown_at timestamptz;

-- Codes whose delivery was refused because somebody else uses the installation: they go back if nobody has seen them.
create table promo_refused (
  app_id integer not null references apps,
  message_id uuid not null,
  user_no bigint not null,
  primary key (app_id, message_id, user_no)
);
