-- Messages that go at the local times of their users. Their batches wait in a lane of their own, where nobody takes, wakes or
-- waits for them; available_at is when they are due, and the stream says where they belong then, such as group/fcm. What is
-- still to be cut by these moments is there, too (stream expand). A process of the version before leaves that lane alone.
alter table delivery_batches drop constraint delivery_batches_lane_check;
alter table delivery_batches add constraint delivery_batches_lane_check check (lane in ('personal', 'group', 'later')) not valid;
create index delivery_batches_later on delivery_batches (available_at) where lane = 'later' and state = 'queued';

-- Until when it waits in the inbox of its installation, and when its SMS ends, where the message has other ends for other users.
alter table deliveries add column expires_at timestamptz;
alter table sms_fallbacks add column expires_at timestamptz;

-- The ends that such a message has, until they have passed.
create table message_ends (
  app_id integer not null,
  message_id uuid not null,
  ends_at timestamptz not null,
  primary key (app_id, message_id, ends_at)
);
create index message_ends_by_time on message_ends (ends_at);
