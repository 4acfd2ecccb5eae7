-- Clients that are expected back, and messages that keep their order.

-- connections ---------------------------------------------------------------------------------------------------------
-- A connection may end without the client's doing: its process was ended or died, or the line was lost. Such clients come
-- back within seconds, so what nothing but a connection brings to them waits a little.

-- When that was. Null: the client is connected, or left by itself; what an older process writes has none.
alter table connections add column left_at timestamptz;
create index connections_left on connections (left_at) where left_at is not null;

-- Personal messages on their way into inboxes: nobody has taken them yet, or somebody has them in hand. What was accepted
-- later for the same installation does not pass them.
create index delivery_batches_on_the_way on delivery_batches (app_id, message_id)
where lane = 'personal' and (lease_holder is not null or attempts = 0);
