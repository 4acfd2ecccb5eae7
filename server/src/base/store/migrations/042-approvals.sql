-- Hash of what was approved. A scheduled message that differs from it when due is not sent.
alter table scheduled_messages add column approved_as text;
alter table series add column approved_as text;
-- `sent`: the message with the texts of its template. `moves`: the scheduled message to reschedule. `revoked_ids`:
-- messages and series that a back end changed after the approval.
alter table send_approvals
  add column sent jsonb,
  add column asked_as text,
  add column moves uuid,
  add column revoked_ids uuid[];
