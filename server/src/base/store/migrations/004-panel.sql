-- The panel: who is signed in, what members did, and counts per day.

create table member_sessions (
  hash bytea primary key,
  member_id uuid not null references members on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  browser text not null,
  by_link boolean not null default false
);
create index member_sessions_by_member on member_sessions (member_id);
create index member_sessions_by_expiry on member_sessions (expires_at);

-- A link that signs a member in, once.
create table member_links (
  hash bytea primary key,
  member_id uuid not null references members on delete cascade,
  expires_at timestamptz not null
);

-- What members did. The address stays when the member is gone.
create table audit_entries (
  app_id integer not null,
  entry_no bigint generated always as identity,
  member_id uuid,
  email text collate "C" not null,
  action text collate "C" not null,
  subject text,
  details jsonb,
  created_at timestamptz not null,
  primary key (app_id, entry_no)
);

-- Counts per day (UTC) and platform (android, ios, web, other). Slots, so that writers do not wait for one another:
-- a reader sums them up. An installation is counted as active once a day, its user once for all of theirs.
create table activity_days (
  app_id integer not null,
  day date not null,
  platform text collate "C" not null,
  slot smallint not null,
  installs bigint not null default 0,
  visits bigint not null default 0,
  active_installations bigint not null default 0,
  active_users bigint not null default 0,
  uninstalls bigint not null default 0,
  churned bigint not null default 0,
  primary key (app_id, day, platform, slot)
) with (fillfactor = 70);
insert into activity_days as a (app_id, day, platform, slot, installs, uninstalls, churned)
select app_id, (at at time zone 'UTC')::date, case when device_type in ('android', 'ios', 'web') then device_type else 'other' end, 0,
  sum(installs), sum(uninstalls), sum(churned)
from (
  select app_id, installed_at as at, device_type, 1 as installs, 0 as uninstalls, 0 as churned from installations
  union all
  select app_id, uninstalled_at, device_type, 0, 1, is_churn::int from uninstalls
) happened
group by 1, 2, 3;

-- How many deliveries came so far on that day, cumulative: what was opened was also shown. opened: or an action was taken.
create table delivery_days (
  app_id integer not null,
  day date not null,
  platform text collate "C" not null,
  slot smallint not null,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  shown bigint not null default 0,
  opened bigint not null default 0,
  primary key (app_id, day, platform, slot)
) with (fillfactor = 70);
insert into delivery_days (app_id, day, platform, slot, sent, delivered, shown, opened)
select d.app_id, (coalesce(d.sent_at, d.updated_at) at time zone 'UTC')::date,
  case when i.device_type in ('android', 'ios', 'web') then i.device_type else 'other' end, 0, count(*),
  count(*) filter (where d.state in ('delivered', 'shown', 'opened', 'acted', 'dismissed')),
  count(*) filter (where d.state in ('shown', 'opened', 'acted', 'dismissed')),
  count(*) filter (where d.state in ('opened', 'acted'))
from deliveries d left join installations i using (app_id, installation_no)
where d.sent_at is not null or d.state in ('sent', 'delivered', 'shown', 'opened', 'acted', 'dismissed')
group by 1, 2, 3;

-- The day is the event's. currency is upper case, '' where there is no revenue or none was named. forgotten: so many of
-- them have no row any more, their user was forgotten.
create table event_days (
  app_id integer not null,
  name text collate "C" not null,
  day date not null,
  currency text collate "C" not null,
  slot smallint not null,
  count bigint not null,
  forgotten bigint not null default 0,
  revenue numeric not null,
  primary key (app_id, name, day, currency, slot)
) with (fillfactor = 70);
create index event_days_by_day on event_days (app_id, day);
create index event_days_unfolded on event_days (day) where slot > 0;
insert into event_days (app_id, name, day, currency, slot, count, revenue)
select app_id, name, (event_at at time zone 'UTC')::date,
  case when revenue is null or currency is null or octet_length(currency) > 255 then '' else upper(currency collate "C") end, 0,
  count(*), coalesce(sum(revenue), 0)
from events group by 1, 2, 3, 4;

create table segment_sizes (
  app_id integer not null,
  segment_id uuid not null,
  day date not null,
  count bigint not null,
  primary key (app_id, segment_id, day)
);

-- Which messages went to a saved segment; they keep its rules and its id.
create index messages_to_segments on messages (app_id, (target ->> 'segmentId'), id) where target ->> 'segmentId' is not null;

create index promo_given_by_user on promo_given (app_id, user_no, given_at);

-- Push tokens that an installation had, without the tokens: from when to when, and why it has them no more.
create table past_tokens (
  app_id integer not null,
  installation_no bigint not null,
  ended_at timestamptz not null,
  given_at timestamptz,
  reason text not null check (reason in ('renewed', 'withdrawn', 'taken', 'gone', 'foreign')),
  primary key (app_id, installation_no, ended_at)
);

-- When a message was opened, and when its buttons were pressed.
create index receipts_opened on receipts (app_id, message_id, happened_at, kind) where kind in ('opened', 'acted');

-- Whom a message did not reach, by the reason; those it reached are not in it.
create index deliveries_with_reason on deliveries (app_id, message_id, reason, installation_no) where reason is not null;
