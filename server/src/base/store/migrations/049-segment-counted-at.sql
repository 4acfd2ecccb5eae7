-- When a segment was counted: the size of a day is of one moment of it. Unknown for what was counted before.
alter table segment_sizes add column counted_at timestamptz;
