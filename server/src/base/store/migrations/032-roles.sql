-- What each process does: some of api, connection, worker. Null: it is of a version before roles, and does everything.
alter table connection_holders add column roles text[];
