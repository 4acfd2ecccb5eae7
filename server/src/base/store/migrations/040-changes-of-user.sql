-- An installation that passes from a registered user to somebody else must not bring the next one what was decided for the
-- one before. Times cannot say what came first: two processes have two clocks. So the changes of an app are numbered under
-- the lock of a row, which makes the order of the numbers that of the commits.
create table app_user_changes (
  app_id integer primary key references apps,
  newest bigint not null
);

-- The change that an installation went through last; null for almost all of them. `guest_user_no` is the guest who became
-- its first registered user.
alter table installations add column user_change bigint;
alter table installations add column guest_user_no bigint;

-- Whose the installation was before each change. `due_at` is when its inbox is to be cleared; null when that is done.
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

-- The newest change of the app when the recipients were looked up, where a message depends on who they are. Null for a
-- message to one user, who is named in message_users, and for one to a public channel that is the same for everybody.
alter table messages add column user_change bigint;
