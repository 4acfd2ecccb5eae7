-- When an installation passes from a registered user to somebody else, messages decided for the previous user must not
-- reach the next one. Timestamps cannot order the two, because each process has its own clock. So an app's changes are
-- numbered under a row lock, and their numbers follow the commit order.
create table app_user_changes (
  app_id integer primary key references apps,
  newest bigint not null
);

-- Number of the installation's latest change; null for almost all of them. `guest_user_no` is the guest who became its
-- first registered user.
alter table installations add column user_change bigint;
alter table installations add column guest_user_no bigint;

-- The installation's user before each change. `due_at` is when its inbox has to be cleared; null once that is done.
create table installation_user_changes (
  app_id integer not null references apps,
  installation_no bigint not null,
  number bigint not null,
  from_user_no bigint not null,
  changed_at timestamptz not null default peyk_now(),
  due_at timestamptz,
  primary key (app_id, installation_no, number)
);
create index installation_user_changes_due on installation_user_changes (due_at) where due_at is not null;
create index installation_user_changes_by_user on installation_user_changes (app_id, from_user_no);

-- The app's newest change when the recipients were looked up, if the message depends on who they are. Null for a
-- message to one user, who is named in message_users, and for a message to a public channel that is the same for
-- everybody.
alter table messages add column user_change bigint;
