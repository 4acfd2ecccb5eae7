-- When the message of a batch expires: what ends by that is found without reading messages. Null where an older version
-- stored the batch, and for an audience still to be expanded.
alter table delivery_batches add column expires_at timestamptz;
-- What is in nobody's hands. What a process accepts and sends itself never comes into this index.
create index delivery_batches_expiring on delivery_batches (expires_at) where state = 'queued' and lease_holder is null;
