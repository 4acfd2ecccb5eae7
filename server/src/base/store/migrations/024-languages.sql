-- In which language of its message a delivery was handed over; 'default' for the plain texts. Null where the message has no
-- languages, and where nothing was handed over.
alter table deliveries add column language text collate "C";

-- How many deliveries of a message were handed over in which language: of messages to many as they are, of those to few only
-- those that were forgotten with their user. `forgotten` are those of the count that have no row any more.
create table language_counters (
  app_id integer not null,
  message_id uuid not null,
  language text collate "C" not null,
  slot smallint not null,
  count bigint not null,
  forgotten bigint not null default 0,
  primary key (app_id, message_id, language, slot)
);
