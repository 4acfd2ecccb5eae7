-- Every visit changes launched_at. An index on it made PostgreSQL write the row into all indexes of the table anew; without
-- one, a visit is a heap-only update.
drop index installations_by_launched;
