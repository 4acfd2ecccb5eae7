-- Messages to groups take turns within an app and stream: the next message is found by a jump in this index.
create index delivery_batches_turns on delivery_batches (app_id, stream, message_id, available_at)
where state = 'queued' and lane = 'group';

-- How fast a message with a pace was really let go: how many installations since measured_from, and how many a second in
-- the time before that. Null: not known yet.
alter table message_paces add column measured_from timestamptz;
alter table message_paces add column measured bigint not null default 0;
alter table message_paces add column per_second real;
