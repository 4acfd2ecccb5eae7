-- Messages to groups take turns within an app and stream. A skip scan of this index finds the next message.
create index delivery_batches_turns on delivery_batches (app_id, stream, message_id, available_at)
where state = 'queued' and lane = 'group';

-- Actual release rate of a throttled message: installations released since measured_from (measured), and the rate per
-- second before that (per_second). Null: not known yet.
alter table message_paces add column measured_from timestamptz;
alter table message_paces add column measured bigint not null default 0;
alter table message_paces add column per_second real;
