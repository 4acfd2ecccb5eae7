-- Deliveries that ended as capped and that webhooks have not been told of. A row stays for about a minute, and there is none
-- unless a webhook wants it. since: when the first of them ended.
create table capped_counts (
  app_id integer not null,
  message_id uuid not null,
  count integer not null,
  since timestamptz not null,
  primary key (app_id, message_id)
);
