-- When a segment was counted: the size for a day is from one moment of that day. Null for earlier counts.
alter table segment_sizes add column counted_at timestamptz;
