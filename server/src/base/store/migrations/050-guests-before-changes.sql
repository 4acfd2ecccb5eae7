-- `installations.guest_user_no` is the guest who became the present user, and null once that user has passed the
-- installation on: then it stands beside the user in the row of the change.
alter table installation_user_changes add column guest_user_no bigint;
