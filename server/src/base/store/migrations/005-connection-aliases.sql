-- The key of the names under which others see an app's installations: HMAC-SHA256 of the installation id. Every app has
-- one from its beginning, also when an older version of the service makes it.
alter table apps add column alias_secret bytea not null
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
