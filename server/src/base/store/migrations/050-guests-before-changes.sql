-- `installations.guest_user_no` is the guest who became the current user. It is cleared when that user passes the
-- installation on, and then kept with that user in the row of the change.
alter table installation_user_changes add column guest_user_no bigint;
