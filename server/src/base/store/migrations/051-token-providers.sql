-- What decides the path of a message, in the index: a dry run over a million devices need not read their tokens.
-- Apple's tokens are hexadecimal, a browser's subscription is an object, Google's tokens have a colon: the regular
-- expression is slow, and so reads Apple's only. The same in TypeScript: choose-path.ts.
alter table installation_details
  add column token_provider text collate "C" generated always as (
    case
      when coalesce(device_token, '') = '' then null
      when left(device_token, 1) = '{' then 'webpush'
      when octet_length(device_token) between 64 and 200 and strpos(device_token, ':') = 0 and device_token !~ '[^0-9a-fA-F]' then 'apns'
      else 'fcm'
    end
  ) stored,
  add column is_denied boolean not null generated always as (coalesce(upper(token_status collate "C") = 'DENIED', false)) stored,
  drop constraint installation_details_pkey,
  add primary key (app_id, installation_no) include (token_provider, is_denied);
