-- Which variant of its message the user of a delivery was given; 'default' where it has a control group and no variants, 'control'
-- for that group. `tested_at` is when, of those who are compared: null for who got the winner of the test.
alter table deliveries add column variant text collate "C";
alter table deliveries add column tested_at timestamptz;

-- It holds only those who wait for the winner of a test.
alter table delivery_batches add column awaits_winner boolean;

-- Which variant those get who were not in the test of a message, decided once.
create table variant_decisions (
  app_id integer not null,
  message_id uuid not null,
  variant text collate "C" not null,
  why text not null,
  decided_at timestamptz not null,
  primary key (app_id, message_id)
);
