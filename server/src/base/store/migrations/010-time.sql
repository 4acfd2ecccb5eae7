-- All product time comes from this function. In development it can be put forward (features/demo/forward-time.ts), so that a
-- demonstration need not wait; then it is replaced by one that adds the same interval each time. PostgreSQL puts its body
-- in the place of the call, so plans stay those of now().
create function peyk_now() returns timestamptz language sql stable parallel safe return now();

-- Only what is said of the tables changes; no row is touched. Claims of idempotency keys are leases: those keep real time.
do $$
declare
  found record;
begin
  for found in
    select d.adrelid::regclass as place, a.attname as name
    from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    join pg_class c on c.oid = d.adrelid
    where c.relnamespace = current_schema()::regnamespace and pg_get_expr(d.adbin, d.adrelid) = 'now()'
      and c.relname not in ('migrations', 'idempotency_claims')
    order by c.relname
  loop
    execute format('alter table %s alter column %I set default peyk_now()', found.place, found.name);
  end loop;
end $$;

-- The days on which the service ran, by its own time. A time that is far from all of them is not believed at once.
create table clock_days (day date primary key);
