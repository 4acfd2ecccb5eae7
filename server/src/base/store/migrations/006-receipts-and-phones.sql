-- Who set an attribute. True: a client key did, in an app that did not verify identities, so it may have been anybody.
-- Null: the back end did, or a client whose user was verified. So do all rows from before, and what an older process writes.
alter table user_attributes add column is_unverified boolean;
alter table installation_attributes add column is_unverified boolean;

-- The user that the installation is known to be of: its client showed the hash of an app that verifies identities, or the
-- back end said so. Null or another user: it may be anybody's.
alter table installation_details add column verified_user_no bigint;
