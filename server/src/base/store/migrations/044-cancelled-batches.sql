-- Batches of cancelled messages, until their deliveries are recorded as cancelled.
create index delivery_batches_cancelled on delivery_batches (app_id, batch_no) where state = 'cancelled';
